/* Milliseconds of the monotonic clock, for deadlines. */
#pragma once

#include <stdint.h>
#include <time.h>

static inline uint64_t clock_now(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}
