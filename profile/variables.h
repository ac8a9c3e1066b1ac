/* The variables that a profile's paths may use (docs/trace-profile.5). */
#pragma once

#include <stdbool.h>

#include "base/buffer.h"
#include "base/error.h"

struct variables {
	char *home;	 /* each NULL when unset */
	char *tty;	 /* path of the controlling terminal, e.g. /dev/pts/3; NULL without one */
	char *directory; /* present directory */
	char *tmpdir;
	char *xdg_runtime_dir;
	char *uid;
};

/*
 * Of this process: environment, controlling terminal (by its device number, which the kernel tells in /proc/self/stat:
 * a descriptor of /dev/tty does not know its name), directory, real uid.
 */
void variables_of_process(struct variables *variables);
/*
 * Forgets each directory that does not exist or is named through symbolic links: what lies beneath has other names for
 * the kernel. Appends the names of those variables, with blanks between them.
 */
void variables_forget_links(struct variables *variables, struct buffer *forgotten);
void variables_finish(struct variables *variables);

/*
 * Looks up `name`. -ENOENT with err: no such variable; -EINVAL with err: unset, relative, "/", or with a `.` or `..`
 * part (not for UID). ${TTY} without a terminal: -ENOTTY with err; the reader then skips the line.
 */
int variables_get(const struct variables *variables, const char *name, const char **value, struct error *err);
