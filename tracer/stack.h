/* A call stack: what a task was doing when it made a call, as its memory and the files that it maps tell. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buffer.h"
#include "base/json.h"

#define STACK_DEPTH	 32 /* frames, unless told */
#define STACK_DEPTH_MOST 256

struct stack_frame {
	char *function;	 /* owned; NULL when no symbol is known there */
	char *module;	 /* owned: the mapped file, as /proc/PID/maps names it; NULL for memory without one */
	uint64_t offset; /* from the function's start, else from the start of the file or of that memory */
};

struct stack {
	struct stack_frame *frames; /* innermost first */
	size_t count;
	bool cut;      /* there are more */
	char *missing; /* owned: why there is none; NULL otherwise */
};

void stack_finish(struct stack *stack); /* fine on a zeroed one */
#define scoped_stack __attribute__((cleanup(stack_finish))) struct stack

/* The bytes that stack_read() takes back; they may come from a process that a hostile file has taken over. */
void stack_write(const struct stack *stack, struct buffer *bytes);
/* Into a zeroed one. False for what stack_write() did not write. */
bool stack_read(const char *bytes, size_t length, struct stack *stack);

/* The members of a record: stack, stack_cut, stack_missing (docs/audit-log.schema.json). */
void stack_put(struct json *record, const struct stack *stack);
