/*
 * Lines for a whole directory in the place of many beneath it, because the user asks for it
 * (docs/internals/profile.md). Pure; who calls it closes over the moves again, and holds again.
 */
#pragma once

#include "profile/tiers.h"
#include "profile/variables.h"
#include "profile/widening.h"

#define COLLAPSE_DEFAULT 4

struct collapse_options {
	size_t least; /* a right that so many entries of one directory have goes to the directory; 0: never by count */
	char **prefixes; /* directories, clean; whatever is granted beneath one is granted on all of it */
	size_t prefix_count, prefix_capacity;
	const struct variables *portable; /* lines beneath one of these values do not count above it; or NULL */
	bool sensitive;			  /* by prefix also where the tier is above normal */
};

/*
 * Each right goes by itself: where four files are read and one is written, the directory is read. By count from the
 * lowest directories upwards, so what was collapsed counts as an entry of the next; never where the tier of the
 * directory-wide right is above normal, never in /proc, never on "/". Nothing goes to a directory above a line that is
 * held for it. Lines beneath lose what the directory has got; those that a person commented stay. What was done, and
 * what was asked for and not done, is added to *said.
 */
void collapse_grants(struct profile *profile, const struct tiers *tiers, const struct collapse_options *options,
		     struct widenings *said);
