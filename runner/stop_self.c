#include "runner/stop_self.h"

#include <signal.h>
#include <stdbool.h>

/* The kernel continues a process for a SIGCONT from wherever, one of its own timers too. */
static bool continue_at(const struct timespec *when, timer_t *timer)
{
	struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGCONT};
	struct itimerspec once = {.it_value = *when};

	if (timer_create(CLOCK_MONOTONIC, &event, timer) < 0)
		return false;
	timer_settime(*timer, TIMER_ABSTIME, &once, NULL);
	return true;
}

static void stop(int signal)
{
	struct sigaction saved, standard = {.sa_handler = SIG_DFL};
	sigset_t only, saved_mask;

	sigemptyset(&only);
	sigaddset(&only, signal);
	sigaction(signal, &standard, &saved);
	raise(signal);
	sigprocmask(SIG_UNBLOCK, &only, &saved_mask);
	sigprocmask(SIG_SETMASK, &saved_mask, NULL);
	sigaction(signal, &saved, NULL);
}

void stop_self(int signal, const struct timespec *until)
{
	timer_t timer;
	bool has_timer = until && continue_at(until, &timer);

	stop(signal);
	if (has_timer)
		timer_delete(timer);
}
