/*
 * What a program writes to its standard output and error, passed on while it is counted and hashed, so that two runs
 * can be compared (trace-learn --replay=output). What is a terminal stays one, and is not compared; everything else is
 * a pipe to the program, and one of both where both are the same file.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "base/hash.h"

/* What came out of one pipe. */
struct captured {
	uint64_t length;
	char hash[HASH_TEXT_SIZE];
};

struct capture {
	int pipe[2];   /* for standard output and error: what the program writes to; -1 where it is left alone */
	int report[2]; /* from the process that passes it on, -1 */
	bool shared;   /* standard error is standard output */
};
#define CAPTURE_NONE ((struct capture){{-1, -1}, {-1, -1}, false})

/*
 * Starts what passes it on; or what only takes it, to be compared with `like` (of standard output and error): hardly
 * more than that, so that a program ends that writes until nobody reads. It ends when nobody can write any more.
 */
int capture_start(struct capture *capture, const struct captured *like, struct error *err);

/* In the program's process, before it is executed. */
void capture_take_place(const struct capture *capture);

/* Once everybody who wrote has ended: waits for the rest to be passed on. Zeroed for what was left alone. */
void capture_end(struct capture *capture, struct captured captured[2]);

/* Closes our ends, where there was no run. Fine on CAPTURE_NONE. */
void capture_finish(struct capture *capture);

/* Whether standard output, or error, is one that is compared. */
bool capture_is_taken(const struct capture *capture, int index);
