/*
 * Profiles for another user, in another directory (trace-learn --portable): paths are spelled with the variables that
 * the reader knows, so they mean what lies in the same place there. Pure.
 */
#pragma once

#include "profile/profile.h"
#include "profile/variables.h"

/*
 * How path is spelled: `${DIRECTORY}/x` for what lies beneath the longest value of a variable (of two equal ones,
 * ${HOME}'s), `/run/user/${UID}` and `/tmp/NAME-${UID}` where programs keep a directory for each user. NULL when no
 * variable fits; the caller frees.
 */
char *portable_text(const struct variables *variables, const char *path);

/* Length of the value that path would be spelled with; 0 for none, and when `variables` is NULL. */
size_t portable_base(const struct variables *variables, const char *path);

/* Whether a variable's value lies beneath path (not at it): there the next user has other directories. */
bool portable_is_above(const struct variables *variables, const char *path);

/*
 * Of a line that is spelled with a variable: length of the variable's value in its path, else 0. What lies above that
 * may lie elsewhere for the next user, so it does not make the line needless.
 */
size_t grant_variable_base(const struct grant *grant);

/*
 * Gives every path of the profile that has no spelling of its own this one: of lines, moves, program and directory, and
 * arguments that are such a path, or end in `=` and one.
 */
void portable_spell(struct profile *profile, const struct variables *variables);
