/* Opening a file that a person named, to be read whole. */
#pragma once

#include <sys/stat.h>

#include "base/error.h"

/*
 * Looks before it opens: opening a named pipe waits, and opening a device can act. A regular file, or a pipe without a
 * name (/dev/stdin, <(…)). `what` says in messages what it is to be. Returns a descriptor, the caller's, or -errno;
 * *status is that of the file.
 */
int open_given(const char *path, const char *what, struct stat *status, struct error *err);
