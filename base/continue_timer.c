#include "base/continue_timer.h"

#include <signal.h>

void continue_timer_begin(struct continue_timer *timer, const struct timespec *when)
{
	struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGCONT};

	timer->is_set = when && timer_create(CLOCK_MONOTONIC, &event, &timer->timer) == 0;
	if (timer->is_set)
		timer_settime(timer->timer, TIMER_ABSTIME, &(struct itimerspec){.it_value = *when}, NULL);
}

void continue_timer_end(struct continue_timer *timer)
{
	if (timer->is_set)
		timer_delete(timer->timer);
	timer->is_set = false;
}
