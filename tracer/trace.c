/*
 * The loop: wait, then "next event, dispatch". One wait and at most one question to the kernel for each stop. ESRCH
 * from ptrace is normal everywhere: SIGKILL and another thread's exec take a task out of a stop at any time.
 */
#include "tracer/trace.h"

#include <errno.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tracer/colocate.h"
#include "tracer/ending.h"
#include "tracer/inherited.h"
#include "tracer/jobs.h"
#include "tracer/listener.h"
#include "tracer/obstacle.h"
#include "tracer/process.h"
#include "tracer/rewrite.h"
#include "tracer/session.h"
#include "tracer/signals.h"
#include "tracer/start.h"

#define REPEATS 8 /* stops of one task before others are looked for */

static void forget(struct session *session, struct task *task)
{
	decoder_forget(session->decoder, task);
	colocate_forget(session, task);
	task_remove(&session->tasks, task);
}

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

static void on_entry(struct session *session, struct task *task, const struct event *event)
{
	int result = 0;

	if (!session->heard) {
		start_hear(session, event);
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
	resume(session, task, signal);
}

static void on_exit_stop(struct session *session, struct task *task, struct event *event)
{
	if (task->in_call) {
		task->in_call = false;
		event->number = task->number;
		decoder_exit(session->decoder, task, event);
		if (session->colocation.on && decoder_shows_processors(session->decoder))
			colocate_end(session);
		colocate_stop(session, task);
	}
	resume(session, task, 0);
}

/* The caller has the leader's id from now on; leader and other threads are gone, the leader without a status. */
static struct task *take_over(struct session *session, struct task *task, pid_t former_tid)
{
	struct task *former = task_find(&session->tasks, former_tid);
	struct task *other;

	if (former && former != task) {
		pid_t tid = task->tid;

		forget(session, task);
		task_rename(&session->tasks, former, tid);
		task = former;
	}
	while (session->tasks.thread_count && (other = task_sibling(&session->tasks, task)))
		forget(session, other);
	return task;
}

static void on_exec(struct session *session, struct task *task, const struct event *event)
{
	task = take_over(session, task, event->other);
	task->started = task->has_exec = true;
	task->listening = false;
	if (!session->executed)
		start_executed(session);
	decoder_exec(session->decoder, task);
	process_executed(session, task);
	resume(session, task, 0);
}

static struct task *add_task(struct session *session, pid_t tid, const struct task *parent)
{
	struct task *task = task_add(&session->tasks, tid, parent);

	ending_new_task(session, task);
	return task;
}

static bool exists(pid_t tid)
{
	return kill(tid, 0) == 0 || errno == EPERM;
}

/* The new task may have reported before, and even have ended: then it must not come to life again. */
static void on_clone(struct session *session, struct task *task, const struct event *event)
{
	struct task *made = task_find(&session->tasks, event->other);

	if (made)
		task_take_image(made, task);
	else if (exists(event->other))
		made = add_task(session, event->other, task);
	colocate_give_back(session); /* two run now */
	if (made) {
		colocate_birth(session, made, task);
		process_forked(session, task, made);
	}
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
	forget(session, task);
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

static void handle(struct session *session, struct task *task)
{
	struct event event;
	pid_t tid = task->tid;
	int result = event_read(tid, task->status, task->started, &event);

	if (result == 0)
		dispatch(session, task, &event);
	else if (result != -ESRCH)
		obstacle_unanswered(-result, session->err);
	colocate_handled(session, tid);
}

/* A status of a task that is not followed: a new one, unless it has ended (or is a child we had before). */
static void note(struct session *session, pid_t tid, int status)
{
	struct task *task = task_find(&session->tasks, tid);

	if (!task && WIFSTOPPED(status))
		task = add_task(session, tid, NULL);
	if (task)
		task_queue(&session->tasks, task, status);
}

static void note_all(struct session *session)
{
	int status;
	pid_t tid;

	while ((tid = wait4(-1, &status, __WALL | WNOHANG, NULL)) > 0)
		note(session, tid, status);
}

static void forget_all(struct session *session)
{
	while (session->tasks.tasks)
		forget(session, session->tasks.tasks);
}

/*
 * wait4() looks at its children in a fixed order, so two busy tasks could keep a third one from ever being seen. One
 * alone cannot, while the rest sleeps, and mostly that is so: then what others there are is asked only now and then.
 */
static bool may_hide_others(struct session *session, pid_t tid)
{
	session->repeats = tid == session->waited ? session->repeats + 1 : 0;
	session->waited = tid;
	return task_count(&session->tasks) > 1 && session->repeats % REPEATS == 0;
}

/* Fills the queue; where one task may hide others, with all that is ready. */
static void wait_for_tasks(struct session *session)
{
	int status;
	pid_t tid = wait4(-1, &status, __WALL | (session->jobs.stop_signal ? WNOHANG : 0), NULL);

	if (tid > 0) {
		note(session, tid, status);
		if (may_hide_others(session, tid))
			note_all(session);
	} else if (tid == 0) {
		colocate_give_back(session);
		if (session->kept)
			session->observer->idle(session->observer->data, true);
		jobs_stop(session);
	} else if (errno == ECHILD) {
		if (!session->ended)
			error_set(session->err, ECHILD, "the program's end was not reported");
		forget_all(session);
	} else if (errno != EINTR) {
		error_set_errno(session->err, errno, "waiting for the program");
	}
}

/* A task may be left that has not been heard of: its maker was killed before the event that names it. */
static bool is_over(struct session *session)
{
	int status;
	pid_t tid;

	if (session->ending.phase == PHASE_GIVEN_UP)
		return true;
	while (!task_count(&session->tasks) && (tid = wait4(-1, &status, __WALL | WNOHANG, NULL)) != 0) {
		if (tid < 0)
			return true;
		note(session, tid, status);
	}
	return !task_count(&session->tasks) && session->strangers;
}

/* Signals and deadlines. Looks until nothing has come meanwhile: only then the timer was not taken from a signal. */
static void look(struct session *session)
{
	while (signals_woken()) {
		jobs_look(session);
		signals_wake_at(ending_look(session));
	}
	colocate_look(session);
}

static void tell_idle(struct session *session)
{
	bool kept;

	if (!session->observer->idle)
		return;
	kept = session->observer->idle(session->observer->data, signals_ticked(TICK_KEPT));
	if (kept != session->kept)
		signals_tick(TICK_KEPT, kept);
	session->kept = kept;
}

/* After the first failure everything is killed, and what ends is still waited for. */
static int loop(struct session *session, struct error *err)
{
	struct task *task;

	session->err = err;
	while (!is_over(session)) {
		look(session);
		tell_idle(session);
		wait_for_tasks(session);
		while ((task = task_unqueue(&session->tasks)))
			handle(session, task);
		if (err->number && session->err == err) {
			session->err = &session->later;
			ending_kill(session);
		}
	}
	return -err->number;
}

static void finish(struct session *session)
{
	forget_all(session);
	error_finish(&session->later);
	decoder_destroy(session->decoder);
	if (session->start_fd >= 0)
		close(session->start_fd);
}

/* What reaches into the session from before it, and will not be seen. */
static void tell_of_outside(const struct trace_observer *observer)
{
	inherited_tell(observer);
	if (listener_is_above())
		observer->incomplete(observer->data,
				     "a supervisor around the session can let calls go on that are not seen");
}

int trace_session(const struct trace_options *options, const struct trace_program *program,
		  const struct trace_observer *observer, struct trace_result *result, struct error *err)
{
	struct session session = {.options = options, .observer = observer, .result = result, .start_fd = -1};
	int status;

	*result = (struct trace_result){0};
	signals_hold();
	status = start_program(&session, program, err);
	if (status == 0)
		status = signals_begin(err);
	if (status == 0) {
		if (!options->every_call)
			tell_of_outside(observer);
		session.decoder = decoder_create(options, observer, &session.tasks);
		ending_begin(&session);
		colocate_begin(&session);
		status = loop(&session, err);
		finish(&session);
	}
	signals_end();
	return status;
}
