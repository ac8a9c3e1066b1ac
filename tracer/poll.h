/*
 * Waiting without sleep. Where the tool has a processor of its own, its sleep and its wake-up are half of what a stop
 * costs (an interrupt across processors, and on a virtual machine an exit). So while stops come soon after one another
 * it looks for the next one for a while, and lets others have the processor in between, before it blocks.
 *
 * What that takes of a processor is bounded: no wait is looked at for longer than a window, and a few in a row that
 * came to nothing end it until stops have come soon again; where somebody else wants the processor it ends at once.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct poll {
	unsigned processors; /* that the tool may use */
	bool on;
	unsigned soon;	   /* stops in a row that came soon, up to a bound: each look for nothing halves them */
	unsigned shared;   /* looks in a row that found a stop at once */
	uint64_t last;	   /* stop; this and all times: microseconds */
	uint64_t retry_at; /* not on again before */
	uint64_t pause;	   /* the next one's length */
};

void poll_begin(struct poll *poll);

/* Whether stops come so soon that it would pay; whoever knows that the task runs on another processor turns it on. */
bool poll_is_due(const struct poll *poll);
void poll_turn_on(struct poll *poll);
/* Until stops have come soon again. */
void poll_end(struct poll *poll);
/* It does not pay now: asked again only after a pause, longer each time. */
void poll_put_off(struct poll *poll);

/* As wait4(-1, status, __WALL); EINTR too where a signal came while it looked. */
pid_t poll_wait(struct poll *poll, int *status);
