/*
 * A file that appears whole or not at all. Opened before the work begins, so that a bad name is an error at once;
 * until the commit nothing can be seen of it in its directory (O_TMPFILE) where the file system can do that.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "base/error.h"

struct atomic_file {
	char *path;	  /* as given, for messages */
	char *name;	  /* last part of what path leads to */
	int directory_fd; /* directory of the target */
	int fd;		  /* unnamed file, or -1 where the file system has none, or the device itself */
	mode_t mode;
	bool keeps_mode; /* of the file that is replaced, whatever the umask */
	bool replace;	 /* an existing file may be replaced */
	bool in_place;	 /* path is a device, fifo or socket: written, never replaced */
};

/*
 * Prepares to write path with `mode` (less the umask), or with that of the file it replaces. Links at the end of path
 * are followed: the file they lead to is the one replaced. Errors: -EEXIST when it exists and replace is false;
 * -EISDIR; what the directory refuses.
 */
int atomic_file_open(struct atomic_file *file, const char *path, mode_t mode, bool replace, struct error *err);

/* Writes all of data, syncs it, and gives it its name. On failure the old file is as it was. */
int atomic_file_commit(struct atomic_file *file, const char *data, size_t length, struct error *err);

/* Whether path is the very name that is to be written, however it is spelt. Nothing need be there yet. */
bool atomic_file_is_at(const struct atomic_file *file, const char *path);

/* Releases what it holds; a file not committed leaves no trace. Fine on a zeroed one whose fds are -1. */
void atomic_file_finish(struct atomic_file *file);

#define ATOMIC_FILE_NONE ((struct atomic_file){.directory_fd = -1, .fd = -1})

/* Reads a whole regular file of at most `limit` bytes; *data is NUL-terminated and the caller's. -EFBIG beyond it. */
int read_file(int fd, size_t limit, char **data, size_t *length, struct error *err);

/* What a person can do about an errno of making a file, or NULL where the error says that itself. */
const char *atomic_file_advice(int number);
