/*
 * Staying as the program's parent, where something has to be done while it runs or after it (--timeout). The program
 * is to notice as little as possible: it stays in our process group, gets the signals that are sent to us, we stop and
 * continue with it, and end as it ends.
 *
 * Known differences: a signal that somebody sends to the whole process group with kill(2) reaches the program twice,
 * once from us (what a terminal sends does not). Processes whose parent ended get us as their parent instead of init,
 * as long as we are there: so they can be ended with the rest.
 */
#pragma once

#include <stdbool.h>

#include "base/error.h"
#include "runner/supervisor.h"

/* Runs in the child; executes the program. Returns only on failure, with the exit status. */
typedef int parent_start_fn(void *data);

struct parent_end {
	int status; /* the program's wait status */
	bool timed_out;
	bool lost; /* the supervisor was killed, and so was all that it supervised; there is no status */
};

/*
 * Starts a child and stays until it ends; with a supervisor (NULL: none) that one stands between. After `timeout`
 * seconds (0: never) it and all its descendants get TERM, and five seconds later KILL. -errno when no child can be
 * made.
 */
int parent_run(parent_start_fn *start, void *data, struct supervisor *supervisor, unsigned timeout,
	       struct parent_end *end, struct error *err);

/* The exit status that goes with an end; dies of the signal of which the program died. */
int parent_end_as(const struct parent_end *end);
