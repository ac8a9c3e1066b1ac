#include "tracer/log.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/memory.h"
#include "tracer/log_seen.h"
#include "tracer/log_writer.h"
#include "tracer/stack_moment.h"
#include "tracer/stacks.h"

#define MANY	      128   /* lines that are worth waking a thread for */
#define MOST	      4096  /* that wait for it */
#define ARGUMENTS_MAX 32768 /* bytes of a command line in an exec record */

struct log {
	struct log_options options;
	bool no_arguments;
	struct log_writer writer;
	struct log_batch waiting; /* what the writer has not yet */
	bool keeps;		  /* something may not be in the file yet */
	bool late;		  /* the writer was still at work when it was last due */
	struct log_seen *seen;	  /* NULL once the totals are told */
	struct log_counts counts;
	struct stacks *stacks;	    /* NULL without */
	struct stack_moment *stood; /* of what is told now; borrowed; NULL: where the task stops */
	bool full;		    /* as the writer had it when it was waited for */
	bool said_full;		    /* and told */
	bool said_lost;
	char hash[HASH_TEXT_SIZE];
};

/* Behind what came before it. */
static struct log_item *add(struct log *log)
{
	log->keeps = true;
	return log_batch_add(&log->waiting);
}

static void add_event(struct log *log, struct json *record)
{
	add(log)->record = record;
}

/* All that was told is in the writer's hands then, and nobody is at work. */
static void settle(struct log *log)
{
	log_writer_wait(&log->writer);
	log_writer_take(&log->writer, &log->waiting);
	log->full = log->writer.full;
	if (log->full && log->seen)
		log_seen_forget(log->seen); /* no record will name them */
}

/*
 * Records are made while the tasks run on (log_flush(), before the loop waits for them), and where they are many by a
 * thread, so the program waits for hardly more than the look at what was seen.
 */
static void hand_over(struct log *log)
{
	if (log->waiting.count >= MOST)
		log_writer_wait(&log->writer);
	else if (!log_writer_is_idle(&log->writer))
		return;
	if (!log_writer_hand(&log->writer, &log->waiting))
		log_writer_take(&log->writer, &log->waiting);
}

static int begin(struct log *log, const struct log_start *start, struct error *err)
{
	scoped_json record = record_start(start);
	struct log_file *file = &log->writer.file;
	int result;

	log_writer_add(&log->writer, record);
	result = log_file_flush(file);
	if (result == 0)
		return 0;
	log_file_remove(file);
	return error_set_errno(err, -result, "cannot write the log %s", file->name);
}

static struct log *create(const struct log_options *options, const struct log_start *start, const struct tiers *tiers)
{
	struct log *log = allocate(sizeof *log);

	*log = (struct log){.options = *options,
			    .no_arguments = start->no_arguments,
			    .writer = {.file = LOG_FILE_NONE, .tiers = tiers, .limit = options->limit},
			    .seen = log_seen_create()};
	if (options->stacks)
		log->stacks = log->writer.stacks = stacks_create(options->stacks, options->stack_helper);
	log_writer_init(&log->writer);
	return log;
}

int log_open(const struct log_options *options, const struct log_start *start, const struct tiers *tiers,
	     const char *beside, struct log **log, struct error *why, struct error *err)
{
	struct log_file *file;
	int result;

	*log = NULL;
	if (options->off)
		return 0;
	*log = create(options, start, tiers);
	file = &(*log)->writer.file;
	if (options->name)
		result = log_file_create(file, options->name, err);
	else
		result = log_file_create_fresh(file, start->arguments[0], beside, why, err);
	return result < 0 ? result : begin(*log, start, err);
}

void log_access(struct log *log, const struct access *access, pid_t pid, pid_t tid)
{
	const struct access *kept;
	struct log_item *item;
	bool first;

	if (!log)
		return;
	log->counts.accesses++;
	kept = log_seen_add(log->seen, access, &first);
	if (!first && !log->options.all)
		return;
	if (!kept) {
		log->counts.dropped++;
		return;
	}
	item = add(log);
	item->moment = (struct record_moment){.pid = pid, .tid = tid};
	item->access = kept;
	clock_gettime(CLOCK_REALTIME, &item->moment.time);
	if (log->stacks && first && !log->full)
		item->stood = log->stood ? stack_moment_hold(log->stood) : stack_moment_take(tid);
}

void log_stood(struct log *log, struct stack_moment *moment)
{
	if (log)
		log->stood = moment;
}

/* The command line of a process, NUL behind each argument; the last one may be cut. */
static char *read_arguments(pid_t pid, size_t *length)
{
	char *text = allocate(ARGUMENTS_MAX + 1);
	char name[64];
	scoped_fd fd = -1;
	ssize_t got;

	snprintf(name, sizeof name, "/proc/%d/cmdline", (int)pid);
	fd = open(name, O_RDONLY | O_CLOEXEC);
	*length = 0;
	while (fd >= 0 && (got = read(fd, text + *length, ARGUMENTS_MAX - *length)) > 0)
		*length += (size_t)got;
	return text;
}

