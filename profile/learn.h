/*
 * Accesses to grants (docs/internals/profile.md): born names, rename closure, absent, held `/`. Pure: it never looks at
 * a file system, so a recorded session gives the same profile anywhere.
 */
#pragma once

#include "profile/access.h"
#include "profile/collapse.h"
#include "profile/profile.h"
#include "profile/tiers.h"
#include "profile/widening.h"

struct learner; /* collects the accesses of one session */

struct learn_options {
	const char *tty; /* name of the controlling terminal, written as ${TTY}; or NULL */
	bool with_absent;
	enum tier hold; /* TIER_NORMAL: hold nothing but `/`; else hold this tier and those above it */
	const struct variables *portable; /* the caller's: how paths are spelled; NULL: as they are */
	struct collapse_options collapse; /* its prefixes stay the caller's */
};

struct learner *learner_create(const struct learn_options *options);
void learner_destroy(struct learner *learner); /* NULL is fine */

/* Takes one access, in the order in which they happened; copies what it keeps. */
void learner_add(struct learner *learner, const struct access *access);
void learner_add_incomplete(struct learner *learner, const char *reason);

/*
 * Adds the grants, moves, ports, scopes and reasons to the profile and brings each grant under the heading of its tier.
 * The learner can go on collecting afterwards.
 */
void learner_finish(struct learner *learner, const struct tiers *tiers, struct profile *profile);

/*
 * Of an ACCESS_CREATE that is about to happen: whether to fail, for whatever, would add nothing but an ACCESS_MISSING.
 * The session made its directory, or one above that, has not taken it away since, and asked there for all that this one
 * asks for. Not where it has made the very name, which then is there. access: NULL: whether there may be one of which
 * that is so.
 */
bool learner_has_made(const struct learner *learner, const struct access *access);

/* For the summary, after learner_finish(): where grants are wider than what was seen. Valid until the next change. */
const struct widenings *learner_widened(const struct learner *learner);
/* Whether the session used path, or something beneath it. */
bool learner_touched(struct learner *learner, const char *path);
/* Whether the session saw something else than a directory there, and never one. */
bool learner_saw_file(const struct learner *learner, const char *path);
