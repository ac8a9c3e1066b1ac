/* The profile that comes of the answers: each changes the lines it is about, then the rules are settled once for all.
 */
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/memory.h"
#include "profile/fact.h"
#include "profile/hold.h"
#include "profile/merge_parts.h"
#include "profile/profile_copy.h"
#include "profile/review_parts.h"
#include "profile/settle.h"

/* Lines without rights go when the profile is sorted. */
static void empty(struct grant *grant)
{
	if (!grant)
		return;
	grant->rights = 0;
	origin_finish(&grant->origin);
}

/* "${HOME}/x/y" becomes "${HOME}/x". NULL where the last part may be spelled in another way than it is named. */
static char *spelling_above(const struct grant *grant)
{
	const char *written = grant->origin.written;
	const char *slash = written ? strrchr(written, '/') : NULL;

	if (!slash || slash == written || strcmp(slash, strrchr(grant->path, '/')) != 0)
		return NULL;
	return duplicate_bytes(written, (size_t)(slash - written));
}

/* What a person wrote at a line goes with it. */
static void hand_on(struct grant *from, struct grant *to)
{
	scoped_free char *spelling = spelling_above(from);

	merge_comment(&to->origin.comment, from->origin.comment);
	if (spelling && !to->origin.written)
		origin_spell(&to->origin, spelling, to->path);
}

static void widen(struct profile *profile, const struct review_item *answer)
{
	struct grant *from = profile_find_grant(profile, SECTION_NORMAL, answer->text), *to;
	rights_t rights = answer->rights | (from ? from->rights : 0);

	to = profile_add_grant(profile, SECTION_NORMAL, rights, answer->wider);
	from = profile_find_grant(profile, SECTION_NORMAL, answer->text); /* it may have been moved in memory */
	if (from)
		hand_on(from, to);
	empty(from);
}

/* Settling may hold what the file grants: then the line stands elsewhere than where it was answered. */
static struct grant *find_line(struct profile *profile, const struct review_item *answer)
{
	struct grant *grant = profile_find_grant(profile, answer->held ? SECTION_HELD : SECTION_NORMAL, answer->text);

	if (!grant && answer->held && strcmp(answer->text, "/") != 0)
		grant = profile_find_grant(profile, SECTION_NORMAL, answer->text);
	return grant;
}

/* A line that only closing makes is not there yet: the answer tells its rights. */
static void put(struct profile *profile, const struct review_item *answer, enum section section)
{
	struct grant *grant = find_line(profile, answer);

	if (grant)
		grant->section = section;
	profile_add_grant(profile, section, answer->rights, answer->text);
}

/* What would be needed if it were gone is let in now already. */
static void apply_to_absent(struct profile *profile, const struct review_item *answer)
{
	struct grant *from = profile_find_grant(profile, SECTION_ABSENT, answer->text), *to;

	if (answer->answer == REVIEW_GRANTED) {
		to = profile_add_grant(profile, SECTION_NORMAL, answer->rights, answer->text);
		from = profile_find_grant(profile, SECTION_ABSENT, answer->text); /* it may have been moved in memory */
		if (from)
			merge_origin(&to->origin, &from->origin);
	}
	empty(from);
}

static void apply_to_grant(struct profile *profile, const struct review_item *answer)
{
	switch (answer->answer) {
	case REVIEW_GRANTED:
		put(profile, answer, SECTION_NORMAL);
		break;
	case REVIEW_HELD:
		put(profile, answer, SECTION_HELD);
		break;
	case REVIEW_DROPPED:
		empty(find_line(profile, answer));
		break;
	default:
		widen(profile, answer);
		break;
	}
}

static void drop_port(struct profile *profile, int port)
{
	size_t kept = 0;

	for (size_t i = 0; i < profile->port_count; i++)
		if (profile->ports[i].port == port)
			origin_finish(&profile->ports[i].origin);
		else
			profile->ports[kept++] = profile->ports[i];
	profile->port_count = kept;
}

static void drop_scope(struct profile *profile, rights_t bit)
{
	profile->scope &= ~bit;
	origin_finish(&profile->scope_origins[__builtin_ctzll(bit) - RIGHTS_SCOPE_SHIFT]);
}

static void drop_word(struct word *words, size_t *count, const char *text)
{
	size_t kept = 0;

	for (size_t i = 0; i < *count; i++) {
		if (strcmp(words[i].text, text) != 0) {
			words[kept++] = words[i];
			continue;
		}
		free(words[i].text);
		origin_finish(&words[i].origin);
	}
	*count = kept;
}

