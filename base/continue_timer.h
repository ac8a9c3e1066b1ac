/*
 * For who stops itself with a program that it waits for, and must not outlast a limit of time where nobody is there to
 * continue it: the kernel continues a process for a SIGCONT from wherever, one of its own timers too.
 */
#pragma once

#include <stdbool.h>
#include <time.h>

struct continue_timer {
	timer_t timer; /* private */
	bool is_set;
};

/* SIGCONT comes at `when` (CLOCK_MONOTONIC; NULL: never). Where the kernel gives no timer it does not. */
void continue_timer_begin(struct continue_timer *timer, const struct timespec *when);
void continue_timer_end(struct continue_timer *timer);
