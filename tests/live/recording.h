/*
 * A traced session over a function of the test: what the decoder says that it did. The function runs in a child in a
 * fresh directory; there it may do anything but fork without waiting.
 */
#pragma once

#include <criterion/criterion.h>

#include "base/buffer.h"
#include "tracer/trace.h"

struct recording {
	struct buffer accesses;	  /* a line each, without image and without calls of seccomp groups; the fresh directory
				     is written as $D */
	struct buffer calls;	  /* likewise, of calls that seccomp groups hold */
	struct buffer notices;	  /* a line each */
	struct buffer incomplete; /* a line each */
	bool needed;		  /* some access needs a grant */
	int result;		  /* what the function returned */
};

typedef int scenario_fn(void);

void record(struct recording *recording, scenario_fn *scenario, enum trace_calls calls);
void record_with(struct recording *recording, scenario_fn *scenario, const struct trace_options *options);
void recording_finish(struct recording *recording);

/* What the function runs in; made, and left behind empty, by the test program. */
const char *fresh_directory(void);
void remove_fresh_directory(void);

/* Records the scenario and compares all accesses with the lines. */
void expect_accesses(scenario_fn *scenario, const char *lines);
/* The same of what Landlock enforces; and nothing may make it incomplete. */
void expect_complete(scenario_fn *scenario, const char *lines);
/* As the first, with what is only looked at, and changes of metadata. */
void expect_looks(scenario_fn *scenario, const char *lines);
