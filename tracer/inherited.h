/*
 * Descriptors that come from outside of the session: what they lead to was not opened in it, so neither the profile nor
 * Landlock has a say in what is done with them. The standard streams are the caller's business.
 */
#pragma once

#include "tracer/trace.h"

/* Tells, in one notice, what the program inherits from us above standard error. */
void inherited_tell(const struct trace_observer *observer);

/* What a descriptor is called, from its link in /proc: a path, "a pipe", "a socket" or the kernel's word. The
 * caller's to free. */
char *inherited_name(const char *link);
