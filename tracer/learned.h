/*
 * What a session of trace-learn leaves behind: profile, log, and what is said at the end. The session itself is wired
 * in trace_learn_main.c.
 */
#pragma once

#include <stdbool.h>

#include "profile/learn.h"
#include "profile/profile.h"
#include "profile/tiers.h"
#include "tracer/command_line.h"
#include "tracer/log.h"
#include "tracer/previous.h"
#include "tracer/recorder.h"
#include "tracer/store.h"
#include "tracer/trace.h"

struct learned {
	const struct command_line *line; /* the caller's */
	struct tiers *tiers;
	struct previous previous;
	struct profile before; /* the one to add to, as it is; kept for --review */
	struct profile profile;
	struct store store;
	struct log *log; /* NULL for none */
	struct learner *learner;
	struct recorder recorder;
	struct trace_result result;
	char *difference; /* between replay and session; NULL for none */
	bool declined;	  /* by the person who was asked: there is no profile */
	/* As in struct summary. */
	int (*gate)(const char *name, const struct profile *profile, const char *hash, const struct tiers *tiers,
		    struct error *err);
};

/* After the session: merges, asks who is to be asked, and writes the profile. 0 or -errno. */
int learned_write(struct learned *learned, struct error *err);

/* A replay went otherwise than the session: the profile is incomplete, which is written, and this fails in any case. */
int learned_differs(struct learned *learned, const char *difference, struct error *err);

/* Ends the log. `failure`: why there is no profile, NULL for none. *lost is set when the log is not whole. */
void learned_close(struct learned *learned, const char *failure, struct error *lost);

/* The summary. */
void learned_say(struct learned *learned);

void learned_finish(struct learned *learned);
