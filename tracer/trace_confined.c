#include "tracer/trace_confined.h"

#include <stdlib.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/message.h"
#include "tracer/log.h"
#include "tracer/trace.h"

struct confined {
	const struct traced_program *program;
	struct log *log; /* NULL without */
};

static void take_access(void *data, const struct access *access, pid_t pid, pid_t tid)
{
	const struct confined *confined = data;

	confined->program->access(confined->program->observer, access, pid, tid);
	log_access(confined->log, access, pid, tid);
}

static void take_process(void *data, const struct trace_process *process)
{
	const struct confined *confined = data;

	log_process(confined->log, process);
}

static void take_notice(void *data, const char *text)
{
	const struct confined *confined = data;

	confined->program->notice(confined->program->observer, text);
	log_notice(confined->log, "notice", text);
}

static void take_incomplete(void *data, const char *reason)
{
	const struct confined *confined = data;

	confined->program->incomplete(confined->program->observer, reason);
	log_notice(confined->log, "notice", reason);
}

static void take_no_core(void *data, const char *image, const char *directory)
{
	const struct confined *confined = data;

	confined->program->no_core(confined->program->observer, image, directory);
}

/* A log that is lost is said at once: there may be no later. */
static bool take_idle(void *data, enum trace_due due)
{
	const struct confined *confined = data;
	scoped_error err = {0};

	if (log_flush(confined->log, due, &err) < 0)
		message_warning("the audit log ends here, the program goes on: %s", err.message);
	return log_keeps(confined->log);
}

static int open_log(struct confined *confined, struct error *err)
{
	const struct traced_log *wanted = confined->program->log;
	const struct log_options options = {.name = wanted->name};
	const struct learn_options learn = {.tty = wanted->tty};
	scoped_free char *directory = getcwd(NULL, 0);
	const struct log_start start = {
		.arguments = wanted->arguments,
		.program = wanted->program,
		.directory = directory,
		.tiers = tiers_hash(wanted->tiers),
		.calls = TRACE_CALLS_ENFORCED,
		.learn = &learn,
		.abi = wanted->abi,
	};

	return log_open(&options, &start, wanted->tiers, NULL, &confined->log, NULL, err);
}

/* What could not be traced is the first failure; else a log that is not whole is one. */
static int close_log(const struct confined *confined, const struct trace_result *result, int status, struct error *err)
{
	const struct traced_log *wanted = confined->program->log;
	scoped_free char *name = realpath(wanted->profile_name, NULL);
	const struct log_end end = {
		.result = status < 0 ? NULL : result,
		.failure = err->message,
		.profile = status < 0 ? NULL : wanted->profile,
		.profile_name = name,
		.profile_hash = wanted->profile_hash,
		.outcome = confined->program->confined ? "enforced" : "traced",
	};
	scoped_error lost = {0};

	if (log_close(confined->log, &end, status < 0 ? &lost : err) < 0)
		return status < 0 ? status : -err->number;
	message_notice("the log is %s (SHA-256 %s)", log_name(confined->log), log_hash(confined->log));
	return status;
}

int trace_confined(const struct traced_program *program, struct traced_end *end, struct error *err)
{
	const struct trace_options options = {
		.timeout = program->timeout, .confined = program->confined, .every_call = true};
	const struct trace_program traced = {
		.prepare = program->prepare, .execute = program->execute, .make = program->make, .data = program->data};
	struct confined confined = {.program = program};
	const struct trace_observer observer = {.access = take_access,
						.notice = take_notice,
						.incomplete = take_incomplete,
						.no_core = take_no_core,
						.process = program->log ? take_process : NULL,
						.idle = take_idle,
						.data = &confined};
	struct trace_result result = {0};
	int status;

	if (program->log && open_log(&confined, err) < 0) {
		log_destroy(confined.log);
		return -err->number;
	}
	status = trace_session(&options, &traced, &observer, &result, err);
	if (confined.log)
		status = close_log(&confined, &result, status, err);
	log_destroy(confined.log);
	*end = (struct traced_end){.status = result.interrupted ? result.interrupted : result.status,
				   .timed_out = result.timed_out,
				   .exec_error = result.exec_error,
				   .exec_message = result.exec_message};
	return status;
}
