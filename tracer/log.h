/*
 * The audit log of a session: JSON Lines of what happened, written while it happens (docs/internals/tracer.md). Each
 * function takes NULL, for --no-log, and does nothing then.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "tracer/log_record.h"
#include "tracer/stacks.h"

struct log_options {
	const char *name;		/* -l LOG; NULL: a fresh one in the state directory */
	bool off;			/* --no-log */
	bool all;			/* each access every time */
	uint64_t limit;			/* bytes, 0 for none */
	unsigned stacks;		/* frames of call stacks (-k); 0 for none */
	stacks_helper_fn *stack_helper; /* stack_helper_be(), with stacks */
};

struct log;

/*
 * Makes the log, and writes the start of the session down. `beside`: where it goes if the state directory cannot have
 * it; then *why, zeroed, is set. -errno when there can be no log.
 */
int log_open(const struct log_options *options, const struct log_start *start, const struct tiers *tiers,
	     const char *beside, struct log **log, struct error *why, struct error *err);

/* While the task is stopped. */
void log_access(struct log *log, const struct access *access, pid_t pid, pid_t tid);
/* As struct trace_observer has it; borrowed until the next one. */
void log_stood(struct log *log, struct stack_moment *moment);
void log_process(struct log *log, const struct trace_process *process);
void log_notice(struct log *log, const char *kind, const char *text);

/* Also when the log is full: what was let in, and by whom, is always on record. */
void log_answer(struct log *log, const struct review_item *item, enum review_told told);

/* Whether log_flush() would do anything, or log_is_full() tell of it. */
bool log_has_work(const struct log *log, enum trace_due due);

/*
 * Has lines made of what came since, and written when they are many, or it is due. 0; -errno with err set, once, when
 * something could not be written: the log ends there.
 */
int log_flush(struct log *log, enum trace_due due, struct error *err);

/* Whether there is anything that was not written. */
bool log_keeps(const struct log *log);

/* Once, after the limit was reached. */
bool log_is_full(struct log *log);

/*
 * How often each access came; none may come after that. What was kept of them is given back, so that the profile that
 * is made next has room.
 */
void log_totals(struct log *log);

/* The end, and the totals before it unless they are there. -errno with err set when the log is not whole, for whatever
 * reason. */
int log_close(struct log *log, const struct log_end *end, struct error *err);

const char *log_name(const struct log *log);
const char *log_hash(const struct log *log); /* SHA-256 of what is in it, after log_close() */

void log_destroy(struct log *log);
