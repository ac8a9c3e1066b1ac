/* Arguments that should not stand in files. Pure. */
#pragma once

#include <stdbool.h>

/*
 * Whether a word of a command line looks as if it held a secret: a value behind the name of one (`--password=x`), or
 * the form of a well-known key. It misses some and takes others for one: good for a warning, no more.
 */
bool secret_is_in(const char *argument);

/* The number of the first argument that holds one, or names one that follows (`--token x`); 0 for none. */
int secret_find(int count, char *const arguments[]);
