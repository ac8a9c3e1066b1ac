#include "tracer/poll.h"

#include <errno.h>
#include <sched.h>

#include "tracer/clock.h"
#include "tracer/signals.h"
#include "tracer/wait.h"

#define WINDOW	    100	  /* µs that are looked for a stop, at most */
#define SOON	    200	  /* µs from one stop to the next, with the wake-ups that they take while nobody looks */
#define STREAK	    4	  /* so many soon after one another are worth it */
#define STREAK_MOST 16	  /* each miss halves */
#define SHARED	    4	  /* looks in a row that found it there at once */
#define TAKEN	    3000  /* µs without the processor: somebody computes there */
#define PAUSE_FIRST 1000  /* µs after somebody else had the processor; doubled each time up to … */
#define PAUSE_LAST  32000 /* … this */

void poll_begin(struct poll *poll)
{
	cpu_set_t ours;

	*poll = (struct poll){.processors = 1, .pause = PAUSE_FIRST};
	if (sched_getaffinity(0, sizeof ours, &ours) == 0)
		poll->processors = (unsigned)CPU_COUNT(&ours);
}

bool poll_is_due(const struct poll *poll)
{
	return !poll->on && poll->processors > 1 && poll->soon >= STREAK && poll->last >= poll->retry_at;
}

void poll_turn_on(struct poll *poll)
{
	poll->on = true;
	poll->shared = 0;
}

void poll_end(struct poll *poll)
{
	poll->on = false;
	poll->soon = 0;
}

void poll_put_off(struct poll *poll)
{
	poll_end(poll);
	poll->retry_at = poll->last + poll->pause;
	poll->pause = poll->pause * 2 < PAUSE_LAST ? poll->pause * 2 : PAUSE_LAST;
}

static void lose(struct poll *poll)
{
	poll->soon /= 2;
	if (poll->soon == 0)
		poll->on = false;
}

/* The task runs where we are: to look brings nothing there. */
static void share(struct poll *poll)
{
	if (++poll->shared == SHARED)
		poll_put_off(poll);
}

/* 0: nothing came. */
static pid_t look(struct poll *poll, int *status)
{
	pid_t tid = wait_for_any(status, WNOHANG);
	uint64_t begin, before, now;

	if (tid != 0) {
		share(poll); /* it ran where we are, or it could not have come so far */
		return tid;
	}
	poll->shared = 0;
	for (begin = before = clock_microseconds(); !signals_pending(); before = now) {
		sched_yield();
		tid = wait_for_any(status, WNOHANG);
		if (tid != 0)
			return tid;
		now = clock_microseconds();
		if (now - before > TAKEN)
			poll_put_off(poll);
		else if (now - begin > WINDOW)
			lose(poll);
		else
			continue;
		return 0;
	}
	errno = EINTR;
	return -1;
}

static void note_length(struct poll *poll)
{
	uint64_t now = clock_microseconds(), before = poll->last;

	poll->last = now;
	if (now - before > SOON)
		poll->soon = poll->on ? poll->soon : 0;
	else if (poll->soon < STREAK_MOST)
		poll->soon++;
	else if (poll->on)
		poll->pause = PAUSE_FIRST;
}

pid_t poll_wait(struct poll *poll, int *status)
{
	pid_t tid = poll->on ? look(poll, status) : 0;

	if (tid == 0)
		tid = wait_for_any(status, 0);
	if (tid > 0 && poll->processors > 1)
		note_length(poll);
	return tid;
}
