/* Pure work on absolute path names; nothing here looks at a file system. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* Absolute, no empty, `.` or `..` part, no slash at the end (but "/"). */
bool path_is_clean(const char *path);

/* Joins doubled slashes and drops trailing ones and `.` parts; NULL when relative or with a `..` part. Caller frees. */
char *path_clean(const char *path);

/* Whether a part of path, absolute or not, is `.` or `..`. */
bool path_has_dots(const char *path);

/* Length of path's parent directory: "/a/b" 2, "/a" 1, "/" 0. */
size_t path_parent_length(const char *path);
char *path_parent(const char *path); /* caller frees; NULL for "/" */

/* Whether path is directory or lies beneath it. */
bool path_is_beneath(const char *path, const char *directory);
/* As above, but not directory itself. */
bool path_is_strictly_beneath(const char *path, const char *directory);
