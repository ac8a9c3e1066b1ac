/*
 * What each start reads back before the exec, since it costs next to nothing: --verify proves the rest. A kernel, a
 * tracer or a preloaded library that answered success without doing anything is found out here.
 */
#pragma once

#include "base/error.h"
#include "profile/reach.h"
#include "runner/ruleset.h"

/*
 * no_new_privs, the filter of calls (mode, and one call that is always refused), and one access that the domain must
 * refuse, unless the profile grants it. -EPERM with err set when one of them is not in force.
 */
int in_force_check(const struct ruleset *ruleset, const struct reach *reach, struct error *err);
