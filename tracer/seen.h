/* A set of byte strings: what was seen, or said, before. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

struct seen; /* NULL is the empty set */

bool seen_add(struct seen **set, const void *key, size_t length); /* whether it is new */
bool seen_has(struct seen *set, const void *key, size_t length);
void seen_clear(struct seen **set);
