/*
 * What a set of grants allows: Landlock joins the rights of rules on an object and on every directory above it.
 * The one answer to "does this profile allow that?" for learning, starting, diff, check and why (principle 8).
 */
#pragma once

#include "profile/profile.h"

struct cover; /* rights by path; a copy, so it does not follow the profile that it was made of */

/* Over the grants of the sections whose bits (1u << section) are set. */
struct cover *cover_create(const struct profile *profile, unsigned sections);
void cover_destroy(struct cover *cover); /* NULL is fine */
#define COVER_ENFORCED (1u << SECTION_NORMAL | 1u << SECTION_GUARDED | 1u << SECTION_PROTECTED)

/* Rights on path: of grants on it and on all directories above it. Takes time by the length of the path alone. */
rights_t cover_rights(const struct cover *cover, const char *path);
/* Rights that come from directories above path alone. */
rights_t cover_rights_above(const struct cover *cover, const char *path);
/* The same, of directories whose names have at least `shortest` bytes. */
rights_t cover_rights_between(const struct cover *cover, const char *path, size_t shortest);
/* Rights of the grant on path alone. */
rights_t cover_rights_on(const struct cover *cover, const char *path);

/* For those who change grants as they go. cover_add() returns whether the grant on path had not all of them before. */
bool cover_add(struct cover *cover, const char *path, rights_t rights);
void cover_remove(struct cover *cover, const char *path, rights_t rights);
