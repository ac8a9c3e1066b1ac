#include "profile/evidence.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/escape.h"
#include "base/memory.h"
#include "base/uthash.h"

#define LOG_FORMAT 1

/* What runs now under a process id, and which accesses were there before. */
struct running {
	long long pid;
	size_t process;
	UT_hash_handle hh;
};

struct known_access {
	size_t access; /* in accesses */
	char *storage; /* of its strings */
	UT_hash_handle hh;
	char key[];
};

struct evidence_index {
	struct running *running;
	struct known_access *accesses;
};

void evidence_index_destroy(struct evidence_index *index)
{
	struct running *running, *next_running;
	struct known_access *known, *next;

	HASH_ITER (hh, index->running, running, next_running) {
		HASH_DEL(index->running, running);
		free(running);
	}
	HASH_ITER (hh, index->accesses, known, next) {
		HASH_DEL(index->accesses, known);
		free(known->storage);
		free(known);
	}
	free(index);
}

static struct running *find_running(const struct evidence_session *session, long long pid)
{
	struct running *running;

	HASH_FIND(hh, session->index->running, &pid, sizeof pid, running);
	return running;
}

static size_t process_of(const struct evidence_session *session, long long pid)
{
	const struct running *running = find_running(session, pid);

	return running ? running->process : EVIDENCE_NONE;
}

static void set_running(struct evidence_session *session, long long pid, size_t program, size_t parent)
{
	struct running *running = find_running(session, pid);

	if (!running) {
		running = allocate(sizeof *running);
		running->pid = pid;
		HASH_ADD(hh, session->index->running, pid, sizeof pid, running);
	}
	running->process = session->process_count;
	*ARRAY_APPEND(session->processes, session->process_count, session->process_capacity) =
		(struct evidence_process){.pid = pid, .program = program, .parent = parent};
}

const struct evidence_program *evidence_program_of(const struct evidence_session *session, size_t process)
{
	size_t program = process == EVIDENCE_NONE ? EVIDENCE_NONE : session->processes[process].program;

	return program == EVIDENCE_NONE ? NULL : &session->programs[program];
}

const struct needs *evidence_needs(struct evidence_session *session, struct evidence_access *access)
{
	if (!access->explained)
		needs_of_access(session->learner, &access->access, &access->needs);
	access->explained = true;
	return &access->needs;
}

static int number(const struct json_value *record, const char *key, long long *value, struct error *err)
{
	if (json_number(record, key, value))
		return 0;
	return error_set(err, EINVAL, "%s is not a number", key);
}

static int take_fork(struct evidence_session *session, const struct json_value *record, unsigned line,
		     struct error *err)
{
	long long pid, parent;
	size_t process;

	(void)line;
	if (number(record, "pid", &pid, err) < 0 || number(record, "parent", &parent, err) < 0)
		return -err->number;
	process = process_of(session, parent);
	set_running(session, pid, process == EVIDENCE_NONE ? EVIDENCE_NONE : session->processes[process].program,
		    process);
	return 0;
}

static char **read_arguments(const struct json_value *record, struct error *err)
{
	const struct json_value *list = json_list(record, "argv");
	char **arguments;

	if (!list)
		return NULL;
	arguments = allocate_array(json_count(list) + 1, sizeof *arguments);
	for (size_t i = 0; i < json_count(list); i++) {
		scoped_buffer bytes = {0};
		const char *text = json_text_at(list, i);

		if (!text)
			error_set(err, EINVAL, "argv is not a list of strings");
		else if (unescape_value(&bytes, text, NULL, NULL, err) < 0)
			error_context(err, "argv");
		if (err->number)
			return arguments;
		arguments[i] = buffer_steal(&bytes);
	}
	return arguments;
}

/*
 * What the exec itself opened is told before it, when the process was still known as what it ran before. They are the
 * last accesses of that process; a few of others may stand between.
 */
static void hand_over(struct evidence_session *session, long long pid, const char *file)
{
	enum { FAR_ENOUGH = 256 };
	size_t now = process_of(session, pid);

	for (size_t back = 1; file && back <= session->access_count && back <= FAR_ENOUGH; back++) {
		struct evidence_access *access = &session->accesses[session->access_count - back];

		if (access->pid != pid)
			continue;
		if (!access->access.image || strcmp(access->access.image, file) != 0)
			break;
		access->process = now;
	}
}

static int take_exec(struct evidence_session *session, const struct json_value *record, unsigned line,
		     struct error *err)
{
	struct evidence_program program = {.cut = json_flag(record, "arguments_left_out")};
	long long pid;
	size_t before;

	(void)line;
	if (number(record, "pid", &pid, err) < 0)
		return -err->number;
	program.file = evidence_bytes(record, "exe", err);
	program.arguments = read_arguments(record, err);
	*ARRAY_APPEND(session->programs, session->program_count, session->program_capacity) = program;
	if (err->number)
		return -err->number;
	before = process_of(session, pid);
	set_running(session, pid, session->program_count - 1,
		    before == EVIDENCE_NONE ? EVIDENCE_NONE : session->processes[before].parent);
	hand_over(session, pid, program.file);
	return 0;
}

static int read_frame(struct evidence_access *access, const struct json_value *item, struct error *err)
{
	struct evidence_frame *frame = &access->stack[access->frame_count];

	if (!item || !json_number(item, "offset", &frame->offset) || frame->offset < 0)
		return error_set(err, EINVAL, "stack is not a list of frames");
	access->frame_count++;
	frame->function = evidence_bytes(item, "function", err);
	if (!err->number)
		frame->module = evidence_bytes(item, "module", err);
	return -err->number;
}

