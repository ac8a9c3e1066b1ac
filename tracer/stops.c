/*
 * "Next event, dispatch": at most one question to the kernel for each stop. ESRCH from ptrace is normal everywhere:
 * SIGKILL and another thread's exec take a task out of a stop at any time.
 */
#include "tracer/stops.h"

#include <errno.h>
#include <signal.h>
#include <sys/ptrace.h>

#include "tracer/colocate.h"
#include "tracer/ending.h"
#include "tracer/followed.h"
#include "tracer/jobs.h"
#include "tracer/obstacle.h"
#include "tracer/process.h"
#include "tracer/rewrite.h"
#include "tracer/start.h"

/*
 * A leader can lose its id to another of its threads that executes a program, while we look at it in a stop. The kernel
 * (5.13, as Landlock) answers ESRCH until the exec was waited for, so the new task is never resumed for the old one.
 */
static void resume(const struct session *session, const struct task *task, int signal)
{
	ptrace(task->in_call || session->every_call ? PTRACE_SYSCALL : PTRACE_CONT, task->tid, NULL, signal);
}

static void say_rewrite_failed(const struct session *session)
{
	session->observer->incomplete(session->observer->data,
				      "a call with a filter or flag of the program's own could not be left as it was");
}

/* A call of the table: what it does is not undone by where the task runs. */
static void enter(struct session *session, struct task *task, const struct event *event)
{
	task->number = event->number;
	task->in_call = decoder_entry(session->decoder, task, event);
	if (session->colocation.on && decoder_shows_processors(session->decoder))
		colocate_end(session);
	colocate_stop(session, task);
}

/* It must not pass. Should that ever fail, the program is ended rather. */
static bool refuse(struct session *session, struct task *task, const struct event *event)
{
	int result;

	task->refused = decoder_refuses(session->decoder, task, event);
	if (!task->refused)
		return false;
	task->number = event->number;
	task->in_call = true;
	result = rewrite_skip(event);
	if (result < 0 && result != -ESRCH) {
		kill(task->pid, SIGKILL);
		session->observer->incomplete(
			session->observer->data,
			"a process was ended, since a call that no profile allows could not be refused");
	}
	colocate_stop(session, task);
	return true;
}

static void on_entry(struct session *session, struct task *task, const struct event *event)
{
	int result = 0;

	if (!session->heard) {
		start_hear(session, event);
	} else if (refuse(session, task, event)) {
		result = 0; /* what is to be said was said */
	} else if (event->mark == FILTER_MARK) {
		enter(session, task, event);
	} else if (event->mark == FILTER_MARK_CLONE) {
		result = rewrite_clone(event);
		enter(session, task, event);
	} else if (event->mark == FILTER_MARK_ASK) {
		colocate_give_back(session);
	} else if (event->mark == FILTER_MARK_SET) {
		colocate_end(session);
	} else {
		result = rewrite_skip(event);
	}
	if (result < 0 && result != -ESRCH)
		say_rewrite_failed(session);
	resume(session, task, 0);
}

/* Where every call stops. */
static void on_call(struct session *session, struct task *task, const struct event *event)
{
	int result = 0;

	task->in_call = false;
	if (session->every_call && !session->heard) {
		start_hear(session, event);
	} else if (session->every_call) {
		if (decoder_call_clones(session->decoder, event))
			result = rewrite_clone(event);
		task->number = event->number;
		task->in_call = decoder_call(session->decoder, task, event);
	}
	if (result < 0 && result != -ESRCH)
		say_rewrite_failed(session);
	resume(session, task, 0);
}

static void on_signal(struct session *session, struct task *task, int signal)
{
	if (start_is_ready(session, signal))
		signal = 0;
	else
		signal = jobs_deliver(session, task, signal);
	process_signalled(session, task, signal);
	if (signal == SIGCHLD)
		colocate_child_ended(session, task);
	resume(session, task, signal);
}

/* The call was skipped, and what it came to is ours to say. */
static void fail(const struct session *session, struct task *task, struct event *event)
{
	int result = rewrite_result(event, task->refused);

	if (result < 0 && result != -ESRCH)
		say_rewrite_failed(session);
	event->result = -task->refused;
	event->failed = true;
	task->refused = 0;
}

