/* What a command needs that looks at profiles without running anything: variables, tiers, and profiles read with them.
 */
#pragma once

#include "profile/profile.h"
#include "profile/tiers.h"
#include "profile/variables.h"

struct look {
	struct variables variables; /* of this process, with the terminal as TERMINAL_PLACEHOLDER (fact.h) */
	struct tiers *tiers;
};

/* Errors: those of tiers_load(). look_finish() is due in any case. */
int look_init(struct look *look, struct error *err);
void look_finish(struct look *look);

#define scoped_look    __attribute__((cleanup(look_finish))) struct look
#define scoped_profile __attribute__((cleanup(profile_finish))) struct profile
