/* The profile that -m adds to. */
#pragma once

#include <stdbool.h>
#include <sys/stat.h>

#include "base/hash.h"
#include "profile/profile.h"
#include "profile/tiers.h"
#include "profile/variables.h"

struct previous {
	const char *name; /* as it was named; NULL when there is none to add to */
	struct profile profile;
	struct stat status;
	char sha256[HASH_TEXT_SIZE];
};

/* Reads it before the program starts. One that does not exist is none where it may be new. */
int previous_read(struct previous *previous, const char *name, bool may_be_new, const struct variables *variables,
		  struct error *err);

/* Whether its grants were written with --portable, or so by hand: by variables, each that could be. False where there
 * is none. */
bool previous_is_portable(const struct previous *previous, const struct variables *variables);

/*
 * Makes *session, of which the grants are not known yet, what both say. The lines of grants go over as they are:
 * learner_finish() leaves a person's lines alone, also those that contradict each other.
 */
int previous_merge(struct previous *previous, const struct tiers *tiers, struct profile *session, struct error *err);

/* -ESTALE when other bytes stand there now: they would be lost. One that is gone meanwhile is no matter. */
int previous_check(const struct previous *previous, struct error *err);

void previous_finish(struct previous *previous);
