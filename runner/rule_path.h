/*
 * Opening the object of a rule (DESIGN section 5, last point). Each path is opened once, O_PATH, without magic links;
 * its kind and rights are decided on that descriptor. A symbolic link on the way is followed only where it lies in a
 * directory owned by root that neither group nor others nor the profile's own grants can change.
 */
#pragma once

#include <sys/types.h>

#include "profile/cover.h"
#include "profile/profile.h"

/*
 * Opens path; returns the descriptor (close on exec) with its st_mode, or -errno with err set:
 * -ENOENT, -ENOTDIR: missing (a warning, the rest goes on); -ELOOP: a link that must not be followed, err names link
 * and target; anything else: what the kernel said. "/proc/self/…" is the calling process's own.
 * `cover` tells which directories the profile's grants can change; NULL for none.
 */
int rule_path_open(const char *path, const struct cover *cover, mode_t *mode, struct error *err);
