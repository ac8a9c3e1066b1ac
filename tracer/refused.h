/*
 * Calls that the runner's filter refuses whatever a profile says, by number. While learning they are no business of the
 * tracer's: the filter answers, and nothing stops. Under a profile (trace-run -e) each call stops, and these are told.
 */
#pragma once

#include "tracer/event.h"
#include "tracer/syscalls.h"

struct refused_index {
	bool is_filled;
	const char *names[SYSCALL_ARCHITECTURES][SYSCALL_NUMBERS]; /* NULL for all others */
};

void refused_index_init(struct refused_index *refused, const struct syscall_index *index);
/* The name of a call that is refused with its arguments; else NULL, always where nothing was filled in. */
const char *refused_name(const struct refused_index *refused, const struct syscall_index *index,
			 const struct event *event);
