/* What changed between two profiles, by computed tier. Pure. */
#pragma once

#include <stdio.h>

#include "profile/profile.h"
#include "profile/tiers.h"

enum change_kind { CHANGE_GAINED, CHANGE_LOST, CHANGE_WIDENED, CHANGE_CHANGED };

struct change {
	enum change_kind kind;
	char *section;	 /* name of the section it concerns */
	char *text;	 /* the fact as a profile line says it, without the key's "allow = " */
	char *note;	 /* what it replaces or why it matters; NULL for none */
	char *path;	 /* file system changes only */
	rights_t rights; /* gained or lost */
	enum tier tier;	 /* of what was gained; DESIGN section 6 for what has no path */
	bool gains;	 /* counts for --fail-on */
};

struct diff {
	struct change *changes; /* sorted */
	size_t count, capacity;
};

void diff_profiles(const struct profile *old, const struct profile *new, const struct tiers *tiers, struct diff *diff);
void diff_finish(struct diff *diff);
bool diff_gains(const struct diff *diff, enum tier tier); /* something of this tier or above was gained */

void diff_print_text(const struct diff *diff, FILE *out, bool colour);
void diff_print_json(const struct diff *diff, const char *old_name, const char *new_name, FILE *out);
