/*
 * Lines whose object the program may exchange: where it may rename within a directory, it can put another thing of that
 * directory under a name in it, and the next start grants that what the line says. Landlock sees to it that nothing
 * gains a right by a move across directories, but not by one within a directory. Pure.
 */
#pragma once

#include "profile/cover.h"

struct swap {
	rights_t gained;  /* what another thing of the directory would gain under that name */
	size_t directory; /* length of the directory's name in the path of the line */
};

/* Whether the enforced lines have, all together, what it takes: mostly they have not, and no line is to be looked at.
 */
bool swap_is_possible(const struct profile *profile);

/* Whether the program may do so with an enforced line; `cover` is of the whole profile. */
bool swap_find(const struct cover *cover, const struct grant *grant, struct swap *swap);

/* A sentence on it, for people, not escaped. The caller frees. */
char *swap_text(const struct grant *grant, const struct swap *swap);
