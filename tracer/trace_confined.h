/* The tracer for a program that the runner has put under a profile: a trace_fn. */
#pragma once

#include "profile/traced_program.h"

int trace_confined(const struct traced_program *program, struct traced_end *end, struct error *err);
