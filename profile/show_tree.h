/* Grants as a tree by path: parts of the way that are alone stand on one line with what follows. */
#pragma once

#include "profile/profile.h"

struct tree_line {
	size_t depth;
	char *name;		   /* the part of the path that this line adds, with the slash of a directory */
	const struct grant *grant; /* NULL: only on the way to others */
};

struct tree {
	struct tree_line *lines;
	size_t count, capacity;
};

/* Of the profile's enforced grants, which must outlive the tree. */
void tree_make(const struct profile *profile, struct tree *tree);
void tree_finish(struct tree *tree);
