/* One start of trace-run, from the profile's name to the exec: the gate, what is said, the restriction, the program. */
#pragma once

#include <stdbool.h>

#include "base/error.h"
#include "runner/traced.h"

struct start_options {
	const char *profile; /* file name */
	bool print, verify, best_effort, allow_writable, drop_caps;
	bool explain;	   /* -e */
	bool only_look;	   /* -n */
	bool json;	   /* --format=json: of what is explained or verified */
	const char *apply; /* --apply: file name; NULL for none */
	const char *log;   /* -l: file name, for -e and -n; NULL for none */
	trace_fn *trace;   /* the tracer, for -e and -n */
	unsigned timeout;  /* seconds; 0 for none */
	bool replay;	   /* -e as a part of a session, which says at its end what there is to say of the profile */
	char **program;	   /* with its arguments, NULL-terminated; NULL for the profile's own */
	/* With -e, each may be NULL: in the program's process before it is executed, and once it has ended. */
	void (*redirect)(void *data);
	void (*ended)(void *data);
	void *data;
};

/*
 * Executes the program in place of this process, or stays as its parent, or prints the ruleset. Returns the exit status
 * of the command; err is set where it is a failure of ours that is still to be said.
 */
int start_run(const struct start_options *options, struct error *err);
