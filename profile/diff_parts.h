/* Between the files of diff. */
#pragma once

#include "profile/diff.h"

/* Adds a change that is not enforced; owns text. The caller sets the rest; valid until the next one. */
struct change *diff_add(struct diff *diff, enum change_kind kind, const char *section, char *text);
/* The same for one that is enforced and counts in that tier. */
struct change *diff_add_enforced(struct diff *diff, enum change_kind kind, const char *section, char *text,
				 enum tier tier, bool gains);

void diff_grants(const struct profile *old, const struct profile *new, const struct tiers *tiers, struct diff *diff);
void diff_facts(const struct profile *old, const struct profile *new, struct diff *diff);
void diff_environment(const struct profile *old, const struct profile *new, struct diff *diff);
