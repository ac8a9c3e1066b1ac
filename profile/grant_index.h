/*
 * Private to profile/profile*.c: finds a profile's grants by path. It notices when others have reordered or removed
 * grants in the array, and is then made anew; their sections may be changed at any time.
 */
#pragma once

#include "profile/profile.h"

/* The grant on path in this section's class (enforced, held, absent), or NULL. */
struct grant *grant_index_find(struct profile *profile, enum section section, const char *path);

/* To be called once after each grant appended to an array in which grant_index_find() has just not found its path. */
void grant_index_add_last(struct profile *profile);

/* Joins grants that are there twice (others may have changed their sections), drops those without rights. */
void grant_index_join(struct profile *profile);

/* profile_sort() for a profile in which no grant can be there twice: all were just added by profile_add_grant(). */
void profile_sort_unique(struct profile *profile);

void grant_index_drop(struct profile *profile);
