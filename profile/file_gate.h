/*
 * Whether the bytes of a profile, and of its tiers file, may be believed: asked before each start under it, and by
 * `trace-profile check`.
 */
#pragma once

#include <stdbool.h>
#include <sys/stat.h>

#include "base/buffer.h"
#include "profile/reach.h"
#include "profile/tiers.h"

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

/* Before there is a file of that name: for root, whether another user may write where it is to lie. */
int profile_gate_place(const char *file, struct error *err);
