/*
 * What trace-learn says at its end: what was granted that deserves a look, what is missing, and what to do next. Long
 * lists are cut, unless -v; the profile has all.
 */
#pragma once

#include <stdbool.h>

#include "profile/learn.h"

struct summary {
	struct profile *profile;
	const struct tiers *tiers;
	struct learner *learner;
	bool whole;	      /* lists are not cut */
	const char *name;     /* of the profile's file; NULL: it went to standard output */
	const char *log_name; /* NULL: there is none */
	const char *log_hash;
	char *const *program;
};

void summary_print(const struct summary *summary);
