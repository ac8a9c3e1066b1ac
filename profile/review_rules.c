/* Which answers a profile's rules do not let be, and why. */
#include <errno.h>
#include <string.h>

#include "base/cleanup.h"
#include "profile/fact.h"
#include "profile/hold.h"
#include "profile/path.h"
#include "profile/review_parts.h"

/* A held line beneath path that these rights would let in, or NULL. */
static const struct grant *find_let_in(const struct profile *profile, const char *path, rights_t rights)
{
	for (size_t i = 0; i < profile->grant_count; i++) {
		const struct grant *grant = &profile->grants[i];

		if (grant->section == SECTION_HELD && grant->path && grant->rights & rights &&
		    path_is_strictly_beneath(grant->path, path))
			return grant;
	}
	return NULL;
}

static int may_grant(const struct review *review, const char *path, rights_t rights, struct error *err)
{
	const struct grant *held = find_let_in(&review->working, path, rights);
	scoped_free char *fact = held ? fact_grant(held->rights, held->path) : NULL;

	if (hold_never_granted(path, rights))
		return error_set(err, EPERM,
				 "/ never gets more than read_dir: grant the directories that are needed instead");
	if (held)
		return error_set(err, EPERM, "it would let in what is held: %s; grant or drop that first", fact);
	return 0;
}

static int may_widen(struct review *review, const struct review_item *item, struct error *err)
{
	scoped_free char *parent = item->kind == REVIEW_GRANT ? path_parent(item->text) : NULL;

	if (!parent)
		return error_set(err, EPERM, "only what lies in a directory can be widened to it");
	if (!strcmp(item->text, TERMINAL_PLACEHOLDER))
		return error_set(err, EPERM, "the terminal is another one next time: it cannot be widened");
	if (item->held)
		return error_set(err, EPERM, "it is held: grant it first");
	if (!strcmp(parent, "/"))
		return error_set(err, EPERM, "the directory above is /, which never gets more than read_dir");
	if (profile_find_grant(&review->working, SECTION_HELD, parent))
		return error_set(err, EPERM, "%s is held: grant or drop that first", parent);
	return may_grant(review, parent, item->rights, err);
}

static int may_grant_absent(const struct review *review, const struct review_item *item, enum review_answer answer,
			    struct error *err)
{
	if (answer == REVIEW_DROPPED)
		return 0;
	if (answer != REVIEW_GRANTED)
		return error_set(err, EPERM, "it is not enforced: grant or drop it, or go on");
	if (profile_find_grant((struct profile *)&review->working, SECTION_HELD, item->text))
		return error_set(err, EPERM, "%s is held: grant or drop that first", item->text);
	return may_grant(review, item->text, item->rights, err);
}

int review_rules(struct review *review, const struct review_item *item, enum review_answer answer, struct error *err)
{
	if (item->answer == REVIEW_DROPPED || item->answer == REVIEW_WIDENED)
		return error_set(err, EPERM, "it is %s: undo that first", review_answer_name(item->answer));
	if (item->kind == REVIEW_ABSENT && item->answer == REVIEW_GRANTED)
		return error_set(err, EPERM, "it is granted, and a line of its own now: undo that first");
	if (item->kind == REVIEW_ABSENT)
		return may_grant_absent(review, item, answer, err);
	if (answer == REVIEW_WIDENED)
		return may_widen(review, item, err);
	if (answer == REVIEW_HELD && item->kind != REVIEW_GRANT)
		return error_set(err, EPERM, "only files can be held: drop it");
	if (answer == REVIEW_GRANTED && item->held)
		return may_grant(review, item->text, item->rights, err);
	return 0;
}

/* The move that closing would close over by granting on path, or NULL. */
static const struct move *find_move(const struct profile *profile, const char *path)
{
	for (size_t i = 0; i < profile->move_count; i++)
		if (!strcmp(profile->moves[i].from, path))
			return &profile->moves[i];
	return NULL;
}

int review_took_effect(struct review *review, const struct review_item *answer, struct error *err)
{
	const struct grant *grant = NULL;
	const struct move *move;
	scoped_free char *fact = NULL;

	if (answer->kind == REVIEW_GRANT && !answer->held)
		grant = profile_find_grant(&review->working, SECTION_NORMAL, answer->text);
	if (answer->answer != REVIEW_DROPPED || !grant)
		return 0;
	move = find_move(&review->working, answer->text);
	fact = move ? fact_move(move) : NULL;
	return error_set(err, EPERM, "closing over a move needs it: %s; hold it instead", fact ? fact : "see [moves]");
}
