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
	enum tier hold;	      /* --hold; TIER_NORMAL without */
	const char *told;     /* a reason to be incomplete that is the command's error too; NULL for none */
	bool whole;	      /* lists are not cut */
	const char *name;     /* of the profile's file; NULL: it went to standard output */
	bool passed_on;	      /* it went to a device, a pipe or a socket, where nothing stays that could be run */
	const char *log_name; /* NULL: there is none */
	const char *log_hash;
	char *const *program;
	const char *hash; /* SHA-256 of that file */
	/* Whether trace-run would take the file `name`: 0, or -errno with what to do. */
	int (*gate)(const char *name, const struct profile *profile, const char *hash, const struct tiers *tiers,
		    struct error *err);
};

void summary_print(const struct summary *summary);

/* Of that, what may be otherwise at the next start: what was missing, and what was made (profile/learn_next.h). */
void summary_print_otherwise(const struct summary *summary);