static void drop_move(struct profile *profile, const char *fact)
{
	size_t kept = 0;

	for (size_t i = 0; i < profile->move_count; i++) {
		struct move *move = &profile->moves[i];
		scoped_free char *own = fact_move(move);

		if (strcmp(own, fact) != 0) {
			profile->moves[kept++] = *move;
			continue;
		}
		free(move->from);
		free(move->to);
		origin_finish(&move->origin);
	}
	profile->move_count = kept;
}

static void drop_environment(struct profile *profile, const char *fact)
{
	size_t kept = 0;

	for (size_t i = 0; i < profile->environment_count; i++) {
		struct environment_line *line = &profile->environment[i];
		scoped_free char *own = fact_environment(line);

		if (strcmp(own, fact) != 0) {
			profile->environment[kept++] = *line;
			continue;
		}
		free(line->name);
		free(line->value);
		origin_finish(&line->origin);
	}
	profile->environment_count = kept;
}

static void apply_drop(struct profile *profile, const struct review_item *answer)
{
	switch (answer->kind) {
	case REVIEW_PORT:
		drop_port(profile, answer->port);
		break;
	case REVIEW_SCOPE:
		drop_scope(profile, answer->rights);
		break;
	case REVIEW_MOVE:
		drop_move(profile, answer->text);
		break;
	case REVIEW_ENVIRONMENT:
		drop_environment(profile, answer->text);
		break;
	default:
		drop_word(profile->seccomp, &profile->seccomp_count, answer->text);
	}
}

static void apply_answer(struct profile *profile, const struct review_item *answer)
{
	if (answer->kind == REVIEW_GRANT)
		apply_to_grant(profile, answer);
	else if (answer->kind == REVIEW_ABSENT)
		apply_to_absent(profile, answer);
	else if (answer->answer == REVIEW_DROPPED)
		apply_drop(profile, answer);
}

static bool has_reason(const struct profile *profile, const char *reason)
{
	for (size_t i = 0; i < profile->incomplete_count; i++)
		if (!strcmp(profile->incomplete[i].text, reason))
			return true;
	return false;
}

static bool has_held(const struct profile *profile)
{
	for (size_t i = 0; i < profile->grant_count; i++)
		if (profile->grants[i].section == SECTION_HELD)
			return true;
	return false;
}

/* Returns whether it stood there and does no longer. */
static bool drop_reason(struct profile *profile, const char *reason, bool is_true)
{
	size_t count = profile->incomplete_count;

	if (is_true)
		return false;
	drop_word(profile->incomplete, &profile->incomplete_count, reason);
	if (count > profile->incomplete_count && !profile->incomplete_count)
		profile->complete = true;
	return count > profile->incomplete_count;
}

/* Whether an answer took something that was in force, and nothing else gives it. */
static bool took(const struct review *review, enum review_answer answer, const struct cover *granted)
{
	for (size_t i = 0; i < review->answer_count; i++) {
		const struct review_item *item = &review->answers[i];

		if (item->answer != answer || !review_is_in_force(item) || review_last_answer(review, item) != item)
			continue;
		if (item->kind != REVIEW_GRANT || item->rights & ~cover_rights(granted, item->text))
			return true;
	}
	return false;
}

static bool dropped_held(const struct review *review)
{
	for (size_t i = 0; i < review->answer_count; i++)
		if (review->answers[i].answer == REVIEW_DROPPED && review->answers[i].held)
			return true;
	return false;
}

/* What the sessions needed and the profile does not give any more, or gives again. */
static void give_reasons(struct review *review, bool settled_held)
{
	struct profile *profile = &review->working;
	struct cover *granted = cover_create(profile, COVER_ENFORCED);
	bool needed = has_reason(profile, HOLD_REASON) || has_reason(profile, HOLD_ROOT_REASON);

	if (settled_held || took(review, REVIEW_HELD, granted))
		profile_add_incomplete(profile, HOLD_REASON);
	if (took(review, REVIEW_DROPPED, granted) || (needed && dropped_held(review)))
		profile_add_incomplete(profile, REVIEW_DROP_REASON);
	drop_reason(profile, HOLD_REASON, settled_held || has_held(profile));
	drop_reason(profile, HOLD_ROOT_REASON, profile_find_grant(profile, SECTION_HELD, "/"));
	cover_destroy(granted);
}

void review_apply(struct review *review)
{
	bool held;

	review_answers_collect(review);
	profile_finish(&review->previous);
	review->previous = review->working;
	profile_copy(&review->original, &review->working);
	for (size_t i = 0; i < review->answer_count; i++)
		apply_answer(&review->working, &review->answers[i]);
	if (review->answer_count)
		profile_sort(&review->working); /* emptied lines go: nothing is held on their paths any more */
	held = settle(&review->working, review->options.tiers, review->kept);
	give_reasons(review, held);
	profile_sort(&review->working);
}
