/*
 * Further names that bind mounts give to what a path leads to. Landlock grants on the object, so a grant on one of them
 * counts for all.
 */
#pragma once

typedef void mount_name_fn(void *data, const char *name);

/* Calls back with each other name of path (absolute, no links in it; it need not exist). */
void mount_names(const char *path, mount_name_fn *name, void *data);
