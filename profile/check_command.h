/* What `trace-profile check` does with one file: reads it, checks it, and prints what it found. */
#pragma once

#include "profile/look.h"

/* 1 when something was found (check_passes()), 0 when not; -errno with err set when the file cannot be read. */
int check_command_run(const char *name, const struct look *look, struct error *err);
