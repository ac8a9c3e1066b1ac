#include "tracer/log.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/memory.h"
#include "tracer/log_file.h"
#include "tracer/log_seen.h"
#include "tracer/stack_moment.h"
#include "tracer/stacks.h"

#define BLOCK	      8192  /* bytes that are not kept back */
#define ARGUMENTS_MAX 32768 /* bytes of a command line in an exec record */

/* An access that is not written yet. */
struct waiting {
	struct record_moment moment;
	const struct access *access; /* in `seen` */
	struct stack_moment *stood;  /* NULL without a stack; held */
};

struct log {
	struct log_options options;
	const struct tiers *tiers;
	bool no_arguments;
	struct log_file file;
	struct buffer line; /* of the record that is written now */
	struct log_seen *seen;
	struct log_counts counts;
	struct waiting *waiting; /* oldest first */
	size_t waiting_count, waiting_capacity;
	struct stacks *stacks;	    /* NULL without */
	struct stack_moment *stood; /* of what is told now; borrowed; NULL: where the task stops */
	bool full;		    /* the limit was reached */
	bool said_full;		    /* and told */
	bool said_lost;
	char hash[HASH_TEXT_SIZE];
};

/* Takes the record. */
static void add(struct log *log, struct json *record)
{
	buffer_clear(&log->line);
	json_write(record, false, &log->line);
	json_destroy(record);
	buffer_add_byte(&log->line, '\n');
	log_file_add(&log->file, log->line.data, log->line.length);
	if (log->file.pending.length > BLOCK)
		log_file_flush(&log->file);
}

/* What is left out once the log is full: all but its own end. */
static void add_limited(struct log *log, struct json *record)
{
	uint64_t length = log->file.length + log->file.pending.length;

	if (log->options.limit && length >= log->options.limit && !log->full) {
		log->full = true;
		add(log, record_notice("log", "--log-max was reached: what follows is not in this log"));
	}
	log->counts.dropped += log->full;
	if (log->full)
		json_destroy(record);
	else
		add(log, record);
}

static void write_one(struct log *log, struct waiting *waiting)
{
	scoped_stack stack = {0};

	if (waiting->stood && !log->full)
		stacks_tell(log->stacks, waiting->stood, &stack);
	add_limited(log, record_access(&waiting->moment, waiting->access, log->tiers, waiting->stood ? &stack : NULL));
	stack_moment_drop(waiting->stood);
}

/*
 * Records are made of accesses while the tasks run on (log_flush(), before the loop waits for them), so the program
 * waits for hardly more than the look at what was seen.
 */
static void write_waiting(struct log *log)
{
	for (size_t i = 0; i < log->waiting_count; i++)
		write_one(log, &log->waiting[i]);
	log->waiting_count = 0;
	if (log->full && log->seen)
		log_seen_forget(log->seen); /* no record will name them */
}

/* Behind the accesses that came before it. */
static void add_event(struct log *log, struct json *record)
{
	write_waiting(log);
	add_limited(log, record);
}

static int begin(struct log *log, const struct log_start *start, struct error *err)
{
	int result;

	add(log, record_start(start));
	result = log_file_flush(&log->file);
	if (result == 0)
		return 0;
	log_file_remove(&log->file);
	return error_set_errno(err, -result, "cannot write the log %s", log->file.name);
}

int log_open(const struct log_options *options, const struct log_start *start, const struct tiers *tiers,
	     const char *beside, struct log **log, struct error *why, struct error *err)
{
	int result;

	*log = NULL;
	if (options->off)
		return 0;
	*log = allocate(sizeof **log);
	**log = (struct log){.options = *options,
			     .tiers = tiers,
			     .no_arguments = start->no_arguments,
			     .file = LOG_FILE_NONE,
			     .seen = log_seen_create(),
			     .stacks = options->stacks ? stacks_create(options->stacks, options->stack_helper) : NULL};
	if (options->name)
		result = log_file_create(&(*log)->file, options->name, err);
	else
		result = log_file_create_fresh(&(*log)->file, start->arguments[0], beside, why, err);
	return result < 0 ? result : begin(*log, start, err);
}

void log_access(struct log *log, const struct access *access, pid_t pid, pid_t tid)
{
	const struct access *kept;
	struct waiting *waiting;
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
	waiting = ARRAY_APPEND(log->waiting, log->waiting_count, log->waiting_capacity);
	*waiting = (struct waiting){.moment = {.pid = pid, .tid = tid}, .access = kept};
	clock_gettime(CLOCK_REALTIME, &waiting->moment.time);
	if (log->stacks && first && !log->full)
		waiting->stood = log->stood ? stack_moment_hold(log->stood) : stack_moment_take(tid);
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
	if (!log)
		return;
	write_waiting(log);
	add(log, record_answer(item, told));
	log_file_flush(&log->file); /* log_close() tells if that failed */
}

bool log_keeps(const struct log *log)
{
	return log && log->file.pending.length;
}

int log_flush(struct log *log, bool due, struct error *err)
{
	int result;

	if (!log)
		return 0;
	write_waiting(log);
	if (due || log->file.pending.length > BLOCK)
		log_file_flush(&log->file);
	result = -log->file.error;
	if (result == 0 || log->said_lost)
		return 0;
	log->said_lost = true;
	return error_set_errno(err, -result, "%s", log->file.name);
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
		add_limited(data, record_count(access, count));
}

void log_totals(struct log *log)
{
	if (!log || !log->seen)
		return;
	write_waiting(log);
	if (log->full)
		log->counts.dropped += log_seen_repeated(log->seen);
	else
		log_seen_each(log->seen, add_total, log);
	log->counts.distinct = log_seen_distinct(log->seen);
	log_seen_destroy(log->seen);
	log->seen = NULL;
	stacks_destroy(log->stacks);
	log->stacks = NULL;
}

int log_close(struct log *log, const struct log_end *end, struct error *err)
{
	int result;

	if (!log)
		return 0;
	log_totals(log);
	add(log, record_end(end, &log->counts));
	result = log_file_close(&log->file, log->hash);
	if (result < 0)
		return error_set_errno(err, -result, "the audit log is not whole: %s", log->file.name);
	return 0;
}

const char *log_name(const struct log *log)
{
	return log ? log->file.name : NULL;
}

const char *log_hash(const struct log *log)
{
	return log ? log->hash : NULL;
}

void log_destroy(struct log *log)
{
	if (!log)
		return;
	log_seen_destroy(log->seen);
	stacks_destroy(log->stacks);
	for (size_t i = 0; i < log->waiting_count; i++)
		stack_moment_drop(log->waiting[i].stood);
	log_file_finish(&log->file);
	buffer_finish(&log->line);
	free(log->waiting);
	free(log);
}
