/* Stopping with the program, for the shell to see. */
#pragma once

#include <time.h>

/*
 * Stops this process as the signal does by default, whether or not that is blocked; returns when it was continued, with
 * `until` (CLOCK_MONOTONIC, may be NULL) at that time at the latest: a program that stops itself is not to outlast
 * --timeout where nobody is there to continue us. Where the kernel gives no timer the signal alone counts.
 */
void stop_self(int signal, const struct timespec *until);
