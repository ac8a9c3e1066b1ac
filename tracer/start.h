/* The child's way from fork to exec: attached first, then prepared, then under the filter. */
#pragma once

#include "tracer/session.h"

/*
 * Makes the child and attaches to it, then lets it go on. The child changes nothing of what it inherits but what
 * `program` does, so the program starts with our mask, dispositions, descriptors, process group and terminal. -errno
 * with the cause and the remedy when it cannot be traced; then nothing of it is left.
 */
int start_program(struct session *session, const struct trace_program *program, struct error *err);

/* Whether this stop is the call by which the child proves that its filter is heard. */
bool start_is_probe(const struct event *event);

/* At the program's exec: closes the connection to the child. -errno when the probe was never heard. */
int start_executed(struct session *session, struct error *err);

/*
 * The child ended before it executed. Returns 0 when the exec failed (result.exec_error) or a signal killed the child;
 * -errno with what the child had to say.
 */
int start_failed(struct session *session, struct error *err);
