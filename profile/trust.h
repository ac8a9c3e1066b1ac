/*
 * The list of profiles and tiers files, by the SHA-256 of their bytes, that a person let in:
 * $XDG_STATE_HOME/trace-learn/trusted (default ~/.local/state), mode 0600, one hash a line.
 */
#pragma once

#include "base/hash.h"
#include "profile/profile.h"

/* The state directory: absolute, the caller frees; made (0700) when `make`. -ENOENT without HOME. */
int state_directory(bool make, char **path, struct error *err);

int trust_add(const char *sha256, struct error *err);
/* 1 when listed, 0 when not (a list that does not exist lists nothing), -errno. */
int trust_has(const char *sha256, struct error *err);

/*
 * Whether the profile's own enforced grants let the program change, replace or move away the file at path (canonical):
 * write_file or truncate on it, or make_*, remove_* or refer on any directory above it. *grant, when not NULL, points
 * at the grant that does.
 */
bool trust_is_writable(const struct profile *profile, const char *path, const struct grant **grant);
