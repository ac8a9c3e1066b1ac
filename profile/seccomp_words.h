/*
 * The words of a profile's [seccomp] section: each opens one group of calls that Landlock does not reach and that is
 * refused without it. Which calls a group holds is the runner's matter.
 */
#pragma once

#include <stdbool.h>

struct seccomp_word {
	const char *name;
	const char *help; /* one short line: what the group allows */
};

/* The table, sorted by name; ends with a NULL name. */
extern const struct seccomp_word seccomp_word_table[];

bool seccomp_word_is_known(const char *name);
