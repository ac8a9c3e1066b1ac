/*
 * What stands between reading a profile and starting under it: whether its bytes may be believed, and whether this
 * kernel can enforce what it counts on. Nothing is started when one of these says no.
 */
#pragma once

#include <stdbool.h>
#include <sys/stat.h>

#include "profile/reach.h"
#include "profile/tiers.h"
#include "runner/ruleset.h"

struct profile_gate {
	const char *file;	    /* the profile, as it was named */
	const struct stat *status;  /* of what was read */
	const char *sha256;	    /* of what was read; or NULL, and … */
	const struct buffer *bytes; /* … what was read: mostly nobody asks for its hash, which takes its time */
	const struct reach *reach;  /* of the profile */
	const struct tiers *tiers;
	bool allow_writable; /* --allow-writable-profile */
	bool no_way_round;   /* the command has no such option to offer */
};

/*
 * Refuses (-EPERM) a profile or tiers file that the profile's own grants let the program change, unless a person let
 * its bytes in; and for root one that another user may write.
 */
int profile_gate_files(const struct profile_gate *gate, struct error *err);

/* Refuses (-EOPNOTSUPP) a kernel below the profile's `landlock = N`, unless best_effort. */
int profile_gate_kernel(const struct profile *profile, const struct ruleset *ruleset, bool best_effort,
			struct error *err);

/* All of that for a file that has just been written, with that hash: what trace-run would say to it without options. */
int profile_gate_written(const char *file, const struct profile *profile, const char *sha256, const struct tiers *tiers,
			 struct error *err);
