/* The name of a profile on a command line. Pure. */
#pragma once

#include <stdbool.h>

#include "base/error.h"

/* Whether a word in another place may be meant as one: it ends in .ini, and has more in front of it. */
bool may_be_profile(const char *word);

/*
 * An option ("-p") that takes one profile has named `first`, and now names `second`: always -EINVAL, since the last of
 * two would count alone, and the first one be left out without a word.
 */
int profile_named_twice(const char *option, const char *first, const char *second, struct error *err);
