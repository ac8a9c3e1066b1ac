/* What is said of a line that is asked about. */
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/memory.h"
#include "profile/fact.h"
#include "profile/path.h"
#include "profile/review_talk.h"

#define REACH_SHOWN	 3
#define CONSEQUENCES_MAX 10

enum style talk_style(enum tier tier)
{
	static const enum style styles[] = {
		[TIER_NORMAL] = STYLE_PLAIN,
		[TIER_GUARDED] = STYLE_YELLOW,
		[TIER_PROTECTED] = STYLE_RED,
	};

	return styles[tier];
}

static const char *state_of(const struct review_item *item)
{
	switch (item->answer) {
	case REVIEW_OPEN:
		return item->held ? "held, not answered" : "in force, not answered";
	case REVIEW_WIDENED:
		return "widened to";
	default:
		return review_answer_name(item->answer);
	}
}

/* What the grant reaches, as the summary of trace-learn says it. At most `limit` names. */
static void add_reach(const struct talk *talk, struct page *page, const struct review_item *item, size_t limit)
{
	struct grant grant = {.rights = item->rights, .path = item->text};
	const struct profile alone = {.grants = &grant, .grant_count = 1};
	struct reach_list list;

	if (item->kind != REVIEW_GRANT)
		return;
	reach_list_make(&list, &alone, talk->with->tiers, talk->with->touched, talk->with->touched_data);
	for (size_t i = 0; i < list.count && i <= limit; i++)
		page_add(page, STYLE_DIM, 4, "  %s", list.lines[i]);
	if (list.count > limit + 1)
		page_add(page, STYLE_DIM, 4, "    and more: e");
	reach_list_finish(&list);
}

void talk_add_item(const struct talk *talk, struct page *page)
{
	const struct review_item *item = review_item(talk->review, talk->at);
	scoped_free char *fact = review_fact(item);
	const char *wider = item->wider ? item->wider : "";

	page_add(page, STYLE_PLAIN, 0, " ");
	page_add(page, STYLE_BOLD, 2, "%zu of %zu: %s, %s%s%s", talk->at + 1, review_count(talk->review),
		 tier_name(item->tier), state_of(item), *wider ? " " : "", wider);
	page_add(page, talk_style(item->tier), 4, "  %s", fact);
	add_reach(talk, page, item, REACH_SHOWN);
}

static const struct grant *grant_of(const struct talk *talk, const struct review_item *item)
{
	const struct profile *profile = review_profile(talk->review);

	for (size_t i = 0; item->kind == REVIEW_GRANT && i < profile->grant_count; i++) {
		const struct grant *grant = &profile->grants[i];

		if (grant->path && !strcmp(grant->path, item->text) && item->held == (grant->section == SECTION_HELD) &&
		    grant->section != SECTION_ABSENT)
			return grant;
	}
	return NULL;
}

static void add_tier(const struct talk *talk, struct page *page, const struct review_item *item)
{
	scoped_free char *reason = NULL;

	if (item->kind == REVIEW_GRANT)
		reason = tiers_reason(talk->with->tiers, item->text, item->rights);
	else if (item->kind == REVIEW_PORT)
		reason = duplicate("each port is");
	else
		reason = duplicate(item->kind == REVIEW_SCOPE ? "it opens a border to processes outside"
							      : "it opens a group of system calls");
	page_add(page, STYLE_PLAIN, 4, "  %s: %s", tier_name(item->tier), reason);
}

static void add_place(const struct talk *talk, struct page *page, const struct review_item *item)
{
	if (item->line)
		page_add(page, STYLE_PLAIN, 4, "  line %u of %s", item->line, talk->with->name);
	if (item->held)
		page_add(page, STYLE_PLAIN, 4, "  held: not enforced, and nothing that would let it in is granted");
}

static void add_comment(struct page *page, const struct grant *grant)
{
	scoped_free char *comment = duplicate(grant ? grant->origin.comment : NULL);
	char *rest = comment;

	for (const char *line = strsep(&rest, "\n"); line; line = strsep(&rest, "\n"))
		if (*line)
			page_add(page, STYLE_GREEN, 4, "  %s", line);
}

