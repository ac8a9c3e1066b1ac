/*
 * A decoder without a tracer: the test tells it the stops of two tasks, in what order it likes, and makes the calls
 * itself. So what a busy machine does once in a thousand runs happens each time.
 */
#pragma once

#include <stdint.h>

#include "base/buffer.h"
#include "tracer/decode.h"

struct stage {
	struct task_table tasks;
	struct task *server, *client; /* ourselves, and a child that waits with the same descriptors and our memory */
	struct decoder *decoder;
	struct buffer said;	  /* accesses, a line each; the fresh directory, where we are, is written as $D */
	struct buffer incomplete; /* a line each */
};

extern struct stage stage; /* for functions of Criterion's suites, which take nothing */

void stage_set_up(void);
void stage_tear_down(void);
/* All memory that it is to use must be there: it has a copy. */
void stage_start_client(void);

void stage_enters(struct task *task, int number, const uint64_t arguments[6]);
#define ENTERS(task, number, ...) stage_enters((task), (number), (const uint64_t[6]){__VA_ARGS__})
void stage_leaves(struct task *task, long result); /* -errno when the call failed */

/* All accesses so far. */
void stage_expect(const char *lines);
