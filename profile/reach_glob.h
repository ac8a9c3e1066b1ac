/* What a pattern of the table of tiers names on this machine, for lists of what a grant reaches. Private to them. */
#pragma once

#include "profile/tier_pattern.h"

/* Is told of each, with its path, which it does not own. */
typedef void reach_glob_fn(void *data, const char *path);

/*
 * Finds what `pattern` names beneath `directory`, open as directory_fd, whose name has `depth` parts. Follows no link,
 * goes into no other mount, and opens nothing but directories. Returns false when something could not be looked into,
 * so that there may be more.
 */
bool reach_glob(int directory_fd, const char *directory, size_t depth, const struct tier_pattern *pattern,
		reach_glob_fn *found, void *data);