static void add_moves(const struct talk *talk, struct page *page, const struct review_item *item)
{
	const struct profile *profile = review_profile(talk->review);

	for (size_t i = 0; item->kind == REVIEW_GRANT && i < profile->move_count; i++) {
		const struct move *move = &profile->moves[i];
		scoped_free char *fact = fact_move(move);

		if (path_is_beneath(move->from, item->text))
			page_add(page, STYLE_PLAIN, 4,
				 "  moved from here: %s; the kernel lets that pass only while here is allowed what is "
				 "allowed there",
				 fact);
		else if (path_is_beneath(move->to, item->text))
			page_add(page, STYLE_PLAIN, 4, "  moved to here: %s; what is allowed here is closed over there",
				 fact);
	}
}

static void add_why(const struct talk *talk, struct page *page, const struct review_item *item)
{
	scoped_free char *text = NULL;
	size_t length = 0;
	FILE *out;

	if (!talk->with->why)
		return;
	out = open_memstream(&text, &length);
	if (!out)
		out_of_memory();
	talk->with->why(talk->with->data, item, out);
	fclose(out);
	page_add_output(page, text);
}

void talk_add_explanation(const struct talk *talk, struct page *page)
{
	const struct review_item *item = review_item(talk->review, talk->at);
	scoped_free char *fact = review_fact(item);

	page_add(page, STYLE_BOLD, 4, "%s", fact);
	add_comment(page, grant_of(talk, item));
	add_tier(talk, page, item);
	add_place(talk, page, item);
	add_moves(talk, page, item);
	add_reach(talk, page, item, SIZE_MAX - 1);
	add_why(talk, page, item);
}

void talk_add_list(const struct talk *talk, struct page *page)
{
	for (size_t i = 0; i < review_count(talk->review); i++) {
		const struct review_item *item = review_item(talk->review, i);
		scoped_free char *fact = review_fact(item);

		page_add(page, talk_style(item->tier), 4, "%c%zu %s, %s: %s", i == talk->at ? '>' : ' ', i + 1,
			 tier_name(item->tier), state_of(item), fact);
	}
}

void talk_add_change(const struct talk *talk, struct page *page)
{
	struct diff diff = {0};
	scoped_free char *text = NULL;
	size_t length = 0;
	FILE *out = open_memstream(&text, &length);

	if (!out)
		out_of_memory();
	review_whole_change(talk->review, &diff);
	diff_print_text(&diff, NULL, out, talk->colour);
	fclose(out);
	page_add_output(page, text);
	if (!diff.count)
		page_add(page, STYLE_PLAIN, 0, "Nothing is changed.");
	diff_finish(&diff);
}

static bool is_about(const struct change *change, const struct review_item *item)
{
	return !strcmp(change->path, item->text) || (item->wider && !strcmp(change->path, item->wider));
}

void talk_add_consequences(const struct talk *talk, struct page *page, const struct review_item *item)
{
	static const char signs[] = {
		[CHANGE_GAINED] = '+', [CHANGE_LOST] = '-', [CHANGE_WIDENED] = '~', [CHANGE_CHANGED] = '~'};
	struct diff diff = {0};
	size_t count = 0;

	review_last_change(talk->review, &diff);
	for (size_t i = 0; i < diff.count; i++) {
		const struct change *change = &diff.changes[i];

		if (!change->path || (item->kind == REVIEW_GRANT && is_about(change, item)))
			continue;
		if (count++ < CONSEQUENCES_MAX)
			page_add(page, STYLE_YELLOW, 4, "  also %c %s: %s", signs[change->kind], change->section,
				 change->text);
	}
	if (count > CONSEQUENCES_MAX)
		page_add(page, STYLE_YELLOW, 4, "  and %zu more: v shows all", count - CONSEQUENCES_MAX);
	diff_finish(&diff);
}
