#include <stddef.h>
#include <string.h>

#include "profile/merge_parts.h"

static const struct grant *grant_of(const void *item)
{
	return ((const struct merge_item *)item)->item;
}

/* One enforced line, one held and one absent may be on a path. */
static enum section class_of(const struct grant *grant)
{
	return section_is_enforced(grant->section) ? SECTION_NORMAL : grant->section;
}

static const char *key_of(const struct grant *grant)
{
	return grant->path ? grant->path : grant->origin.written;
}

static int compare_grants(const void *a, const void *b)
{
	const struct grant *first = grant_of(a), *second = grant_of(b);
	int order = (int)class_of(first) - (int)class_of(second);

	return order ? order : strcmp(key_of(first), key_of(second));
}

static bool is_seen(const struct merging *merging, const char *path, rights_t bit)
{
	size_t seen = 0;

	for (size_t i = 0; i < merging->count; i++)
		seen += (cover_rights(merging->covers[i], path) & bit) != 0;
	return seen >= merging->min_seen;
}

/* Of rights, those that enough inputs allow on the path of the group, wherever their lines stand, or a person wrote. */
static rights_t counted_rights(const struct merging *merging, const struct merge_item *group, size_t count)
{
	const char *path = grant_of(group)->path;
	rights_t rights = 0, meant = 0;

	for (size_t i = 0; i < count; i++) {
		const struct grant *grant = grant_of(&group[i]);

		rights |= grant->rights;
		meant |= grant->origin.comment ? grant->rights : 0;
	}
	if (merging->min_seen <= 1 || !section_is_enforced(grant_of(group)->section))
		return rights;
	if (!path)
		return count >= merging->min_seen ? rights : meant;
	for (rights_t bit = 1; bit <= rights; bit <<= 1)
		if (rights & ~meant & bit && !is_seen(merging, path, bit))
			rights &= ~bit;
	return rights;
}

/* A line that was needless in its own profile, or has a comment, is a person's: another profile's does not drop it. */
static void keep(const struct merging *merging, const struct merge_item *item)
{
	const struct grant *grant = grant_of(item);
	rights_t rights = grant->rights;

	if (!grant_is_enforced(grant))
		return;
	if (!grant->origin.comment)
		rights &= cover_rights_above(merging->covers[item->input], grant->path);
	cover_add(merging->kept, grant->path, rights);
}

static int take_grants(struct merging *merging, const struct merge_item *group, size_t count, struct error *err)
{
	const struct grant *first = grant_of(group);
	rights_t rights = counted_rights(merging, group, count);
	struct grant *grant;

	(void)err;
	if (!rights)
		return 0;
	if (first->path)
		grant = profile_add_grant(merging->merged, class_of(first), rights, first->path);
	else
		grant = profile_add_skipped(merging->merged, class_of(first), rights, first->origin.written);
	for (size_t i = 0; i < count; i++) {
		merge_origin(&grant->origin, &grant_of(&group[i])->origin);
		keep(merging, &group[i]);
	}
	return 0;
}

void merge_grants(struct merging *merging)
{
	static const struct merge_list list = {
		offsetof(struct profile, grants),
		offsetof(struct profile, grant_count),
		sizeof(struct grant),
		compare_grants,
		take_grants,
	};

	merge_list(merging, &list, NULL);
}
