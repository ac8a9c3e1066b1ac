/* The loop: look at signals and deadlines, wait, handle what was waited for (stops.c). */
#include "tracer/trace.h"

#include <errno.h>
#include <sched.h>
#include <unistd.h>

#include "tracer/colocate.h"
#include "tracer/ending.h"
#include "tracer/followed.h"
#include "tracer/inherited.h"
#include "tracer/jobs.h"
#include "tracer/listener.h"
#include "tracer/running.h"
#include "tracer/signals.h"
#include "tracer/start.h"
#include "tracer/stops.h"
#include "tracer/wait.h"

#define REPEATS	 8  /* stops of one task before others are looked for */
#define KEPT_FOR 20 /* ms after which it is told that it still keeps something */
#define CROWD	 3  /* others that were found: next time there are some too */

static void note_all(struct session *session)
{
	int status;
	pid_t tid;

	session->found = 0;
	for (; (tid = wait_for_any(&status, WNOHANG)) > 0; session->found++)
		followed_note(session, tid, status);
}

/*
 * wait4() looks at its children in a fixed order, so two busy tasks could keep a third one from ever being seen. One
 * alone cannot, while the rest sleeps, and mostly that is so: then what others there are is asked only now and then. (A
 * new one comes first, and so is no sign of others either.) What many have reported is taken together, for what they
 * have in common is asked once then (start_shared.h).
 */
static bool may_hide_others(struct session *session, pid_t tid)
{
	const struct task *task = task_find(&session->tasks, tid);
	bool is_new = task && !task->started;

	session->repeats = tid == session->waited || is_new ? session->repeats + 1 : 0;
	session->waited = tid;
	return task_count(&session->tasks) > 1 && (session->repeats % REPEATS == 0 || session->found >= CROWD);
}

/*
 * Only for a task that is alone and runs on another processor than we. Where several come and go (make), the kernel
 * puts each that it wakes beside a tool that sleeps, and beside one that polls it cannot.
 */
static void consider_polling(struct session *session)
{
	struct poll *poll = &session->poll;
	const struct task *task;

	if (!poll_is_due(poll))
		return;
	task = task_find(&session->tasks, session->waited);
	if (task && running_processor(task) != sched_getcpu())
		poll_turn_on(poll);
	else
		poll_put_off(poll);
}

static pid_t wait_for_one(struct session *session, int *status)
{
	if (session->jobs.stop_signal)
		return wait_for_any(status, WNOHANG);
	if (session->colocation.stays || task_count(&session->tasks) != 1) {
		poll_end(&session->poll);
		return wait_for_any(status, 0);
	}
	consider_polling(session);
	return poll_wait(&session->poll, status);
}

/* Fills the queue; where one task may hide others, with all that is ready. */
static void wait_for_tasks(struct session *session)
{
	int status;
	pid_t tid = wait_for_one(session, &status);

	if (tid > 0) {
		followed_note(session, tid, status);
		if (may_hide_others(session, tid))
			note_all(session);
	} else if (tid == 0) {
		colocate_give_back(session);
		if (session->kept)
			session->observer->idle(session->observer->data, TRACE_DUE_NOW);
		jobs_stop(session);
	} else if (errno == ECHILD) {
		if (!session->ended)
			error_set(session->err, ECHILD, "the program's end was not reported");
		followed_forget_all(session);
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
	while (!task_count(&session->tasks) && (tid = wait_for_any(&status, WNOHANG)) != 0) {
		if (tid < 0)
			return true;
		followed_note(session, tid, status);
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
	enum trace_due due;
	bool kept;

	if (!session->observer->idle)
		return;
	due = signals_ticked(TICK_KEPT) ? TRACE_DUE_SOON : TRACE_DUE_NOT;
	kept = session->observer->idle(session->observer->data, due);
	if (kept != session->kept)
		signals_tick(TICK_KEPT, kept ? KEPT_FOR : 0);
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
			stops_handle(session, task);
		if (err->number && session->err == err) {
			session->err = &session->later;
			ending_kill(session);
		}
	}
	return -err->number;
}

static void finish(struct session *session)
{
	jobs_look(session); /* the last one may be for our parent */
	followed_forget_all(session);
	error_finish(&session->later);
	decoder_destroy(session->decoder);
	if (session->start_fd >= 0)
		close(session->start_fd);
}

/* What reaches into the session from before it, and will not be seen. */
static void tell_of_outside(const struct session *session)
{
	inherited_tell(session->observer);
	if (!listener_is_above())
		return;
	session->observer->incomplete(session->observer->data,
				      "a supervisor around the session can let calls go on that are not seen");
	decoder_mounts_differ(session->decoder); /* it can give descriptors too */
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
		session.decoder = decoder_create(options, observer, &session.tasks);
		if (!options->every_call)
			tell_of_outside(&session);
		ending_begin(&session);
		colocate_begin(&session);
		poll_begin(&session.poll);
		status = loop(&session, err);
		finish(&session);
	}
	signals_end();
	return status;
}
