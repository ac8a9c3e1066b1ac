/*
 * Unwinding a stack of another process from what was taken of it (stack_moment.h) and from the files that it maps, by
 * libunwind, which only stack_unwind.c sees. It reads files that anybody may have written: for use in the helper alone
 * (stack_helper.h), which may be lost.
 */
#pragma once

#include "tracer/stack.h"
#include "tracer/stack_moment.h"

struct stack_unwinder; /* with the files that it has read; it ends with its process */

struct stack_unwinder *stack_unwinder_create(void);

/* At most `depth` frames into a zeroed one, or why there are none on this architecture. */
void stack_unwind(struct stack_unwinder *unwinder, const struct stack_moment *moment, unsigned depth,
		  struct stack *stack);
