#include "profile/diff.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "profile/diff_parts.h"
#include "profile/path_order.h"

struct change *diff_add(struct diff *diff, enum change_kind kind, const char *section, char *text)
{
	struct change *change = ARRAY_APPEND(diff->changes, diff->count, diff->capacity);

	*change = (struct change){.kind = kind, .section = section};
	change->text = text;
	return change;
}

struct change *diff_add_enforced(struct diff *diff, enum change_kind kind, const char *section, char *text,
				 enum tier tier, bool gains)
{
	struct change *change = diff_add(diff, kind, section, text);

	change->enforced = true;
	change->tier = tier;
	change->gains = gains;
	return change;
}

/* Tiers from above, then [profile], [held], [absent], [moves]. */
static int group_rank(const struct change *change)
{
	static const char *const rest[] = {"profile", "held", "absent"};
	size_t i;

	if (change->enforced)
		return (int)TIER_PROTECTED - (int)change->tier;
	for (i = 0; i < ARRAY_LENGTH(rest) && strcmp(change->section, rest[i]) != 0; i++)
		;
	return TIER_PROTECTED + 1 + (int)i;
}

static int compare_changes(const void *left, const void *right)
{
	const struct change *a = left, *b = right;
	int result = group_rank(a) - group_rank(b);

	if (!result)
		result = (a->path == NULL) - (b->path == NULL);
	if (!result && a->path)
		result = path_order(a->path, b->path);
	if (!result)
		result = strcmp(a->section, b->section);
	if (!result)
		result = a->kind == b->kind ? strcmp(a->text, b->text) : (int)a->kind - (int)b->kind;
	return result;
}

void diff_profiles(const struct profile *old, const struct profile *new, const struct tiers *tiers, struct diff *diff)
{
	diff_grants(old, new, tiers, diff);
	diff_facts(old, new, diff);
	diff_environment(old, new, diff);
	if (diff->count)
		qsort(diff->changes, diff->count, sizeof *diff->changes, compare_changes);
}

void diff_finish(struct diff *diff)
{
	for (size_t i = 0; i < diff->count; i++) {
		free(diff->changes[i].text);
		free(diff->changes[i].note);
		free(diff->changes[i].path);
	}
	free(diff->changes);
	*diff = (struct diff){0};
}

size_t diff_gain_count(const struct diff *diff, enum tier tier)
{
	size_t count = 0;

	for (size_t i = 0; i < diff->count; i++)
		count += diff->changes[i].gains && diff->changes[i].tier == tier;
	return count;
}

bool diff_gains(const struct diff *diff, enum tier tier)
{
	for (int higher = tier; higher <= TIER_PROTECTED; higher++)
		if (diff_gain_count(diff, higher))
			return true;
	return false;
}
