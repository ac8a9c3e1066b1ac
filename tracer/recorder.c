#include "tracer/recorder.h"

#include <stdlib.h>

#include "base/cleanup.h"
#include "base/memory.h"
#include "base/message.h"
#include "profile/landlock_abi.h"

/* Not before it is known that it can be traced: what fails until then stands alone. */
static void say_first(void *data)
{
	const struct recorder *recorder = data;

	if (recorder->base)
		message_notice("Files are not restricted while learning; the rest is limited as in %s.",
			       recorder->base);
	else
		message_notice("Files are not restricted while learning.");
	if (recorder->begun)
		message_notice("%s: there is no profile of that name yet, so -m begins a new one", recorder->begun);
	if (recorder->portable)
		message_notice("%s names its paths by variables, and so is what is added named, as with --portable",
			       recorder->portable);
	if (recorder->abi < 0)
		message_notice("learning without a Landlock domain: %s", landlock_absence(recorder->abi));
}

static void take_access(void *data, const struct access *access, pid_t pid, pid_t tid)
{
	const struct recorder *recorder = data;

	learner_add(recorder->learner, access);
	log_access(recorder->log, access, pid, tid);
}

static void take_stood(void *data, struct stack_moment *moment)
{
	const struct recorder *recorder = data;

	log_stood(recorder->log, moment);
}

static bool tell_made(void *data, const struct access *access)
{
	const struct recorder *recorder = data;

	return learner_has_made(recorder->learner, access);
}

static void take_process(void *data, const struct trace_process *process)
{
	const struct recorder *recorder = data;

	log_process(recorder->log, process);
}

static void take_notice(void *data, const char *text)
{
	struct recorder *recorder = data;

	*ARRAY_APPEND(recorder->notices, recorder->count, recorder->capacity) = duplicate(text);
	log_notice(recorder->log, "notice", text);
}

static void take_incomplete(void *data, const char *reason)
{
	recorder_incomplete(data, reason);
}

/* A log that is lost is said at once: there may be no later. */
static void flush(const struct recorder *recorder, enum trace_due due)
{
	scoped_error err = {0};

	if (log_flush(recorder->log, due, &err) < 0)
		message_warning("the audit log ends here, the program goes on: %s", err.message);
	if (log_is_full(recorder->log)) {
		message_warning("the audit log has reached --log-max, the program goes on");
		learner_add_incomplete(recorder->learner, "the audit log reached --log-max");
	}
}

/* Asked at each stop. */
static bool take_idle(void *data, enum trace_due due)
{
	const struct recorder *recorder = data;

	if (log_has_work(recorder->log, due))
		flush(recorder, due);
	return log_keeps(recorder->log);
}

struct trace_observer recorder_observer(struct recorder *recorder)
{
	return (struct trace_observer){.access = take_access,
				       .notice = take_notice,
				       .incomplete = take_incomplete,
				       .data = recorder,
				       .begin = say_first,
				       .process = recorder->log ? take_process : NULL,
				       .idle = take_idle,
				       .stood = take_stood,
				       .has_made = recorder->log || recorder->base ? NULL : tell_made};
}

void recorder_incomplete(struct recorder *recorder, const char *reason)
{
	learner_add_incomplete(recorder->learner, reason);
	log_notice(recorder->log, "incomplete", reason);
}

void recorder_flush(struct recorder *recorder)
{
	take_idle(recorder, TRACE_DUE_NOW);
}

void recorder_say(struct recorder *recorder)
{
	for (size_t i = 0; i < recorder->count; i++) {
		message_notice("%s", recorder->notices[i]);
		free(recorder->notices[i]);
	}
	recorder->count = 0;
}

void recorder_finish(struct recorder *recorder)
{
	for (size_t i = 0; i < recorder->count; i++)
		free(recorder->notices[i]);
	free(recorder->notices);
	*recorder = (struct recorder){0};
}
