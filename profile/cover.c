#include "profile/cover.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

#define uthash_fatal(message) out_of_memory()
#include <uthash.h>

struct entry {
	rights_t rights;
	UT_hash_handle hh;
	char path[];
};

struct cover {
	struct entry *entries;
};

struct cover *cover_create(const struct profile *profile, unsigned sections)
{
	struct cover *cover = allocate(sizeof *cover);

	for (size_t i = 0; i < profile->grant_count; i++) {
		const struct grant *grant = &profile->grants[i];

		if (grant->path && sections & 1u << grant->section)
			cover_add(cover, grant->path, grant->rights);
	}
	return cover;
}

void cover_destroy(struct cover *cover)
{
	struct entry *entry, *next;

	if (!cover)
		return;
	entry = cover->entries;
	HASH_CLEAR(hh, cover->entries);
	for (; entry; entry = next) {
		next = entry->hh.next;
		free(entry);
	}
	free(cover);
}

static struct entry *find(const struct cover *cover, const char *path, size_t length)
{
	struct entry *entry;

	HASH_FIND(hh, cover->entries, path, length, entry);
	return entry;
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

rights_t cover_rights_between(const struct cover *cover, const char *path, size_t shortest)
{
	rights_t rights;

	if (!strcmp(path, "/"))
		return 0;
	rights = shortest > 1 ? 0 : rights_on(cover, "/", 1);
	for (const char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/'))
		if ((size_t)(slash - path) >= shortest)
			rights |= rights_on(cover, path, (size_t)(slash - path));
	return rights;
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
	struct entry *entry = find(cover, path, length);
	bool grew;

	if (!entry) {
		entry = allocate(sizeof *entry + length + 1);
		memcpy(entry->path, path, length);
		HASH_ADD_KEYPTR(hh, cover->entries, entry->path, length, entry);
	}
	grew = (rights & ~entry->rights) != 0;
	entry->rights |= rights;
	return grew;
}

void cover_remove(struct cover *cover, const char *path, rights_t rights)
{
	struct entry *entry = find(cover, path, strlen(path));

	if (entry)
		entry->rights &= ~rights;
}
