/* The paths that a profile's lines name: what else its grants reach is what a reader does not see in it. */
#pragma once

#include <stdbool.h>

#include "profile/profile.h"

struct named_paths;

/* Of the lines in force. The profile must outlive it, unchanged. */
struct named_paths *named_paths_create(const struct profile *profile);
void named_paths_destroy(struct named_paths *paths); /* NULL is fine */

/* Whether a line names path, or something beneath it: a reach_touched_fn, with the paths as data. */
bool named_paths_has(void *paths, const char *path);
