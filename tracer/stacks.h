/*
 * Call stacks of a session, from moments that were taken at its stops (stack_moment.h). The work is a helper's
 * (stack_helper.h), which is made anew when it is lost: a stack that cannot be told says why, and hurts nothing.
 */
#pragma once

#include "tracer/stack.h"
#include "tracer/stack_moment.h"

struct stacks;

/* depth: frames of a stack, 1 to STACK_DEPTH_MOST. */
struct stacks *stacks_create(unsigned depth);
void stacks_destroy(struct stacks *stacks); /* NULL is fine */

/* The stack into a zeroed one: frames, or why there are none. Waits for the helper, a bounded time. */
void stacks_tell(struct stacks *stacks, const struct stack_moment *moment, struct stack *stack);
