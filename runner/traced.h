/*
 * Running the program under a tracer (-e, -n): what the tracer gets, the supervisor's place beside it, and what is said
 * at the end. The tracer itself is another room's, and joined by trace_run_main.c.
 */
#pragma once

#include <sys/types.h>

#include "profile/access.h"
#include "runner/parent.h"

struct explain;

/* As struct trace_program, trace_options and trace_observer (tracer/trace.h) have it. */
struct traced_program {
	bool confined;
	unsigned timeout;
	int (*prepare)(void *data, struct error *err);
	int (*execute)(void *data, struct error *err);
	pid_t (*make)(void *data, void (*begin)(void *birth), void *birth, struct error *err); /* NULL: a child */
	void *data;
	void (*access)(void *observer, const struct access *access, pid_t pid, pid_t tid);
	void (*notice)(void *observer, const char *text);
	void *observer;
};

struct traced_end {
	struct parent_end end;
	int exec_error;	    /* the exec failed, and nothing has run */
	char *exec_message; /* the caller frees */
};

/* -errno when it could not be traced. */
typedef int trace_fn(const struct traced_program *program, struct traced_end *end, struct error *err);

struct traced {
	trace_fn *trace;
	int (*prepare)(void *data, struct error *err); /* in the program's process: puts it under the profile */
	int (*execute)(void *data, struct error *err);
	void *data;
	struct supervisor *supervisor; /* NULL for none */
	unsigned timeout;
};

/* 0 with *end when the program ran; else the exit status with err set. */
int traced_run(const struct traced *traced, struct explain *explain, struct parent_end *end, struct error *err);
