/*
 * Further names that bind mounts give to what a path leads to. Landlock grants on the object, so a grant on one of them
 * counts for all.
 */
#pragma once

typedef void mount_name_fn(void *data, const char *name);

struct mounts; /* as they were when they were read */

struct mounts *mounts_read(void);
void mounts_destroy(struct mounts *mounts); /* NULL is fine */

/* mount_names(), for who asks often, or later where /proc can no longer be read. */
void mounts_names(const struct mounts *mounts, const char *path, mount_name_fn *name, void *data);

/* Calls back with each other name of path (absolute, no links in it; it need not exist). */
void mount_names(const char *path, mount_name_fn *name, void *data);
