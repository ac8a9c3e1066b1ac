/* What is said of a line that is asked about. */
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/memory.h"
#include "profile/fact.h"
#include "profile/named_paths.h"
#include "profile/path.h"
#include "profile/review_talk.h"

#define REACH_SHOWN	 3
#define CONSEQUENCES_MAX 10

static enum style style_of(enum tier tier)
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
		return item->held		  ? "held, not answered"
		       : review_is_in_force(item) ? "in force, not answered"
						  : "not enforced, not answered";
	case REVIEW_WIDENED:
		return "widened to";
	default:
		return review_answer_name(item->answer);
	}
}

/* What the session did not touch, where that is known; else what no line names. */
static void find_reach(const struct talk *talk, const struct review_item *item, struct grant_reach *reach)
{
	const struct grant grant = {.rights = item->rights, .path = item->text};
	struct named_paths *named = NULL;

	if (talk->with->touched) {
		grant_reach_find(reach, &grant, talk->with->tiers, talk->with->touched, talk->with->touched_data);
		return;
	}
	named = named_paths_create(review_profile(talk->review));
	grant_reach_find(reach, &grant, talk->with->tiers, named_paths_has, named);
	named_paths_destroy(named);
}

/* At most `limit` names, and whether there are more. */
static void add_reach(const struct talk *talk, struct page *page, const struct review_item *item, size_t limit)
{
	struct grant_reach reach = {0};
	size_t shown;

	if (item->kind != REVIEW_GRANT && item->kind != REVIEW_ABSENT)
		return;
	find_reach(talk, item, &reach);
	shown = reach.count < limit ? reach.count : limit;
	if (reach.links)
		page_add(page, STYLE_DIM, 4, "  it has %zu links: what is written is written under its other names too",
			 reach.links);
	if (reach.total)
		page_add(page, STYLE_DIM, 4, "  also reaches, %s:",
			 talk->with->touched ? "and the program never touched" : "and no line names");
	for (size_t i = 0; i < shown; i++)
		page_add(page, STYLE_DIM, 6, "    %s%s%s%s", reach.entries[i].path,
			 reach.entries[i].tier > TIER_NORMAL ? " (" : "",
			 reach.entries[i].tier > TIER_NORMAL ? tier_name(reach.entries[i].tier) : "",
			 reach.entries[i].tier > TIER_NORMAL ? ")" : "");
	if (reach.total > shown)
		page_add(page, STYLE_DIM, 6, "    and %zu more", reach.total - shown);
	grant_reach_finish(&reach);
}

void talk_add_item(const struct talk *talk, struct page *page)
{
	const struct review_item *item = review_item(talk->review, talk->at);
	scoped_free char *fact = review_fact(item);
	const char *wider = item->wider ? item->wider : "";

	page_add(page, STYLE_PLAIN, 0, " ");
	page_add(page, STYLE_BOLD, 2, "%zu of %zu: %s, %s%s%s", talk->at + 1, review_count(talk->review),
		 tier_name(item->tier), state_of(item), *wider ? " " : "", wider);
	page_add(page, style_of(item->tier), 4, "  %s", fact);
	add_reach(talk, page, item, REACH_SHOWN);
}

static bool is_line(const struct grant *grant, const struct review_item *item)
{
	if (item->kind == REVIEW_ABSENT)
		return grant->section == SECTION_ABSENT;
	return item->kind == REVIEW_GRANT &&
	       (item->held ? grant->section == SECTION_HELD : section_is_enforced(grant->section));
}

static const struct grant *grant_of(const struct talk *talk, const struct review_item *item)
{
	const struct profile *profile = review_profile(talk->review);

	for (size_t i = 0; i < profile->grant_count; i++) {
		const struct grant *grant = &profile->grants[i];

		if (grant->path && is_line(grant, item) && !strcmp(grant->path, item->text))
			return grant;
	}
	return NULL;
}

static char *tier_reason(const struct talk *talk, const struct review_item *item)
{
	switch (item->kind) {
	case REVIEW_GRANT:
	case REVIEW_ABSENT:
		return tiers_reason(talk->with->tiers, item->text, item->rights);
	case REVIEW_PORT:
		return duplicate("each port is");
	case REVIEW_SCOPE:
		return duplicate("it opens a border to processes outside");
	case REVIEW_CALLS:
		return duplicate("it opens a group of system calls");
	case REVIEW_MOVE:
		return duplicate(
			"it lets in nothing: whenever grants change they are closed over it, so that the kernel "
			"lets the move pass");
	default:
		return duplicate("it lets in nothing: it says what the program finds in its environment");
	}
}

static void add_tier(const struct talk *talk, struct page *page, const struct review_item *item)
{
	scoped_free char *reason = tier_reason(talk, item);

	page_add(page, STYLE_PLAIN, 4, "  %s: %s", tier_name(item->tier), reason);
}

static void add_place(const struct talk *talk, struct page *page, const struct review_item *item)
{
	if (item->line)
		page_add(page, STYLE_PLAIN, 4, "  line %u of %s", item->line, talk->with->name);
	if (item->held)
		page_add(page, STYLE_PLAIN, 4, "  held: not enforced, and nothing that would let it in is granted");
	if (item->kind == REVIEW_ABSENT)
		page_add(page, STYLE_PLAIN, 4,
			 "  absent: not enforced; needed if what the program uses there were gone");
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

/* For output that is to be shown by pages. */
static FILE *open_text(char **text, size_t *length)
{
	FILE *out = open_memstream(text, length);

	if (out)
		return out;
	out_of_memory();
}

static void add_why(const struct talk *talk, struct page *page, const struct review_item *item)
{
	scoped_free char *text = NULL;
	size_t length = 0;
	FILE *out;

	if (!talk->with->why)
		return;
	out = open_text(&text, &length);
	talk->with->why(talk->with->data, item, out, talk->colour);
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
	add_reach(talk, page, item, REACH_LIST_MAX);
	add_why(talk, page, item);
}

void talk_add_list(const struct talk *talk, struct page *page)
{
	for (size_t i = 0; i < review_count(talk->review); i++) {
		const struct review_item *item = review_item(talk->review, i);
		scoped_free char *fact = review_fact(item);

		page_add(page, style_of(item->tier), 4, "%c%zu %s, %s: %s", i == talk->at ? '>' : ' ', i + 1,
			 tier_name(item->tier), state_of(item), fact);
	}
}

void talk_add_change(const struct talk *talk, struct page *page)
{
	struct diff diff = {0};
	scoped_free char *text = NULL;
	size_t length = 0;
	FILE *out = open_text(&text, &length);

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
