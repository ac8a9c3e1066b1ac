/* A profile in the language of another sandbox, as far as that one has words for it; what it has none for, it is told.
 */
#pragma once

#include <stdio.h>

#include "profile/look.h"

enum export_format { EXPORT_BWRAP, EXPORT_SYSTEMD };

/*
 * What `trace-profile export` does: writes a bash script that starts bubblewrap, or a service unit of systemd, to
 * standard output; plain text, whatever bytes the profile's paths have. It is made for this machine: kinds of objects
 * and the symbolic links that lead to them are looked up here. What is not carried over, or becomes wider, stands in
 * comments at its top, and a message says so. No format is -EINVAL.
 */
int export_command_run(const char *name, const char *format, const struct look *look, struct error *err);