/* Points into the text; ends with NULL. At most `limit` of them. */
static char **split(char *text, size_t length, size_t limit)
{
	char **arguments = allocate_array(length + 1, sizeof *arguments);
	size_t count = 0;

	for (char *at = text; at < text + length && count < limit; at += strlen(at) + 1)
		arguments[count++] = at;
	return arguments;
}

static void log_exec(struct log *log, const struct trace_process *process)
{
	size_t length;
	scoped_free char *text = read_arguments(process->tid, &length);
	scoped_free char **arguments = split(text, length, log->no_arguments ? 1 : SIZE_MAX);
	bool cut = length == ARGUMENTS_MAX || log->no_arguments;

	add_event(log, record_process(process, length ? arguments : NULL, cut));
}

void log_process(struct log *log, const struct trace_process *process)
{
	if (!log)
		return;
	log->counts.processes += process->step == PROCESS_ENDED;
	if (process->step == PROCESS_EXECUTED)
		log_exec(log, process);
	else
		add_event(log, record_process(process, NULL, false));
}

void log_notice(struct log *log, const char *kind, const char *text)
{
	if (!log)
		return;
	log->counts.notices++;
	add_event(log, record_notice(kind, text));
}

void log_answer(struct log *log, const struct review_item *item, enum review_told told)
{
	scoped_json record = NULL;

	if (!log)
		return;
	settle(log);
	record = record_answer(item, told);
	log_writer_add(&log->writer, record);
	log_file_flush(&log->writer.file); /* log_close() tells if that failed */
}

bool log_keeps(const struct log *log)
{
	return log && log->keeps;
}

/* Says a failure to write once. */
static int tell_lost(struct log *log, struct error *err)
{
	const struct log_file *file = &log->writer.file;

	if (!file->error || log->said_lost)
		return 0;
	log->said_lost = true;
	return error_set_errno(err, file->error, "%s", file->name);
}

/* A writer that is still at work when it is due may go on until the next time: the processors may have others to run.
 */
static bool may_go_on(struct log *log, enum trace_due due)
{
	log->late = due == TRACE_DUE_SOON && !log->late && !log_writer_is_idle(&log->writer);
	return log->late;
}

bool log_has_work(const struct log *log, enum trace_due due)
{
	return log && (due || log->waiting.count >= (log->stacks ? 1 : MANY) || (log->full && !log->said_full));
}

/* What stacks are told from is nothing for a thread. */
int log_flush(struct log *log, enum trace_due due, struct error *err)
{
	if (!log || (due && may_go_on(log, due)))
		return 0;
	if (due || log->stacks) {
		settle(log);
		if (due) {
			log_file_flush(&log->writer.file);
			log->keeps = false;
		}
		return tell_lost(log, err);
	}
	if (log->waiting.count >= MANY)
		hand_over(log);
	return 0;
}

bool log_is_full(struct log *log)
{
	if (!log || !log->full || log->said_full)
		return false;
	log->said_full = true;
	return true;
}

/* What came once is told by its own record. */
static void add_total(void *data, const struct access *access, uint64_t count)
{
	if (count > 1)
		log_writer_add_count(data, access, count);
}

void log_totals(struct log *log)
{
	if (!log || !log->seen)
		return;
	settle(log);
	if (log->full)
		log->counts.dropped += log_seen_repeated(log->seen);
	else
		log_seen_each(log->seen, add_total, &log->writer);
	log->counts.distinct = log_seen_distinct(log->seen);
	log_seen_destroy(log->seen);
	log->seen = NULL;
	stacks_destroy(log->stacks);
	log->stacks = NULL;
}

int log_close(struct log *log, const struct log_end *end, struct error *err)
{
	scoped_json record = NULL;
	int result;

	if (!log)
		return 0;
	log_totals(log);
	settle(log);
	log->counts.dropped += log->writer.dropped;
	record = record_end(end, &log->counts);
	log_writer_add(&log->writer, record);
	result = log_file_close(&log->writer.file, log->hash);
	if (result < 0)
		return error_set_errno(err, -result, "the audit log is not whole: %s", log->writer.file.name);
	return 0;
}

const char *log_name(const struct log *log)
{
	return log ? log->writer.file.name : NULL;
}

const char *log_hash(const struct log *log)
{
	return log ? log->hash : NULL;
}

void log_destroy(struct log *log)
{
	if (!log)
		return;
	log_batch_finish(&log->waiting);
	log_writer_finish(&log->writer);
	log_seen_destroy(log->seen);
	stacks_destroy(log->stacks);
	free(log);
}
