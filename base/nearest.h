/* For messages on a name that is not known: which one may have been meant, and which there are. Pure. */
#pragma once

#include <stddef.h>

/*
 * ", perhaps NAME (known: A, B, C)", without the first part when none is near (at most two letters more, less, changed
 * or exchanged, and less than half of it; upper case is lower case). `unknown` need not end at `length`. The caller
 * frees.
 */
char *nearest_help(const char *unknown, size_t length, const char *const known[], size_t count);

/* Only that name, or NULL; it is one of known. */
const char *nearest_name(const char *unknown, size_t length, const char *const known[], size_t count);
