#include "runner/stop_self.h"

#include <signal.h>

#include "base/continue_timer.h"

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
	struct continue_timer timer;

	continue_timer_begin(&timer, until);
	stop(signal);
	continue_timer_end(&timer);
}
