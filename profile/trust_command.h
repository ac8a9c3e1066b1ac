/* What `trace-profile trust` does: shows a profile or a tiers file, and lets in the bytes that it showed. */
#pragma once

#include "profile/look.h"

/* 0, or -errno with err set: then nothing was entered. */
int trust_command_run(const char *name, const struct look *look, struct error *err);
