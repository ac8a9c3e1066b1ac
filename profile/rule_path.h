/*
 * Opening the object of a rule (docs/internals/runner.md). Each path is opened once, O_PATH, without magic links;
 * its kind and rights are decided on that descriptor. A symbolic link on the way is followed only where it lies in a
 * directory owned by root that neither group nor others nor the profile's own grants can change.
 */
#pragma once

#include <stdbool.h>
#include <sys/types.h>

#include "base/buffer.h"
#include "base/error.h"
#include "profile/reach.h"

/*
 * Opens path; returns the descriptor (close on exec) with its st_mode, or -errno with err set:
 * -ENOENT, -ENOTDIR: missing (a warning, the rest goes on); -ELOOP: a link that must not be followed, err names link
 * and target; -ENOSYS, -EPERM: openat2(2) itself is refused; anything else: what the kernel said.
 * `mode` may be NULL.
 * "/proc/self/…" is the calling process's own. `reach` tells which directories the profile's grants can change; NULL
 * for none.
 */
int rule_path_open(const char *path, const struct reach *reach, mode_t *mode, struct error *err);

/* Whether something is there, and a symbolic link on the way or at its end. */
bool rule_path_has_link(const char *path);
/*
 * The same of many paths, one after the other, that mostly come by the directory: that of the last ones is kept open,
 * so that the kernel goes the way to it once. Starts zeroed.
 */
struct rule_path_place {
	struct buffer directory; /* of the last path */
	size_t count;		 /* of the paths that were in it without a break */
	int fd;			 /* of the directory, once `count` says that it is worth it; or -errno */
};

/* *fd becomes the object's descriptor (close on exec) where there is no link, or -1. */
bool rule_path_open_or_has_link(struct rule_path_place *place, const char *path, int *fd);
void rule_path_place_finish(struct rule_path_place *place);

/* Told of each symbolic link on a way: its name, canonical but for its own last part. */
typedef void rule_path_link_fn(void *data, const char *name);

/*
 * Opens what an absolute path leads to, whatever links (but magic ones: -ELOOP) are on the way, and gives its canonical
 * name (caller frees). For the files that a person names (profile, tiers), not for rules.
 */
int rule_path_trace(const char *path, rule_path_link_fn *link, void *data, char **real, struct error *err);
