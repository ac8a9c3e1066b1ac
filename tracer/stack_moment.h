/*
 * All that a task's stack can be told from later, taken while it is stopped: its
 * registers, the innermost part of its
 * stack, and what lies where. Taking it looks at no file, and follows nothing that the task could have made.
 */
#pragma once

#include <stdint.h>
#include <sys/procfs.h>
#include <sys/types.h>

#define STACK_BYTES_MOST 131072 /* of its stack: what lies further out is not unwound */
#define STACK_MAPS_MOST	 262144 /* bytes of text */

struct stack_moment {
	unsigned holders;
	const char *missing; /* why there is nothing else in it; NULL otherwise */
	elf_gregset_t registers;
	uint64_t start; /* address of the bytes */
	char *bytes;
	size_t length;
	char *maps; /* text */
};

/* At a stop of a task that we trace. Never NULL; dropped by the caller. */
struct stack_moment *stack_moment_take(pid_t tid);

struct stack_moment *stack_moment_hold(struct stack_moment *moment); /* for one holder more; NULL gives NULL */
void stack_moment_drop(struct stack_moment *moment);		     /* NULL is fine */
