/* Grants that a person shall let in first: they stand under [held], and are not enforced until they are moved. */
#pragma once

#include "profile/cover.h"
#include "profile/tiers.h"

/* Why a profile is incomplete whose sessions needed something that is held. */
#define HOLD_REASON	 "grants that were needed are held"
#define HOLD_ROOT_REASON "/ gets no more than read_dir: the rest is held"

/* Those of rights that nothing grants on path by itself: on "/" all but read_dir. A hand may, and is told. */
rights_t hold_never_granted(const char *path, rights_t rights);

/*
 * Holds each grant of tier `from` or above (none for TIER_NORMAL), then each grant on a directory that would give a
 * held line what it is held for: Landlock cannot subtract. Only rights that `kept` does not give count; a line that has
 * others too goes as a whole, since a path is held or granted, not both. Returns whether anything was held; grants are
 * then no longer closed over the moves.
 */
bool hold_back(struct profile *profile, const struct tiers *tiers, enum tier from, const struct cover *kept);

/* Whether the reason speaks of held lines, and none is there any more: somebody moved them, or took them away. Which of
 * both it was only that person knows. */
bool hold_is_settled(const struct profile *profile, const char *reason);

/*
 * Of a held line on a directory that was not held for its own sake: the path of a held line beneath it that it would
 * let in, which the profile owns. NULL where there is none, and where / holds what it never grants.
 */
const char *hold_beneath(const struct profile *profile, const struct grant *grant);
