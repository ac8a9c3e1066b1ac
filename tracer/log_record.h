/*
 * The records of an audit log (docs/audit-log.schema.json), each an object of one line. They say nothing that they do
 * not get: pure but for the clock.
 */
#pragma once

#include <sys/types.h>
#include <time.h>

#include "base/json.h"
#include "profile/access.h"
#include "profile/learn.h"
#include "profile/profile.h"
#include "profile/review_dialogue.h"
#include "profile/tiers.h"
#include "tracer/stack.h"
#include "tracer/trace.h"

/* What is known before the program starts. */
struct log_start {
	char *const *arguments; /* ends with NULL; the first is the program's name */
	bool no_arguments;	/* leave all but the first out */
	const char *program;	/* its file */
	const char *directory;	/* NULL when unknown */
	const char *tiers;	/* hash of the table, NULL for the built-in one */
	enum trace_calls calls;
	const char *base; /* -b, as it was named; NULL without */
	bool review;
	const struct learn_options *learn; /* by which accesses become grants */
	int abi;			   /* of Landlock; below 1 without */
};

/* What is known after it has ended. */
struct log_end {
	const struct trace_result *result; /* NULL when the session could not be */
	const char *failure;		   /* why there is no profile, or NULL */
	bool declined;			   /* the review was left without saving */
	const struct profile *profile;	   /* NULL with a failure */
	const char *profile_name;	   /* of its file, canonical; NULL for standard output */
	const char *profile_hash;
	const char *outcome; /* of a run under a profile: "enforced" or "traced"; else NULL */
};

struct log_counts {
	uint64_t accesses, distinct, processes, notices, dropped;
};

/* When, and by whom. */
struct record_moment {
	struct timespec time;
	pid_t pid, tid;
};

/* The last second that a time was written of. */
struct record_clock {
	time_t second;
	char text[sizeof "0000-00-00T00:00:00.000000Z"]; /* empty at first */
};

struct json *record_start(const struct log_start *start);
struct json *record_end(const struct log_end *end, const struct log_counts *counts);

/*
 * Of these there are many: they fill an empty record of the caller's. tiers and stack may be NULL. An access of a port
 * is told as "network".
 */
void record_access(struct json *record, struct record_clock *clock, const struct record_moment *moment,
		   const struct access *access, const struct tiers *tiers, const struct stack *stack);
void record_count(struct json *record, struct record_clock *clock, const struct access *access, uint64_t count);

/* arguments: of PROCESS_EXECUTED, ends with NULL; may be NULL. */
struct json *record_process(const struct trace_process *process, char *const *arguments, bool cut);

struct json *record_answer(const struct review_item *item, enum review_told told);

/* kind: "notice", "incomplete", "log" or "replay". */
struct json *record_notice(const char *kind, const char *text);

/* All that the kernel was asked for, if it was: also what follows from the kind, such as make_reg. */
rights_t record_rights(const struct access *access);
