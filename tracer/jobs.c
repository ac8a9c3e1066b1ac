#include "tracer/jobs.h"

#include <string.h>
#include <sys/ptrace.h>
#include <unistd.h>

#include "base/pass_signal.h"
#include "tracer/clock.h"
#include "tracer/ending.h"
#include "tracer/proc_status.h"
#include "tracer/signals.h"

#define SAME_TIME 100 /* ms that the tool may be behind the program in getting a signal that was sent to the group */

static bool is_from_kernel(const siginfo_t *info)
{
	return info->si_code > 0;
}

static bool is_from_session(const struct session *session, const siginfo_t *info)
{
	return info->si_pid == session->program || task_find(&session->tasks, info->si_pid);
}

static bool leads_session(void)
{
	return getsid(0) == getpid();
}

static struct forwarded *find_forwarded(struct jobs *jobs, int signal)
{
	for (size_t i = 0; i < jobs->forwarded_count; i++)
		if (jobs->forwarded[i].info.si_signo == signal)
			return &jobs->forwarded[i];
	return NULL;
}

static void drop_forwarded(struct jobs *jobs, struct forwarded *forwarded)
{
	struct forwarded *end = jobs->forwarded + jobs->forwarded_count--;

	memmove(forwarded, forwarded + 1, (size_t)(end - forwarded - 1) * sizeof *forwarded);
}

/*
 * Real-time signals are queued; of the others the kernel keeps one, and so do we. A signal that was sent with a value
 * says by itself what it says, however the program takes it, and no other copy of it was sent to the program.
 */
static void forward(struct session *session, const siginfo_t *info)
{
	struct jobs *jobs = &session->jobs;
	struct forwarded *same = info->si_signo < SIGRTMIN ? find_forwarded(jobs, info->si_signo) : NULL;

	if (signal_is_queued(info)) {
		pass_signal(session->program, info);
		return;
	}
	if (same)
		drop_forwarded(jobs, same);
	if (jobs->forwarded_count == FORWARDED_MAX)
		drop_forwarded(jobs, jobs->forwarded);
	jobs->forwarded[jobs->forwarded_count++] = (struct forwarded){.info = *info, .time = clock_now()};
	kill(session->program, info->si_signo);
}

/* After the program's end there is nobody to pass it on to: the wish is that we come to an end. */
static void take_after_end(struct session *session, int signal)
{
	if (signal == SIGINT || signal == SIGQUIT || signal == SIGTERM || signal == SIGHUP)
		ending_asked(session, signal);
}

static uint64_t bit(int signal)
{
	return 1ULL << (signal - 1);
}

/*
 * Whether the program has got the SIGCONT that we got. One more from us would not only be one too many: it would take
 * back a stop that came after the first one, which has then taken back that.
 */
static bool has_continue(pid_t program)
{
	uint64_t pending = (uint64_t)proc_status(program, "ShdPnd", 16);

	return (pending & bit(SIGCONT)) || ((pending & bit(SIGTSTP)) && signals_has(SIGTSTP));
}

static void take_from_outside(struct session *session, const siginfo_t *info)
{
	int signal = info->si_signo;

	if (signal == SIGCONT && has_continue(session->program))
		return;
	forward(session, info);
	if ((signal == SIGINT || signal == SIGTERM) && !signals_was_quiet(signal))
		ending_asked(session, signal);
}

/* Our parent is the one that the program would have without us. Of none, or one outside our PID namespace: 0. */
static void pass_to_parent(const siginfo_t *info)
{
	pid_t parent = getppid();

	if (parent > 0)
		pass_signal(parent, info);
}

