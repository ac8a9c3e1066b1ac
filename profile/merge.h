/*
 * Many profiles made one (trace-profile merge, trace-learn -m). Pure. The order of the inputs does not count, and an
 * input that is there twice counts for its sessions alone.
 */
#pragma once

#include "profile/profile.h"
#include "profile/tiers.h"

struct merge_input {
	const struct profile *profile;
	const char *name; /* for errors */
};

/*
 * The union of the inputs (count > 0) under headings of their tiers; what is held in one of them stays held, and what
 * would let it in is held with it. With min_seen > 1 a right counts only if so many inputs allow it, or a comment
 * stands above its line. -EINVAL when two inputs disagree about an environment variable; *merged is then empty.
 */
int merge_profiles(const struct merge_input *inputs, size_t count, size_t min_seen, const struct tiers *tiers,
		   struct profile *merged, struct error *err);
