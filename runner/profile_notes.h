/* What is said about a profile before the program starts: warnings and notices on stderr, nothing is refused. */
#pragma once

#include "profile/reach.h"
#include "profile/tiers.h"
#include "runner/ruleset.h"

struct profile_notes {
	const char *file;	   /* the profile, as it was named */
	const struct reach *reach; /* of the profile */
	const struct ruleset *ruleset;
	const struct tiers *tiers;
};

/*
 * Held lines and those that other grants allow all the same, what is granted on "/", incompleteness, lines under too
 * low a heading, another table of tiers, another directory, lines without a terminal, rights that this kernel does not
 * enforce.
 */
void profile_notes_say(const struct profile_notes *notes);
