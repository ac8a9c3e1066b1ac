/* Waiting without sleep (poll.h): what it may take of a processor, and what ends it. */
#include <criterion/criterion.h>
#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tracer/poll.h"
#include "tracer/signals.h"

#define CHILDREN 20
#define PAUSE	 20000 /* µs that a child sleeps */

TestSuite(poll, .timeout = 60);

static pid_t child(unsigned pause)
{
	pid_t pid = fork();

	cr_assert_geq(pid, 0);
	if (pid)
		return pid;
	usleep(pause);
	_exit(0);
}

/* µs of processor time that we took. */
static long taken(void)
{
	struct rusage usage;

	getrusage(RUSAGE_SELF, &usage);
	return (usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1000000 + usage.ru_utime.tv_usec +
	       usage.ru_stime.tv_usec;
}

/* As a session is once stops have come soon after one another. */
static struct poll polling(void)
{
	struct poll poll;

	poll_begin(&poll);
	poll.soon = 16;
	poll_turn_on(&poll);
	return poll;
}

Test(poll, takes_little_of_a_processor_while_nothing_stops)
{
	struct poll poll = polling();
	int status;

	for (int i = 0; i < CHILDREN; i++) {
		pid_t pid = child(PAUSE);
		long before = taken();

		cr_expect_eq(poll_wait(&poll, &status), pid);
		cr_expect_lt(taken() - before, PAUSE / 4);
	}
	cr_expect_not(poll.on);
	cr_expect_not(poll_is_due(&poll));
}

Test(poll, a_single_look_for_nothing_does_not_end_it)
{
	struct poll poll = polling();
	int status;

	child(PAUSE);
	poll_wait(&poll, &status);
	cr_expect(poll.on || poll.retry_at, "it was lost though nobody else had the processor");
}

Test(poll, takes_what_is_there)
{
	struct poll poll = polling();
	siginfo_t info;
	int status;
	pid_t pid;

	for (int i = 0; i < CHILDREN; i++) {
		pid = child(0);
		waitid(P_PID, (id_t)pid, &info, WEXITED | WNOWAIT);
		cr_expect_eq(poll_wait(&poll, &status), pid);
	}
	cr_expect_not(poll.on, "they were there at once each time, so there was nothing to look for");
	cr_expect_eq(poll_wait(&poll, &status), -1);
	cr_expect_eq(errno, ECHILD);
}

Test(poll, never_with_one_processor)
{
	struct poll poll;
	cpu_set_t one;

	CPU_ZERO(&one);
	CPU_SET(sched_getcpu(), &one);
	cr_assert_eq(sched_setaffinity(0, sizeof one, &one), 0);
	poll_begin(&poll);
	poll.soon = 16;
	cr_expect_not(poll_is_due(&poll));
}

/* Before it blocks: what comes then is the timer's to tell (signals.h). */
Test(poll, a_signal_ends_it)
{
	struct poll poll = polling();
	struct error err = {0};
	pid_t pid = child(PAUSE);
	int status;

	signals_hold();
	cr_assert_eq(signals_begin(&err), 0);
	raise(SIGUSR1);
	errno = 0;
	cr_expect_eq(poll_wait(&poll, &status), -1);
	cr_expect_eq(errno, EINTR);
	cr_expect_eq(poll.soon, 16, "it looked to the end of its window: the timer ended the wait that came then");
	cr_expect(signals_woken(), "the question was cleared");
	signals_end();
	cr_expect_eq(waitpid(pid, &status, 0), pid);
}

Test(poll, so_does_a_tick)
{
	struct poll poll = polling();
	struct error err = {0};
	pid_t pid = child(10 * PAUSE);
	int status;

	signals_hold();
	cr_assert_eq(signals_begin(&err), 0);
	signals_tick(TICK_KEPT, 20);
	while (!signals_pending())
		usleep(1000);
	signals_tick(TICK_KEPT, 0);
	cr_expect_eq(poll_wait(&poll, &status), -1);
	cr_expect(signals_ticked(TICK_KEPT), "it was cleared");
	signals_end();
	cr_expect_eq(waitpid(pid, &status, 0), pid);
}
