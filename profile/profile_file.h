/*
 * The one reader and the one writer of profiles (docs/trace-profile.5). read(write(p)) is p.
 */
#pragma once

#include <stdio.h>
#include <sys/stat.h>

#include "base/buffer.h"
#include "profile/ini.h"
#include "profile/profile.h"
#include "profile/variables.h"

/* How the writer's first line begins, up to the version; the reader drops it. */
#define PROFILE_SIGNATURE "; written by trace-learn "

/*
 * Reads a profile. `name` is for messages. Every error is "name:line: what, and what to do"; nothing of a profile with
 * an error is used. `variables` may be NULL: then they are taken from this process (variables_of_process()).
 * -EINVAL for what the file says, else what reading gave.
 */
int profile_read_file(FILE *file, const char *name, const struct variables *variables, struct profile *profile,
		      struct error *err);
int profile_read_text(const char *text, size_t length, const char *name, const struct variables *variables,
		      struct profile *profile, struct error *err);

/*
 * For who wants to know of every line that is refused, not of the first alone: each error is told, "name:line: …", and
 * counted. None when profile_read_text() takes the text.
 */
void profile_refusals(const char *text, size_t length, const char *name, const struct variables *variables,
		      struct ini_refusals *refusals);

/*
 * Opens path, reads it, and gives the bytes' SHA-256 (64 digits) and the status of what was opened where they are
 * asked for (both may be NULL): what is decided about the file is decided about the very bytes that were read.
 * A file, or a pipe that was handed over (/dev/stdin, /dev/fd/N); anything else is -EINVAL (-EISDIR) at once.
 */
int profile_load(const char *path, const struct variables *variables, struct profile *profile, char *sha256,
		 struct stat *status, struct error *err);

/* The same, for who may not need the hash: gives those bytes, into an empty buffer. */
int profile_load_bytes(const char *path, const struct variables *variables, struct profile *profile,
		       struct buffer *bytes, struct stat *status, struct error *err);

/* The profile as text, sorted; the profile itself is sorted on the way. */
void profile_write(struct profile *profile, struct buffer *out);
