#include "profile/collapse.h"

#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/memory.h"
#include "profile/cover.h"
#include "profile/path.h"
#include "profile/portable.h"

struct collapsing {
	struct profile *profile;
	const struct tiers *tiers;
	const struct collapse_options *options;
	struct widenings *said;
	struct cover *granted;
};

/* A line of one directory that counts. */
struct entry {
	const char *path; /* the grant's: it stays where it is when the array of grants moves */
	size_t parent;	  /* length of the directory's name */
	rights_t rights;
};

struct entries {
	struct entry *items;
	size_t count, capacity;
};

static bool is_terminal(const struct grant *grant)
{
	return !grant->path || (grant->origin.written && !strcmp(grant->origin.written, "${TTY}"));
}

/* Of what can go to the directory; of a process's own entries only one by one is known that they are harmless. */
static bool is_entry(const struct grant *grant)
{
	return section_is_enforced(grant->section) && grant->rights && !is_terminal(grant) &&
	       !path_is_beneath(grant->path, "/proc");
}

/* Whether a line on path lies beneath the directory wherever the profile is used: not across a variable's value. */
static bool lies_beneath(const struct collapsing *collapsing, const char *path, const char *directory)
{
	return path_is_strictly_beneath(path, directory) &&
	       portable_base(collapsing->options->portable, path) <= strlen(directory);
}

static size_t depth_of(const char *path)
{
	size_t depth = 0;

	for (const char *slash = path; slash && slash[1]; slash = strchr(slash + 1, '/'))
		depth++;
	return depth;
}

/* Rights that some line beneath the directory, or on it, is held for. */
static rights_t held_beneath(const struct collapsing *collapsing, const char *directory)
{
	rights_t rights = 0;

	for (size_t i = 0; i < collapsing->profile->grant_count; i++) {
		const struct grant *grant = &collapsing->profile->grants[i];

		if (grant->section != SECTION_HELD || !grant->path || !path_is_beneath(grant->path, directory))
			continue;
		rights |= strcmp(grant->path, directory) != 0 ? grant->rights : RIGHTS_FILE_SYSTEM;
	}
	return rights;
}

/* REFER has no tier, but only a directory has it: so what lies beneath counts. */
static rights_t sensitive_rights(const struct tiers *tiers, const char *directory, rights_t rights)
{
	rights_t sensitive = 0;

	for (rights_t bit = 1; bit <= rights; bit <<= 1)
		if (rights & bit && tiers_of_grant(tiers, directory, bit | RIGHT_REFER) > TIER_NORMAL)
			sensitive |= bit;
	return sensitive;
}

/* Takes the rights from lines beneath. */
static void strip_beneath(const struct collapsing *collapsing, const char *directory, rights_t rights)
{
	struct profile *profile = collapsing->profile;

	for (size_t i = 0; i < profile->grant_count; i++) {
		struct grant *grant = &profile->grants[i];

		if (section_is_enforced(grant->section) && !is_terminal(grant) && !grant->origin.comment &&
		    lies_beneath(collapsing, grant->path, directory))
			grant->rights &= ~rights;
	}
}

static void widen(const struct collapsing *collapsing, enum widening_reason reason, const char *directory,
		  rights_t rights, size_t entries)
{
	strip_beneath(collapsing, directory, rights);
	profile_add_grant(collapsing->profile, SECTION_NORMAL, rights, directory);
	cover_add(collapsing->granted, directory, rights);
	widenings_add(collapsing->said, reason, directory, rights, entries);
}

static rights_t rights_beneath(const struct collapsing *collapsing, const char *directory, bool *any)
{
	const struct profile *profile = collapsing->profile;
	rights_t rights = 0;

	*any = false;
	for (size_t i = 0; i < profile->grant_count; i++) {
		const struct grant *grant = &profile->grants[i];

		if (!section_is_enforced(grant->section) || is_terminal(grant) ||
		    !lies_beneath(collapsing, grant->path, directory))
			continue;
		rights |= grant->rights;
		*any = true;
	}
	return rights;
}

static void collapse_prefix(const struct collapsing *collapsing, const char *directory)
{
	bool any;
	rights_t rights = rights_beneath(collapsing, directory, &any), held, sensitive;

	rights &= ~cover_rights(collapsing->granted, directory);
	held = rights & held_beneath(collapsing, directory);
	sensitive = collapsing->options->sensitive ? 0 : sensitive_rights(collapsing->tiers, directory, rights & ~held);
	if (!any)
		widenings_add(collapsing->said, NOT_WIDENED_NO_LINES, directory, 0, 0);
	if (held)
		widenings_add(collapsing->said, NOT_WIDENED_HELD, directory, held, 0);
	if (sensitive)
		widenings_add(collapsing->said, NOT_WIDENED_TIER, directory, sensitive, 0);
	rights &= ~(held | sensitive);
	if (rights)
		widen(collapsing, WIDENED_BY_PREFIX, directory, rights, 0);
}

