/*
 * The list of profiles and tiers files that a person let in, each by the SHA-256 of its bytes and its place:
 * $XDG_STATE_HOME/trace-learn/trusted (default ~/.local/state), mode 0600, a line "HASH PATH" with PATH as a profile
 * writes it. The place counts because a program that may replace its own profile could else put another trusted one,
 * a wider one, there.
 */
#pragma once

#include "base/hash.h"
#include "profile/profile.h"

/* The state directory: absolute, the caller frees; made (0700) when `make`. -EINVAL without HOME. */
int state_directory(bool make, char **path, struct error *err);

/* path: canonical. */
int trust_add(const char *sha256, const char *path, struct error *err);
/* 1 when listed, 0 when not (a list that does not exist lists nothing), -errno. */
int trust_has(const char *sha256, const char *path, struct error *err);

/*
 * Whether the profile's own enforced grants let the program change, replace or move away the file at path (canonical):
 * write_file or truncate on it, or make_*, remove_* or refer on any directory above it. *grant, when not NULL, points
 * at the grant that does.
 */
bool trust_is_writable(const struct profile *profile, const char *path, const struct grant **grant);
