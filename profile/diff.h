/*
 * What changed between two profiles, by computed tier. Pure. What counts is what is allowed, not how it is written:
 * lines are compared through cover, so needless lines, headings, order and comments make no difference.
 */
#pragma once

#include <stdio.h>

#include "profile/profile.h"
#include "profile/tiers.h"

enum change_kind {
	CHANGE_GAINED,	/* + only the new profile has it */
	CHANGE_LOST,	/* - only the old one has it */
	CHANGE_WIDENED, /* ~ the new profile allows more where the old one allowed something */
	CHANGE_CHANGED, /* ~ another value */
};

struct change {
	enum change_kind kind;
	const char *section; /* name of the one it concerns; of a grant in force the one of the computed tier */
	char *text;	     /* what was gained or lost, no more, as a profile line says it without "allow = " */
	char *note;	     /* what it replaces or why it matters; NULL for none */
	char *path;	     /* of a grant, else NULL */
	rights_t rights;     /* gained or lost; 0 where it is not about rights */
	bool enforced;	     /* it changes what a run may do; else it only tells something */
	enum tier tier;	     /* of what was gained or lost, where it is enforced */
	bool gains;	     /* counts for --fail-on */
};

struct diff {
	struct change *changes; /* sorted: tiers from above, then what is not enforced; in each by path */
	size_t count, capacity;
};

/* Grants that could not be expanded (struct grant: skipped) are passed over: see TERMINAL_PLACEHOLDER (fact.h). */
void diff_profiles(const struct profile *old, const struct profile *new, const struct tiers *tiers, struct diff *diff);
void diff_finish(struct diff *diff);
size_t diff_gain_count(const struct diff *diff, enum tier tier); /* gains of this very tier */
bool diff_gains(const struct diff *diff, enum tier tier);	 /* something of this tier or above was gained */

struct diff_why; /* diff_why.h: what is known of each gained line; NULL for nothing */

void diff_print_text(const struct diff *diff, const struct diff_why *why, FILE *out, bool colour);
/* In the form of docs/trace-diff.schema.json. */
void diff_print_json(const struct diff *diff, const struct diff_why *why, const char *old_name, const char *new_name,
		     FILE *out);
