/* What every change of grants ends with, so that the profile keeps its rules. Pure. */
#pragma once

#include "profile/cover.h"
#include "profile/tiers.h"

/*
 * What is held on a path stays held, with every grant that would let it in; moves are closed again; lines that are
 * needless, but for the rights that `kept` has on their paths, go; each grant comes under the heading of its tier; all
 * is sorted. Returns whether something that was granted is held now, or a move stays open because its source is held.
 */
bool settle(struct profile *profile, const struct tiers *tiers, const struct cover *kept);
