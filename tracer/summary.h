/* What trace-learn says at its end: what was granted that deserves a look, what is missing, and what to do next. */
#pragma once

#include "profile/learn.h"
#include "tracer/trace.h"

struct summary {
	const struct profile *profile;
	const struct tiers *tiers;
	struct learner *learner;
	const struct trace_result *result;
	const char *name; /* of the profile's file; NULL: it went to standard output */
	char *const *program;
};

void summary_print(const struct summary *summary);
