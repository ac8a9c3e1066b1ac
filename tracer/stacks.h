/*
 * Call stacks of a session, from moments that were taken at its stops (stack_moment.h). The work is a helper's
 * (stack_helper.h), which is made anew when it is lost: a stack that cannot be told says why, and hurts nothing.
 */
#pragma once

#include "tracer/stack.h"
#include "tracer/stack_moment.h"

struct stacks;

/*
 * Becomes the helper, and does not return: stack_helper_be(), named by who wants stacks alone, or each program that
 * writes a log would load libunwind.
 */
typedef void stacks_helper_fn(int socket);

/* depth: frames of a stack, 1 to STACK_DEPTH_MOST. */
struct stacks *stacks_create(unsigned depth, stacks_helper_fn *be_helper);
void stacks_destroy(struct stacks *stacks); /* NULL is fine */

/* The stack into a zeroed one: frames, or why there are none. Waits for the helper, a bounded time. */
void stacks_tell(struct stacks *stacks, const struct stack_moment *moment, struct stack *stack);
