/* What is offered: the lines of the profile as the answers have left it, and those that they took from it. */
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/memory.h"
#include "profile/fact.h"
#include "profile/path_order.h"
#include "profile/review_parts.h"

static bool is_port_before(const struct review *review, const struct review_item *item)
{
	const struct profile *before = review->options.before;

	for (size_t i = 0; before && i < before->port_count; i++)
		if (before->ports[i].port == item->port && !(item->rights & ~before->ports[i].rights))
			return true;
	return false;
}

static bool is_word_before(const struct review *review, const struct review_item *item)
{
	const struct profile *before = review->options.before;

	for (size_t i = 0; before && i < before->seccomp_count; i++)
		if (!strcmp(before->seccomp[i].text, item->text))
			return true;
	return false;
}

static bool was_before(const struct review *review, const struct review_item *item)
{
	switch (item->kind) {
	case REVIEW_PORT:
		return is_port_before(review, item);
	case REVIEW_SCOPE:
		return review->options.before && review->options.before->scope & item->rights;
	case REVIEW_CALLS:
		return is_word_before(review, item);
	case REVIEW_ABSENT:
	case REVIEW_MOVE:
	case REVIEW_ENVIRONMENT:
		return false;
	default:
		return !(item->rights & ~cover_rights(review->before, item->text));
	}
}

/* An answer about fewer rights than the line has now is none, if those that came since deserve a look. */
static bool is_accepted(const struct review *review, const struct review_item *item)
{
	const struct review_item *last = review_last_answer(review, item);
	rights_t rights;

	if (item->kind != REVIEW_GRANT)
		return last && last->answer == REVIEW_GRANTED && !(item->rights & ~last->rights);
	rights = review_accepted(review, item);
	return rights && (!(item->rights & ~rights) ||
			  (!review->options.all &&
			   tiers_of_grant(review->options.tiers, item->text, item->rights & ~rights) == TIER_NORMAL));
}

static enum review_answer answer_about(const struct review *review, const struct review_item *item)
{
	const struct review_item *last = review_last_answer(review, item);

	if (item->held)
		return last && last->answer == REVIEW_HELD ? REVIEW_HELD : REVIEW_OPEN;
	if (item->kind == REVIEW_ABSENT)
		return REVIEW_OPEN;
	if (is_accepted(review, item))
		return REVIEW_GRANTED;
	return was_before(review, item) ? REVIEW_BEFORE : REVIEW_OPEN;
}

static bool is_offered(const struct review *review, const struct review_item *item)
{
	bool lets_in = item->kind < REVIEW_ABSENT;

	return review->options.all || (lets_in && (item->tier > TIER_NORMAL || item->held)) ||
	       review_last_answer(review, item) || review_is_target(review, item);
}

static void offer(struct review *review, struct review_item item)
{
	if (!is_offered(review, &item))
		return;
	item.answer = answer_about(review, &item);
	review_mark_listed(review, &item);
	*ARRAY_APPEND(review->items, review->item_count, review->item_capacity) = review_item_copy(&item);
}

static void offer_grants(struct review *review)
{
	for (size_t i = 0; i < review->working.grant_count; i++) {
		const struct grant *grant = &review->working.grants[i];

		if (!grant->path)
			continue;
		offer(review,
		      (struct review_item){.kind = grant->section == SECTION_ABSENT ? REVIEW_ABSENT : REVIEW_GRANT,
					   .text = grant->path,
					   .rights = grant->rights,
					   .held = grant->section == SECTION_HELD,
					   .line = grant->origin.line,
					   .tier = tiers_of_grant(review->options.tiers, grant->path, grant->rights)});
	}
}

static void offer_rest(struct review *review)
{
	const struct profile *profile = &review->working;

	for (size_t i = 0; i < profile->port_count; i++)
		offer(review, (struct review_item){.kind = REVIEW_PORT,
						   .port = profile->ports[i].port,
						   .rights = profile->ports[i].rights,
						   .line = profile->ports[i].origin.line,
						   .tier = TIER_OF_PORT});
	for (int i = 0; i < 2; i++)
		if (profile->scope & 1ULL << (RIGHTS_SCOPE_SHIFT + i))
			offer(review, (struct review_item){.kind = REVIEW_SCOPE,
							   .rights = 1ULL << (RIGHTS_SCOPE_SHIFT + i),
							   .line = profile->scope_origins[i].line,
							   .tier = TIER_OF_SCOPE});
	for (size_t i = 0; i < profile->seccomp_count; i++)
		offer(review, (struct review_item){.kind = REVIEW_CALLS,
						   .text = profile->seccomp[i].text,
						   .line = profile->seccomp[i].origin.line,
						   .tier = TIER_OF_WORD});
}

static void offer_facts(struct review *review)
{
	const struct profile *profile = &review->working;

	for (size_t i = 0; i < profile->move_count; i++) {
		scoped_free char *fact = fact_move(&profile->moves[i]);

		offer(review,
		      (struct review_item){.kind = REVIEW_MOVE, .text = fact, .line = profile->moves[i].origin.line});
	}
	for (size_t i = 0; i < profile->environment_count; i++) {
		scoped_free char *fact = fact_environment(&profile->environment[i]);

		offer(review, (struct review_item){.kind = REVIEW_ENVIRONMENT,
						   .text = fact,
						   .line = profile->environment[i].origin.line});
	}
}

/* A line that an answer took away is still there to see. */
static void add_gone(struct review *review)
{
	for (size_t i = 0; i < review->answer_count; i++) {
		const struct review_item *answer = &review->answers[i];

		if (review_last_answer(review, answer) == answer && !review_is_listed(review, answer))
			*ARRAY_APPEND(review->items, review->item_count, review->item_capacity) =
				review_item_copy(answer);
	}
}

static int compare_items(const void *left, const void *right)
{
	const struct review_item *a = left, *b = right;

	if (a->tier != b->tier)
		return (int)b->tier - (int)a->tier;
	if (a->kind != b->kind)
		return (int)a->kind - (int)b->kind;
	if (a->kind == REVIEW_PORT)
		return (a->port > b->port) - (a->port < b->port);
	if (a->kind == REVIEW_SCOPE)
		return (a->rights > b->rights) - (a->rights < b->rights);
	if (a->kind != REVIEW_GRANT && a->kind != REVIEW_ABSENT)
		return strcmp(a->text, b->text);
	return strcmp(a->text, b->text) ? path_order(a->text, b->text) : (int)a->held - (int)b->held;
}

void review_list(struct review *review)
{
	for (size_t i = 0; i < review->item_count; i++)
		review_item_finish(&review->items[i]);
	review->item_count = 0;
	offer_grants(review);
	offer_rest(review);
	offer_facts(review);
	add_gone(review);
	if (review->item_count)
		qsort(review->items, review->item_count, sizeof *review->items, compare_items);
}
