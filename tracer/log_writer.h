/*
 * Makes lines of what was told, and writes them: by itself, or beside the session by a thread of its own (worker.h).
 * What is in a batch that was handed to the thread must stay as it is, and is not to be asked about, until the writer
 * was waited for; the same goes for the table of tiers, which keeps what it found.
 */
#pragma once

#include "tracer/log_file.h"
#include "tracer/log_record.h"
#include "tracer/stack_moment.h"
#include "tracer/stacks.h"

/* What becomes a line. */
struct log_item {
	struct json *record; /* owned; NULL: to be made, of what follows */
	struct record_moment moment;
	const struct access *access;
	struct stack_moment *stood; /* NULL without a stack; held */
};

struct log_batch {
	struct log_item *items; /* oldest first */
	size_t count, capacity;
};

struct log_item *log_batch_add(struct log_batch *batch); /* a new one, zeroed; valid until the next */
void log_batch_finish(struct log_batch *batch);

struct log_writer {
	struct log_file file;
	const struct tiers *tiers;
	struct stacks *stacks; /* NULL without; the caller's */
	uint64_t limit;	       /* bytes, 0 for none */
	/* The thread's while it is at work. */
	bool full;	  /* the limit was reached: what came since was dropped */
	uint64_t dropped; /* so many lines */
	struct log_batch handed;
	struct record_clock clock;
	struct json *record; /* the one that is made */
	struct worker *worker;
};

/* Around a file that may not be there yet. The writer must stay where it is. */
void log_writer_init(struct log_writer *writer);
void log_writer_finish(struct log_writer *writer);

/* Empties the batch: its lines are added to the file, which is written where they are many. The writer must be idle. */
void log_writer_take(struct log_writer *writer, struct log_batch *batch);

/* The same by the thread, which writes all. The writer must be idle. false: there can be no thread; nothing was done.
 */
bool log_writer_hand(struct log_writer *writer, struct log_batch *batch);
bool log_writer_is_idle(const struct log_writer *writer);
void log_writer_wait(const struct log_writer *writer);

/* Adds one record, whatever the limit says, and the total of an access. The writer must be idle. */
void log_writer_add(struct log_writer *writer, const struct json *record);
void log_writer_add_count(struct log_writer *writer, const struct access *access, uint64_t count);