static void on_exit_stop(struct session *session, struct task *task, struct event *event)
{
	if (task->in_call) {
		task->in_call = false;
		if (task->refused)
			fail(session, task, event);
		event->number = task->number;
		decoder_exit(session->decoder, task, event);
		if (session->colocation.on && decoder_shows_processors(session->decoder))
			colocate_end(session);
		colocate_stop(session, task);
	}
	resume(session, task, 0);
}

/* A new process may get as far as an exec before its maker comes to the event that tells of it. */
static void say_made(const struct session *session, struct task *task)
{
	const struct task *maker = task_find(&session->tasks, task->maker);

	if (maker)
		process_forked(session, maker, task);
}

static void on_exec(struct session *session, struct task *task, const struct event *event)
{
	task = followed_take_over(session, task, event->other);
	say_made(session, task);
	task->started = task->has_exec = true;
	task->listening = false;
	if (!session->executed)
		start_executed(session);
	decoder_exec(session->decoder, task);
	task->in_call = false; /* all is known: its exit need not stop */
	process_executed(session, task);
	resume(session, task, 0);
}

/* The new task may have reported before, and even have ended: then it must not come to life again. */
static void on_clone(struct session *session, struct task *task, const struct event *event)
{
	struct task *made = task_find(&session->tasks, event->other);

	if (made)
		task_take_image(made, task);
	else
		made = followed_add_made(session, event->other, task);
	colocate_made(session, task, made);
	if (made)
		process_forked(session, task, made);
	resume(session, task, 0);
}

static void on_group_stop(struct session *session, struct task *task, const struct event *event)
{
	task->started = task->listening = true;
	colocate_birth(session, task, NULL);
	ptrace(PTRACE_LISTEN, task->tid, NULL, 0);
	if (task->pid == session->program)
		jobs_program_stopped(session, event->signal);
}

static void on_continued(struct session *session, struct task *task)
{
	if (task->listening && task->pid == session->program)
		jobs_program_continued(session);
	colocate_birth(session, task, NULL);
	task->started = true;
	task->listening = false;
	resume(session, task, 0);
}

static void on_ended(struct session *session, struct task *task, const struct event *event)
{
	bool is_program = task->tid == session->program;

	process_ended(session, task, event->status);
	followed_forget(session, task);
	if (!is_program)
		return;
	session->ended = true;
	session->result->status = event->status;
	session->result->executed = session->executed;
	jobs_program_continued(session);
	ending_program_ended(session);
	if (!session->executed)
		start_failed(session, session->err);
}

static void dispatch(struct session *session, struct task *task, struct event *event)
{
	switch (event->kind) {
	case EVENT_SYSCALL_ENTRY:
		on_entry(session, task, event);
		break;
	case EVENT_SYSCALL_EXIT:
		on_exit_stop(session, task, event);
		break;
	case EVENT_CALL:
		on_call(session, task, event);
		break;
	case EVENT_EXEC:
		on_exec(session, task, event);
		break;
	case EVENT_CLONE:
		on_clone(session, task, event);
		break;
	case EVENT_SIGNAL:
		on_signal(session, task, event->signal);
		break;
	case EVENT_GROUP_STOP:
		on_group_stop(session, task, event);
		break;
	case EVENT_STARTED:
	case EVENT_CONTINUED:
		on_continued(session, task);
		break;
	case EVENT_ENDED:
		on_ended(session, task, event);
		break;
	case EVENT_GONE:
		break;
	case EVENT_EXITING:
	case EVENT_UNKNOWN:
		resume(session, task, 0);
		break;
	}
}

void stops_handle(struct session *session, struct task *task)
{
	struct event event;
	pid_t tid = task->tid;
	int result;

	decoder_tell_expected(session->decoder);
	result = event_read(tid, task->status, task->started, &event);
	if (result == 0)
		dispatch(session, task, &event);
	else if (result != -ESRCH)
		obstacle_unanswered(-result, session->err);
	colocate_handled(session, tid);
}
