#include "profile/cover.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/pool.h"
#include "base/table.h"
#include "profile/path.h"

struct entry {
	rights_t rights;
	size_t length;
	char path[];
};

/* What the last question was answered: paths mostly come by the directory. */
struct answer {
	struct buffer directory; /* "" for none */
	size_t shortest;
	rights_t rights;
};

struct cover {
	struct table entries;
	struct pool pool; /* of the entries */
	struct answer *last;
};

static const void *entry_key(const void *thing, size_t *length)
{
	const struct entry *entry = thing;

	*length = entry->length;
	return entry->path;
}

struct cover *cover_create(const struct profile *profile, unsigned sections)
{
	struct cover *cover = allocate(sizeof *cover);

	cover->last = allocate(sizeof *cover->last);
	table_reserve(&cover->entries, profile->grant_count);
	for (size_t i = 0; i < profile->grant_count; i++) {
		const struct grant *grant = &profile->grants[i];

		if (grant->path && sections & 1u << grant->section)
			cover_add(cover, grant->path, grant->rights);
	}
	return cover;
}

void cover_destroy(struct cover *cover)
{
	if (!cover)
		return;
	table_finish(&cover->entries);
	pool_finish(&cover->pool);
	buffer_finish(&cover->last->directory);
	free(cover->last);
	free(cover);
}

static struct entry *find(const struct cover *cover, const char *path, size_t length)
{
	return table_find(&cover->entries, entry_key, path, length);
}

static rights_t rights_on(const struct cover *cover, const char *path, size_t length)
{
	const struct entry *entry = find(cover, path, length);

	return entry ? entry->rights : 0;
}

rights_t cover_rights_on(const struct cover *cover, const char *path)
{
	return rights_on(cover, path, strlen(path));
}

/* Rights on path's first `length` bytes, a directory, and on all above it that are long enough. */
static rights_t rights_upwards(const struct cover *cover, const char *path, size_t length, size_t shortest)
{
	rights_t rights = shortest > 1 ? 0 : rights_on(cover, "/", 1);

	for (size_t at = length; at > 1 && at >= shortest; at--)
		if (at == length || path[at] == '/')
			rights |= rights_on(cover, path, at);
	return rights;
}

rights_t cover_rights_between(const struct cover *cover, const char *path, size_t shortest)
{
	struct answer *last = cover->last;
	size_t length = path_parent_length(path);

	if (!length || !cover->entries.count)
		return 0;
	if (last->directory.length == length && last->shortest == shortest &&
	    memcmp(last->directory.data, path, length) == 0)
		return last->rights;
	buffer_clear(&last->directory);
	buffer_add(&last->directory, path, length);
	last->shortest = shortest;
	last->rights = rights_upwards(cover, path, length, shortest);
	return last->rights;
}

rights_t cover_rights_above(const struct cover *cover, const char *path)
{
	return cover_rights_between(cover, path, 0);
}

rights_t cover_rights(const struct cover *cover, const char *path)
{
	return cover_rights_on(cover, path) | cover_rights_above(cover, path);
}

bool cover_add(struct cover *cover, const char *path, rights_t rights)
{
	size_t length = strlen(path);
	void **place = table_place(&cover->entries, entry_key, path, length);
	struct entry *entry = *place;
	bool grew;

	if (!entry) {
		entry = *place = pool_take(&cover->pool, sizeof *entry + length + 1);
		entry->length = length;
		memcpy(entry->path, path, length);
	}
	grew = (rights & ~entry->rights) != 0;
	entry->rights |= rights;
	if (grew)
		buffer_clear(&cover->last->directory);
	return grew;
}

void cover_remove(struct cover *cover, const char *path, rights_t rights)
{
	struct entry *entry = find(cover, path, strlen(path));

	if (!entry)
		return;
	entry->rights &= ~rights;
	buffer_clear(&cover->last->directory);
}
