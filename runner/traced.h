/*
 * Running the program under a tracer (-e, -n): what the tracer gets, the supervisor's place beside it, and what is said
 * at the end. The tracer itself is another room's: the two commands' *_main.c bring it.
 */
#pragma once

#include "profile/traced_program.h"
#include "runner/parent.h"

struct explain;

struct traced {
	trace_fn *trace;
	int (*prepare)(void *data, struct error *err); /* in the program's process: puts it under the profile */
	int (*execute)(void *data, struct error *err);
	void *data;
	struct supervisor *supervisor; /* NULL for none */
	unsigned timeout;
	const struct traced_log *log; /* NULL for none */
};

/* 0 with *end when the program ran; else the exit status with err set. */
int traced_run(const struct traced *traced, struct explain *explain, struct parent_end *end, struct error *err);
