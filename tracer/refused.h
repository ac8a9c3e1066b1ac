/*
 * Calls that are refused whatever a profile says, by number. While learning they stop, and the tracer refuses them.
 * Under a profile (trace-run -e) each call stops, the runner's filter refuses these, and they are told.
 */
#pragma once

#include "profile/seccomp_groups.h"
#include "tracer/event.h"
#include "tracer/syscalls.h"

struct refused_index {
	uint64_t bits[SYSCALL_ARCHITECTURES]; /* in the numbers of a variant's calls, 0 for none */
	/* Whether there is a row: all numbers are asked about, few have one, and these here lie close together. */
	bool has[SYSCALL_ARCHITECTURES][SYSCALL_NUMBERS];
	/* The first row of that name; NULL for all other calls. */
	const struct seccomp_call *rows[SYSCALL_ARCHITECTURES][SYSCALL_NUMBERS];
};

void refused_index_init(struct refused_index *refused, const struct syscall_index *index);
/* The row by which a call is refused with its arguments; else NULL, always where nothing was filled in. */
const struct seccomp_call *refused_find(const struct refused_index *refused, const struct syscall_index *index,
					const struct event *event);
