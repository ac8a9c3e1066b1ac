/*
 * What a set of grants allows: Landlock joins the rights of rules on an object and on every directory above it.
 * The one answer to "does this profile allow that?" for learning, starting, diff, check and why (principle 8).
 */
#pragma once

#include "profile/profile.h"

struct cover; /* index over a profile's grants by path; the profile must outlive it and keep its paths */

/* Over the grants of the sections whose bits (1u << section) are set. */
struct cover *cover_create(const struct profile *profile, unsigned sections);
void cover_destroy(struct cover *cover);
#define COVER_ENFORCED (1u << SECTION_NORMAL | 1u << SECTION_GUARDED | 1u << SECTION_PROTECTED)

/* Rights on path: of grants on it and on all directories above it. */
rights_t cover_rights(const struct cover *cover, const char *path);
/* Rights that come from directories above path alone. */
rights_t cover_rights_above(const struct cover *cover, const char *path);
