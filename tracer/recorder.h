/*
 * What is kept of a session while it runs: the observer of the tracer, which gives each access to learner and log, and
 * keeps notices back until the program has left the terminal.
 */
#pragma once

#include <stddef.h>

#include "profile/learn.h"
#include "tracer/log.h"
#include "tracer/trace.h"

struct recorder {
	struct learner *learner; /* both the caller's */
	struct log *log;	 /* NULL for none */
	const char *base;	 /* -b: what limits the rest, for the first line; NULL for none */
	const char *begun;	 /* the profile of -m that is not there yet; or NULL */
	const char *portable;	 /* that profile, where this session is portable since it is; or NULL */
	int abi;		 /* of Landlock; below 0 without */
	char **notices;
	size_t count, capacity;
};

/* Valid as long as the recorder. */
struct trace_observer recorder_observer(struct recorder *recorder);

/* Makes the profile incomplete, and is in the log. */
void recorder_incomplete(struct recorder *recorder, const char *reason);

/* Writes what the log keeps back; what is wrong with it is said at once. */
void recorder_flush(struct recorder *recorder);

/* Says what was noticed since. */
void recorder_say(struct recorder *recorder);

void recorder_finish(struct recorder *recorder);
