/* The part of diff that concerns grants: compared through cover, so that only what is allowed counts. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "profile/cover.h"
#include "profile/diff_parts.h"
#include "profile/fact.h"
#include "profile/path.h"
#include "profile/path_list.h"

struct side {
	struct path_list enforced, held, absent; /* struct grant, of some sections of one profile */
	struct cover *cover;			 /* of the enforced ones */
};

struct comparison {
	struct side old, new;
	const struct tiers *tiers;
	struct diff *diff;
};

static void list_init(struct path_list *list, const struct profile *profile, unsigned sections)
{
	for (size_t i = 0; i < profile->grant_count; i++) {
		const struct grant *grant = &profile->grants[i];

		if ((1u << grant->section & sections) && grant->path)
			path_list_add(list, grant->path, grant);
	}
	path_list_sort(list);
}

static const struct grant *grant_at(const struct path_list *list, size_t at)
{
	return list->items[at].of;
}

static rights_t list_rights(const struct path_list *list, const char *path)
{
	size_t at = path_list_from(list, path);

	return at < list->count && strcmp(list->items[at].path, path) == 0 ? grant_at(list, at)->rights : 0;
}

static void side_init(struct side *side, const struct profile *profile)
{
	list_init(&side->enforced, profile, COVER_ENFORCED);
	list_init(&side->held, profile, 1u << SECTION_HELD);
	list_init(&side->absent, profile, 1u << SECTION_ABSENT);
	side->cover = cover_create(profile, COVER_ENFORCED);
}

static void side_finish(struct side *side)
{
	path_list_finish(&side->enforced);
	path_list_finish(&side->held);
	path_list_finish(&side->absent);
	cover_destroy(side->cover);
}

/*
 * How many grants lie beneath path and hold some of these rights, none of which path itself has; *first is the first of
 * them.
 */
static size_t count_beneath(const struct path_list *list, const char *path, rights_t rights, const struct grant **first)
{
	size_t count = 0;

	for (size_t at = path_list_from(list, path); at < list->count; at++) {
		const struct grant *grant = grant_at(list, at);

		if (!path_is_beneath(grant->path, path))
			break;
		if (grant->rights & rights && !count++)
			*first = grant;
	}
	return count;
}

static void add_note(struct buffer *note, const char *text)
{
	if (note->length)
		buffer_add_text(note, "; ");
	buffer_add_text(note, text);
}

/* Says what a side has on path itself, and what of these rights beneath it: "had read_file on /a/b and 2 more beneath".
 */
static void note_others(struct buffer *note, const char *verb, const struct path_list *list, const char *path,
			rights_t rights)
{
	rights_t here = list_rights(list, path);
	const struct grant *first = NULL;
	size_t count = count_beneath(list, path, rights, &first);

	if (here) {
		char *text = fact_rights(here);

		add_note(note, verb);
		buffer_format(note, " %s", text);
		free(text);
	}
	if (count) {
		char *text = fact_rights(first->rights & rights);
		char *first_path = fact_path(first->path);

		add_note(note, verb);
		buffer_format(note, " %s on %s", text, first_path);
		if (count > 1)
			buffer_format(note, " and %zu more beneath", count - 1);
		free(text);
		free(first_path);
	}
}

static char *note_text(struct buffer *note)
{
	return note->length ? buffer_steal(note) : NULL;
}

/* Whether what was held on path or beneath it is now in force; says so. */
static bool note_held(struct buffer *note, const struct path_list *held, const char *path, rights_t rights)
{
	const struct grant *first = NULL;
	char *first_path;

	if (list_rights(held, path) & rights) {
		add_note(note, "was held");
		return true;
	}
	if (!count_beneath(held, path, rights, &first))
		return false;
	first_path = fact_path(first->path);
	add_note(note, "reaches ");
	buffer_format(note, "%s, which was held", first_path);
	free(first_path);
	return true;
}

static void add_change(const struct comparison *comparison, enum change_kind kind, const char *path, rights_t rights,
		       enum tier tier, struct buffer *note)
{
	const char *section = section_name(section_of_tier(tier));
	struct change *change =
		diff_add_enforced(comparison->diff, kind, section, fact_grant(rights, path), tier, kind != CHANGE_LOST);

	change->path = duplicate(path);
	change->rights = rights;
	change->note = note_text(note);
}

/* Rights that a directory above gives already are told there, once. */
static void compare_new(const struct comparison *comparison, const struct grant *grant)
{
	const struct side *old = &comparison->old;
	const char *path = grant->path;
	rights_t gained =
		grant->rights & ~cover_rights(old->cover, path) & ~cover_rights_above(comparison->new.cover, path);
	enum change_kind kind;
	scoped_buffer note = {0};
	enum tier tier;

	if (!gained)
		return;
	tier = tiers_of_grant(comparison->tiers, path, gained);
	note_others(&note, "had", &old->enforced, path, gained);
	kind = note.length ? CHANGE_WIDENED : CHANGE_GAINED;
	if (note_held(&note, &old->held, path, gained))
		tier = TIER_PROTECTED;
	add_change(comparison, kind, path, gained, tier, &note);
}

static void compare_old(const struct comparison *comparison, const struct grant *grant)
{
	const struct side *new = &comparison->new;
	const char *path = grant->path;
	rights_t lost =
		grant->rights & ~cover_rights(new->cover, path) & ~cover_rights_above(comparison->old.cover, path);
	scoped_buffer note = {0};

	if (!lost)
		return;
	note_others(&note, "keeps", &new->enforced, path, lost);
	if (list_rights(&new->held, path) & lost)
		add_note(&note, "now held");
	add_change(comparison, CHANGE_LOST, path, lost, tiers_of_grant(comparison->tiers, path, lost), &note);
}

/* What is not enforced is compared line by line: nothing covers anything. */
static void compare_told(struct diff *diff, enum change_kind kind, enum section section, const struct path_list *list,
			 const struct path_list *other)
{
	for (size_t i = 0; i < list->count; i++) {
		const struct grant *grant = grant_at(list, i);
		rights_t rights = grant->rights & ~list_rights(other, grant->path);
		struct change *change;

		if (!rights)
			continue;
		change = diff_add(diff, kind, section_name(section), fact_grant(rights, grant->path));
		change->path = duplicate(grant->path);
		change->rights = rights;
	}
}

void diff_grants(const struct profile *old, const struct profile *new, const struct tiers *tiers, struct diff *diff)
{
	struct comparison comparison = {.tiers = tiers, .diff = diff};

	side_init(&comparison.old, old);
	side_init(&comparison.new, new);
	for (size_t i = 0; i < comparison.new.enforced.count; i++)
		compare_new(&comparison, grant_at(&comparison.new.enforced, i));
	for (size_t i = 0; i < comparison.old.enforced.count; i++)
		compare_old(&comparison, grant_at(&comparison.old.enforced, i));
	compare_told(diff, CHANGE_GAINED, SECTION_HELD, &comparison.new.held, &comparison.old.held);
	compare_told(diff, CHANGE_LOST, SECTION_HELD, &comparison.old.held, &comparison.new.held);
	compare_told(diff, CHANGE_GAINED, SECTION_ABSENT, &comparison.new.absent, &comparison.old.absent);
	compare_told(diff, CHANGE_LOST, SECTION_ABSENT, &comparison.old.absent, &comparison.new.absent);
	side_finish(&comparison.old);
	side_finish(&comparison.new);
}
