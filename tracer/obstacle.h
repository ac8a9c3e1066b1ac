/* Why tracing is not possible here, and what to do about it. */
#pragma once

#include <sys/types.h>

#include "base/error.h"

/* PTRACE_SEIZE of our own child failed with `number`. Sets err to cause and remedy; returns -number. */
int obstacle_explain(pid_t child, int number, struct error *err);

/* The child's filter let the probe pass without a stop. */
int obstacle_unheard(struct error *err);

/* The kernel cannot say what call a task is in. */
int obstacle_unanswered(int number, struct error *err);