static int read_stack(struct evidence_access *access, const struct json_value *record, struct error *err)
{
	const struct json_value *list = json_list(record, "stack");

	if (!list)
		return 0;
	access->stack = allocate_array(json_count(list) + 1, sizeof *access->stack);
	for (size_t i = 0; i < json_count(list); i++)
		if (read_frame(access, json_object_at(list, i), err) < 0)
			return -err->number;
	return 0;
}

/* The one that this record tells of; a new one without a count when it was not there before. */
static int find_access(struct evidence_session *session, const struct json_value *record, size_t *found,
		       struct error *err)
{
	scoped_buffer text = {0};
	scoped_free char *flags = evidence_flags(record);
	scoped_free char *storage = NULL;
	struct known_access *known;
	struct access access;

	if (evidence_access_text(record, &text, err) < 0 || evidence_access_read(text.data, &access, &storage, err) < 0)
		return -err->number;
	buffer_format(&text, " %s", flags ? flags : "");
	HASH_FIND(hh, session->index->accesses, text.data, text.length, known);
	if (!known) {
		known = allocate(sizeof *known + text.length + 1);
		memcpy(known->key, text.data, text.length);
		known->access = session->access_count;
		known->storage = steal_pointer(&storage);
		HASH_ADD_KEYPTR(hh, session->index->accesses, known->key, text.length, known);
		*ARRAY_APPEND(session->accesses, session->access_count, session->access_capacity) =
			(struct evidence_access){
				.access = access, .flags = steal_pointer(&flags), .process = EVIDENCE_NONE};
		learner_add(session->learner, &access);
	}
	*found = known->access;
	return 0;
}

static int take_access(struct evidence_session *session, const struct json_value *record, unsigned line,
		       struct error *err)
{
	struct evidence_access *access;
	long long pid;
	size_t found;

	if (number(record, "pid", &pid, err) < 0 || find_access(session, record, &found, err) < 0)
		return -err->number;
	access = &session->accesses[found];
	if (access->count++)
		return 0;
	access->time = duplicate(json_text(record, "time"));
	access->pid = pid;
	access->process = process_of(session, pid);
	access->line = line;
	return read_stack(access, record, err);
}

static int take_count(struct evidence_session *session, const struct json_value *record, unsigned line,
		      struct error *err)
{
	struct evidence_access *access;
	long long count;
	size_t found;

	if (number(record, "count", &count, err) < 0 || find_access(session, record, &found, err) < 0)
		return -err->number;
	if (count < 1)
		return error_set(err, EINVAL, "count is %lld, below 1", count);
	access = &session->accesses[found];
	if (access->count < (uint64_t)count)
		access->count = (uint64_t)count;
	if (!access->line)
		access->line = line;
	return 0;
}

static int start_session(struct evidence *evidence, const struct json_value *record, struct error *err)
{
	struct evidence_session *session;
	struct learn_options options = {.with_absent = json_flag(record, "with_absent")};
	long long format;

	if (number(record, "format", &format, err) < 0)
		return -err->number;
	if (format != LOG_FORMAT)
		return error_set(err, EINVAL, "format %lld; this release reads format %d", format, LOG_FORMAT);
	session = allocate(sizeof *session);
	*ARRAY_APPEND(evidence->sessions, evidence->session_count, evidence->session_capacity) = session;
	session->log = evidence->logs[evidence->log_count - 1].name;
	session->index = allocate(sizeof *session->index);
	session->start = duplicate(json_text(record, "time"));
	session->tty = evidence_bytes(record, "tty", err);
	options.tty = session->tty;
	session->learner = learner_create(&options);
	return -err->number;
}

static void end_session(struct evidence_session *session, const struct json_value *record)
{
	long long dropped = 0;
	const struct json_value *counts = json_child(record, "counts");

	session->ended = true;
	session->dropped = counts && json_number(counts, "dropped", &dropped) && dropped > 0;
}

static int take_session(struct evidence *evidence, struct evidence_session *session, const struct json_value *record,
			struct error *err)
{
	const char *state = json_text(record, "state");

	if (state && strcmp(state, "start") == 0)
		return start_session(evidence, record, err);
	if (!session || !state || strcmp(state, "end") != 0)
		return error_set(err, EINVAL, "not a session's start or end");
	end_session(session, record);
	return 0;
}

typedef int take_fn(struct evidence_session *session, const struct json_value *record, unsigned line,
		    struct error *err);

int evidence_take(struct evidence *evidence, const struct json_value *record, unsigned line, struct error *err)
{
	static const struct {
		const char *event;
		take_fn *take;
	} events[] = {
		{"access", take_access}, {"network", take_access}, {"count", take_count},
		{"fork", take_fork},	 {"exec", take_exec},
	};
	const char *event = json_text(record, "event");
	struct evidence_session *session =
		evidence->session_count ? evidence->sessions[evidence->session_count - 1] : NULL;

	if (session && session->log != evidence->logs[evidence->log_count - 1].name)
		session = NULL;
	if (!event)
		return error_set(err, EINVAL, "not a record of an audit log: it has no event");
	if (strcmp(event, "session") == 0)
		return take_session(evidence, session, record, err);
	if (!session)
		return error_set(err, EINVAL, "a session's start is missing before it");
	for (size_t i = 0; i < ARRAY_LENGTH(events); i++)
		if (strcmp(events[i].event, event) == 0)
			return events[i].take(session, record, line, err);
	return 0;
}