static void take(struct session *session, const siginfo_t *info)
{
	int signal = info->si_signo;

	if (!is_from_kernel(info) && decoder_is_for_parent(session->decoder, info->si_pid, signal)) {
		pass_to_parent(info);
	} else if (signal == SIGTSTP && (session->jobs.program_stopped || session->ended)) {
		if (!signals_was_quiet(signal))
			session->jobs.stop_signal = signal;
	} else if (session->ended) {
		take_after_end(session, signal);
	} else if (is_from_kernel(info)) {
		if (signal == SIGHUP && leads_session())
			forward(session, info);
	} else if (!is_from_session(session, info)) {
		take_from_outside(session, info);
	}
}

void jobs_look(struct session *session)
{
	siginfo_t info;

	while (signals_next(&info))
		take(session, &info);
	decoder_drop_for_parent(session->decoder);
}

static bool is_stop(int signal)
{
	return signal == SIGSTOP || signal == SIGTSTP || signal == SIGTTIN || signal == SIGTTOU;
}

/* Whether the program had got it already by the same kill(2) of our process group. */
static bool is_late_copy(const struct forwarded *forwarded, const struct delivered *delivered)
{
	return delivered->sender == forwarded->info.si_pid && forwarded->time - delivered->time <= SAME_TIME;
}

static int deliver_forwarded(struct session *session, const struct task *task, struct forwarded *forwarded)
{
	int signal = forwarded->info.si_signo;
	bool copy = forwarded->copy || is_late_copy(forwarded, &session->jobs.delivered[signal]);

	if (copy)
		ending_not_asked(session);
	else
		ptrace(PTRACE_SETSIGINFO, task->tid, NULL, &forwarded->info);
	drop_forwarded(&session->jobs, forwarded);
	return copy ? 0 : signal;
}

/* One that the same sender sent to us, and of which the program has not got its own yet. */
static struct forwarded *find_copy(struct jobs *jobs, int signal, pid_t sender)
{
	for (size_t i = 0; i < jobs->forwarded_count; i++) {
		struct forwarded *forwarded = &jobs->forwarded[i];

		if (forwarded->info.si_signo == signal && forwarded->info.si_pid == sender && !forwarded->copy)
			return forwarded;
	}
	return NULL;
}

/*
 * What we forwarded before may have been joined with this one, or come after it: then the program has got it by itself,
 * however long it had it blocked or was not scheduled.
 */
static int deliver_other(struct session *session, int signal, pid_t sender)
{
	struct forwarded *copy = find_copy(&session->jobs, signal, sender);

	if (copy) {
		copy->copy = true;
		ending_not_asked(session);
	} else {
		session->jobs.delivered[signal] = (struct delivered){.sender = sender, .time = clock_now()};
	}
	return signal;
}

int jobs_deliver(struct session *session, const struct task *task, int signal)
{
	struct forwarded *forwarded;
	siginfo_t info;

	if (task->pid != session->program || signal == SIGCHLD)
		return signal;
	jobs_look(session); /* our own copy may have come meanwhile */
	if (is_stop(signal))
		signals_forget_continue();
	if (ptrace(PTRACE_GETSIGINFO, task->tid, NULL, &info) < 0 || is_from_kernel(&info) || signal_is_queued(&info))
		return signal;
	forwarded = info.si_pid == getpid() ? find_forwarded(&session->jobs, signal) : NULL;
	return forwarded ? deliver_forwarded(session, task, forwarded) : deliver_other(session, signal, info.si_pid);
}

/* A shell with job control gives each job a process group of its own. */
static bool is_shell_job(void)
{
	pid_t group = getpgrp();

	return !leads_session() && getpgid(getppid()) != group;
}

void jobs_program_stopped(struct session *session, int signal)
{
	if (session->jobs.program_stopped)
		return;
	session->jobs.program_stopped = true;
	if (signal != SIGSTOP || is_shell_job())
		session->jobs.stop_signal = signal;
}

void jobs_program_continued(struct session *session)
{
	session->jobs.program_stopped = false;
	session->jobs.stop_signal = 0;
}

void jobs_stop(struct session *session)
{
	int signal = session->jobs.stop_signal;

	session->jobs.stop_signal = 0;
	signals_stop_self(signal, session->ending.timeout);
}
