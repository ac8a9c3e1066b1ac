/*
 * What stands between reading a profile and starting under it: whether its bytes may be believed (file_gate.h), and
 * whether this kernel can enforce what it counts on. Nothing is started when one of these says no.
 */
#pragma once

#include <stdbool.h>

#include "profile/file_gate.h"
#include "profile/tiers.h"
#include "runner/ruleset.h"

/* Refuses (-EOPNOTSUPP) a kernel below the profile's `landlock = N`, unless best_effort. */
int profile_gate_kernel(const struct profile *profile, const struct ruleset *ruleset, bool best_effort,
			struct error *err);

/* All of that for a file that has just been written, with that hash: what trace-run would say to it without options. */
int profile_gate_written(const char *file, const struct profile *profile, const char *sha256, const struct tiers *tiers,
			 struct error *err);
