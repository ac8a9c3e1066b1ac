#include "tracer/ending.h"

#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "base/cleanup.h"
#include "base/memory.h"
#include "tracer/clock.h"
#include "tracer/signals.h"

/* Milliseconds. */
#define LINGER	 5000 /* for what outlives the program */
#define PATIENCE 5000 /* from a forwarded INT or TERM to KILL, and from the TERM of --timeout */
#define GRACE	 2000 /* from TERM to KILL for what outlived the program */
#define GIVE_UP	 5000 /* a task that KILL does not end by then waits for a device */
#define BURST	 200  /* timeout(1) signals its child and then the whole group: that is one wish */
#define NAMED	 10   /* leftovers in one notice */

void ending_begin(struct session *session)
{
	session->ending.phase = PHASE_RUNNING;
	if (session->options->timeout)
		session->ending.timeout = clock_now() + session->options->timeout * 1000ULL;
	signals_wake();
}

static void enter(struct session *session, enum ending_phase phase, unsigned wait)
{
	session->ending.phase = phase;
	session->ending.deadline = clock_now() + wait;
	signals_wake();
}

/* Whether this task stands for its process: a process has one entry at least, its leader's while it is there. */
static bool stands_for_process(const struct session *session, const struct task *task)
{
	return task->tid == task->pid || !task_find(&session->tasks, task->pid);
}

static void send_all(const struct session *session, int signal)
{
	for (const struct task *task = session->tasks.tasks; task; task = task->hh.next) {
		if (!stands_for_process(session, task))
			continue;
		kill(task->pid, signal);
		if (task->listening)
			kill(task->pid, SIGCONT); /* a stopped one could not act on it */
	}
}

void ending_kill(struct session *session)
{
	send_all(session, SIGKILL);
	enter(session, PHASE_KILLING, GIVE_UP);
}

static void terminate(struct session *session, unsigned grace)
{
	send_all(session, SIGTERM);
	enter(session, PHASE_TERMINATING, grace);
}

static const char *short_name(const struct task *task)
{
	const char *slash = task->image ? strrchr(task->image, '/') : NULL;

	return slash ? slash + 1 : "unknown";
}

/* The notice is for the person, with process ids; the reasons stay the same from run to run. */
static void name_leftovers(const struct session *session)
{
	const struct trace_observer *observer = session->observer;
	scoped_buffer notice = {0};
	size_t count = 0;

	for (const struct task *task = session->tasks.tasks; task; task = task->hh.next) {
		scoped_free char *reason = NULL;

		if (!stands_for_process(session, task))
			continue;
		if (count++ < NAMED)
			buffer_format(&notice, "%s%s (%d)", count > 1 ? ", " : "", short_name(task), (int)task->pid);
		reason = format_text("a process that outlived the program was ended: %s",
				     task->image ? task->image : "unknown");
		observer->incomplete(observer->data, reason);
	}
	if (count > NAMED)
		buffer_format(&notice, " and %zu more", count - NAMED);
	buffer_add_text(&notice, ": outlived the program and cannot run on untraced, so it is ended");
	observer->notice(observer->data, buffer_text(&notice));
}

static void end_leftovers(struct session *session)
{
	name_leftovers(session);
	terminate(session, GRACE);
}

static void kill_for_request(struct session *session)
{
	if (!session->ended) {
		session->result->interrupted = session->ending.asked;
		session->observer->incomplete(session->observer->data, "the program was killed before it ended");
	}
	ending_kill(session);
}

static void time_out(struct session *session)
{
	session->ending.timeout = 0;
	session->result->timed_out = true;
	session->observer->incomplete(session->observer->data, "the program was ended by --timeout");
	terminate(session, PATIENCE);
}

void ending_asked(struct session *session, int signal)
{
	struct ending *ending = &session->ending;
	uint64_t now = clock_now();

	if (ending->asked && now - ending->asked_at < BURST)
		return;
	ending->asked_at = now;
	switch (ending->phase) {
	case PHASE_RUNNING:
		ending->asked = signal;
		enter(session, PHASE_ASKED, PATIENCE);
		break;
	case PHASE_LINGERING:
		ending->asked = signal;
		end_leftovers(session);
		break;
	case PHASE_ASKED:
	case PHASE_TERMINATING:
		kill_for_request(session);
		break;
	case PHASE_KILLING:
	case PHASE_GIVEN_UP:
		break;
	}
}

void ending_not_asked(struct session *session)
{
	if (session->ending.phase != PHASE_ASKED)
		return;
	session->ending.phase = PHASE_RUNNING;
	session->ending.deadline = 0;
	session->ending.asked = 0;
}

void ending_program_ended(struct session *session)
{
	session->ending.timeout = 0;
	if (session->ending.phase == PHASE_RUNNING || session->ending.phase == PHASE_ASKED)
		enter(session, PHASE_LINGERING, LINGER);
}

void ending_new_task(const struct session *session, const struct task *task)
{
	if (session->ending.phase >= PHASE_KILLING)
		kill(task->pid, SIGKILL);
}

static void next_phase(struct session *session)
{
	switch (session->ending.phase) {
	case PHASE_ASKED:
		kill_for_request(session);
		break;
	case PHASE_LINGERING:
		end_leftovers(session);
		break;
	case PHASE_TERMINATING:
		ending_kill(session);
		break;
	default:
		session->ending.phase = PHASE_GIVEN_UP;
		session->ending.deadline = 0;
		break;
	}
}

uint64_t ending_look(struct session *session)
{
	struct ending *ending = &session->ending;
	uint64_t now = clock_now();

	if (ending->timeout && ending->timeout <= now)
		time_out(session);
	if (ending->deadline && ending->deadline <= now)
		next_phase(session);
	if (!ending->timeout || !ending->deadline)
		return ending->timeout + ending->deadline;
	return ending->timeout < ending->deadline ? ending->timeout : ending->deadline;
}
