/* The environment that the program gets ([environment] in docs/trace-profile.5). */
#pragma once

#include "profile/profile.h"

/*
 * Without the section: NULL, and the environment passes as it is. With it: a new, NULL-terminated array; the caller
 * frees it with environment_destroy(). `keep` lines: nothing else passes; without any: all passes but what `unset`
 * names. `set` replaces a variable or adds it, at the end.
 */
char **environment_build(const struct profile *profile, char *const environment[]);
void environment_destroy(char **environment); /* NULL is fine */
