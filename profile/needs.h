/*
 * What a session needs, put where it belongs in a profile; and what of it no line is needed for. Private to the
 * learner, and to what else changes grants.
 */
#pragma once

#include "profile/cover.h"
#include "profile/profile.h"

/*
 * Grants rights on path, but holds what must not be granted: on "/" all but read_dir, and everything on a path that
 * is held already, since a path is held or granted, not both. Returns the rights that are now granted.
 */
rights_t needs_add(struct profile *profile, const char *path, rights_t rights);

/*
 * Takes rights that a directory above grants by a line like it (alike.h) from each line, and lines without rights from
 * the profile, but leaves every line the rights that `kept` (NULL for none) has on its path. What a path is granted
 * does not change by it. A held line loses what is granted above it all the same: it would not be held.
 */
void needs_drop_covered(struct profile *profile, const struct cover *kept);

/* Takes from [absent] what is granted. Lines without rights are dropped when the profile is sorted. */
void needs_drop_present(struct profile *profile);