static int compare_entries(const void *left, const void *right)
{
	const struct entry *a = left, *b = right;
	int order = strncmp(a->path, b->path, a->parent < b->parent ? a->parent : b->parent);

	if (!order && a->parent != b->parent)
		order = a->parent < b->parent ? -1 : 1;
	return order ? order : strcmp(a->path, b->path);
}

/* The lines so many parts deep, those of one directory beside each other. */
static void find_entries(const struct collapsing *collapsing, size_t depth, struct entries *entries)
{
	const struct profile *profile = collapsing->profile;

	entries->count = 0;
	for (size_t i = 0; i < profile->grant_count; i++) {
		const struct grant *grant = &profile->grants[i];

		if (is_entry(grant) && depth_of(grant->path) == depth &&
		    portable_base(collapsing->options->portable, grant->path) <= path_parent_length(grant->path))
			*ARRAY_APPEND(entries->items, entries->count, entries->capacity) =
				(struct entry){grant->path, path_parent_length(grant->path), grant->rights};
	}
	if (entries->count)
		qsort(entries->items, entries->count, sizeof *entries->items, compare_entries);
}

/* Rights that enough of these entries have; *most is how many have the most frequent of them. */
static rights_t frequent_rights(const struct entry *entries, size_t count, size_t least, size_t *most)
{
	rights_t frequent = 0;

	*most = 0;
	for (rights_t bit = 1; bit <= RIGHTS_FILE_SYSTEM; bit <<= 1) {
		size_t having = 0;

		for (size_t i = 0; i < count; i++)
			having += (entries[i].rights & bit) != 0;
		if (having < least)
			continue;
		frequent |= bit;
		*most = having > *most ? having : *most;
	}
	return frequent;
}

static void collapse_directory(const struct collapsing *collapsing, const struct entry *entries, size_t count)
{
	scoped_free char *directory = duplicate_bytes(entries->path, entries->parent);
	size_t most;
	rights_t rights = frequent_rights(entries, count, collapsing->options->least, &most);

	rights &= ~cover_rights(collapsing->granted, directory);
	rights &= ~sensitive_rights(collapsing->tiers, directory, rights);
	if (rights)
		rights &= ~held_beneath(collapsing, directory);
	if (rights)
		widen(collapsing, WIDENED_BY_COUNT, directory, rights, most);
}

static bool is_same_parent(const struct entry *a, const struct entry *b)
{
	return a->parent == b->parent && !strncmp(a->path, b->path, a->parent);
}

static void collapse_depth(const struct collapsing *collapsing, size_t depth, struct entries *entries)
{
	find_entries(collapsing, depth, entries);
	for (size_t i = 0, next; i < entries->count; i = next) {
		for (next = i + 1; next < entries->count; next++)
			if (!is_same_parent(&entries->items[i], &entries->items[next]))
				break;
		if (next - i >= collapsing->options->least)
			collapse_directory(collapsing, &entries->items[i], next - i);
	}
}

static void collapse_by_count(const struct collapsing *collapsing)
{
	struct entries entries = {0};
	size_t deepest = 0;

	for (size_t i = 0; i < collapsing->profile->grant_count; i++) {
		const struct grant *grant = &collapsing->profile->grants[i];
		size_t depth = is_entry(grant) ? depth_of(grant->path) : 0;

		deepest = depth > deepest ? depth : deepest;
	}
	for (size_t depth = deepest; depth > 1; depth--)
		collapse_depth(collapsing, depth, &entries);
	free(entries.items);
}

void collapse_grants(struct profile *profile, const struct tiers *tiers, const struct collapse_options *options,
		     struct widenings *said)
{
	struct collapsing collapsing = {.profile = profile, .tiers = tiers, .options = options, .said = said};

	if (!options->least && !options->prefix_count)
		return;
	collapsing.granted = cover_create(profile, COVER_ENFORCED);
	for (size_t i = 0; i < options->prefix_count; i++)
		collapse_prefix(&collapsing, options->prefixes[i]);
	if (options->least)
		collapse_by_count(&collapsing);
	cover_destroy(collapsing.granted);
}
