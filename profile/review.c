#include "profile/review.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/memory.h"
#include "profile/fact.h"
#include "profile/path.h"
#include "profile/profile_copy.h"
#include "profile/review_parts.h"

struct review_item review_item_copy(const struct review_item *item)
{
	struct review_item copy = *item;

	copy.text = duplicate(item->text);
	copy.wider = duplicate(item->wider);
	return copy;
}

void review_item_finish(struct review_item *item)
{
	free(item->text);
	free(item->wider);
	*item = (struct review_item){0};
}

/* A line that was needless from the beginning, or has a comment, is a person's. */
static struct cover *cover_of_kept(const struct profile *profile)
{
	struct cover *kept = cover_create(&(struct profile){0}, COVER_ENFORCED);
	struct cover *granted = cover_create(profile, COVER_ENFORCED);

	for (size_t i = 0; i < profile->grant_count; i++) {
		const struct grant *grant = &profile->grants[i];

		if (grant_is_enforced(grant))
			cover_add(kept, grant->path,
				  grant->origin.comment ? grant->rights
							: grant->rights & cover_rights_above(granted, grant->path));
	}
	cover_destroy(granted);
	return kept;
}

struct review *review_create(const struct profile *profile, const struct review_options *options)
{
	static const struct profile nothing;
	struct review *review = allocate(sizeof *review);

	review->options = *options;
	profile_copy(profile, &review->original);
	review->kept = cover_of_kept(profile);
	review->before = cover_create(options->before ? options->before : &nothing, COVER_ENFORCED);
	profile_copy(profile, &review->working);
	review_apply(review);
	review_list(review);
	return review;
}

static void finish_items(struct review_item *items, size_t count)
{
	for (size_t i = 0; i < count; i++)
		review_item_finish(&items[i]);
	free(items);
}

void review_destroy(struct review *review)
{
	if (!review)
		return;
	finish_items(review->items, review->item_count);
	finish_items(review->answers, review->answer_count);
	review_answers_drop(review);
	review_item_finish(&review->undone);
	profile_finish(&review->working);
	profile_finish(&review->previous);
	profile_finish(&review->original);
	cover_destroy(review->kept);
	cover_destroy(review->before);
	free(review);
}

size_t review_count(const struct review *review)
{
	return review->item_count;
}

const struct review_item *review_item(const struct review *review, size_t index)
{
	return &review->items[index];
}

size_t review_find(const struct review *review, const struct review_item *like)
{
	size_t index = 0;

	while (index < review->item_count && !review_is_same(&review->items[index], like))
		index++;
	return index;
}

bool review_is_in_force(const struct review_item *item)
{
	return !item->held && item->kind != REVIEW_ABSENT && item->kind != REVIEW_MOVE;
}

static bool is_open(const struct review_item *item)
{
	return item->answer == REVIEW_OPEN && review_is_in_force(item);
}

size_t review_open_count(const struct review *review)
{
	size_t count = 0;

	for (size_t i = 0; i < review->item_count; i++)
		count += is_open(&review->items[i]);
	return count;
}

static void push(struct review *review, const struct review_item *item, enum review_answer answer)
{
	struct review_item *given = ARRAY_APPEND(review->answers, review->answer_count, review->answer_capacity);

	*given = review_item_copy(item);
	free(given->wider);
	given->answer = answer;
	given->wider = answer == REVIEW_WIDENED ? path_parent(item->text) : NULL;
}

static void pop(struct review *review)
{
	review_item_finish(&review->undone);
	review->undone = review->answers[--review->answer_count];
}

int review_answer(struct review *review, size_t index, enum review_answer answer, struct error *err)
{
	const struct review_item *item = &review->items[index];
	int result = review_rules(review, item, answer, err);

	if (result < 0)
		return result;
	push(review, item, answer);
	review_apply(review);
	result = review_took_effect(review, &review->answers[review->answer_count - 1], err);
	if (result < 0) {
		pop(review);
		review_apply(review);
	}
	review_list(review);
	return result;
}

const struct review_item *review_undo(struct review *review)
{
	if (!review->answer_count)
		return NULL;
	pop(review);
	review_apply(review);
	review_list(review);
	return &review->undone;
}

size_t review_answer_count(const struct review *review)
{
	return review->answer_count;
}

const struct review_item *review_answered(const struct review *review, size_t index)
{
	return &review->answers[index];
}

/* Once something is held it covers no longer, and closing again can grant its rights at the source of a move. */
void review_hold_rest(struct review *review)
{
	size_t rounds = review->working.grant_count + review->working.move_count + 1;

	while (review_open_count(review) && rounds--) {
		for (size_t i = 0; i < review->item_count; i++)
			if (is_open(&review->items[i]))
				push(review, &review->items[i],
				     review->items[i].kind == REVIEW_GRANT ? REVIEW_HELD : REVIEW_DROPPED);
		review_apply(review);
		review_list(review);
	}
}

const struct profile *review_profile(const struct review *review)
{
	return &review->working;
}

void review_last_change(const struct review *review, struct diff *diff)
{
	diff_profiles(&review->previous, &review->working, review->options.tiers, diff);
}

void review_whole_change(const struct review *review, struct diff *diff)
{
	diff_profiles(&review->original, &review->working, review->options.tiers, diff);
}

char *review_fact(const struct review_item *item)
{
	scoped_free char *fact = NULL;

	switch (item->kind) {
	case REVIEW_PORT:
		fact = fact_port(item->rights, item->port);
		return format_text("network: %s", fact);
	case REVIEW_SCOPE:
		fact = fact_rights(item->rights);
		return format_text("scope: %s", fact);
	case REVIEW_CALLS:
		return format_text("seccomp: %s", item->text);
	case REVIEW_ABSENT:
		fact = fact_grant(item->rights, item->text);
		return format_text("absent: %s", fact);
	case REVIEW_MOVE:
		return format_text("moves: %s", item->text);
	case REVIEW_ENVIRONMENT:
		return format_text("environment: %s", item->text);
	default:
		return fact_grant(item->rights, item->text);
	}
}

const char *review_answer_name(enum review_answer answer)
{
	static const char *const names[] = {
		[REVIEW_OPEN] = "open", [REVIEW_BEFORE] = "granted before", [REVIEW_GRANTED] = "granted",
		[REVIEW_HELD] = "held", [REVIEW_DROPPED] = "dropped",	    [REVIEW_WIDENED] = "widened",
	};

	return names[answer];
}
