#include "profile/grant_index.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/pool.h"
#include "base/table.h"

#define CLASS_COUNT 3
#define NO_GRANT    UINT32_MAX

struct entry {
	uint32_t positions[CLASS_COUNT];
	char path[]; /* a copy: the grant's own may be freed without our knowing */
};

struct grant_index {
	struct table entries;
	struct pool pool; /* of the entries */
	size_t count;	  /* grants of the array that are in it */
};

static size_t class_of(enum section section)
{
	return section_is_enforced(section) ? 0 : section - SECTION_PROTECTED;
}

static const char *key_of(const struct grant *grant)
{
	return grant->path ? grant->path : grant->origin.written ? grant->origin.written : "";
}

static const void *entry_key(const void *entry, size_t *length)
{
	const char *path = ((const struct entry *)entry)->path;

	*length = strlen(path);
	return path;
}

static struct entry *find_entry(const struct grant_index *index, const char *path)
{
	return table_find(&index->entries, entry_key, path, strlen(path));
}

static void insert(struct grant_index *index, const struct grant *grant, size_t position)
{
	const char *path = key_of(grant);
	size_t length = strlen(path);
	struct entry *entry = find_entry(index, path);

	if (!entry) {
		entry = pool_take(&index->pool, sizeof *entry + length + 1);
		memcpy(entry->path, path, length);
		for (size_t i = 0; i < CLASS_COUNT; i++)
			entry->positions[i] = NO_GRANT;
		table_add(&index->entries, entry_key, entry);
	}
	entry->positions[class_of(grant->section)] = (uint32_t)position;
}

void grant_index_drop(struct profile *profile)
{
	struct grant_index *index = profile->grant_index;

	if (!index)
		return;
	pool_finish(&index->pool);
	table_finish(&index->entries);
	free(index);
	profile->grant_index = NULL;
}

static void build(struct profile *profile)
{
	grant_index_drop(profile);
	profile->grant_index = allocate(sizeof *profile->grant_index);
	for (size_t i = 0; i < profile->grant_count; i++)
		insert(profile->grant_index, &profile->grants[i], i);
	profile->grant_index->count = profile->grant_count;
}

static bool holds(const struct profile *profile, size_t position, size_t class, const char *path)
{
	return position < profile->grant_count && class_of(profile->grants[position].section) == class &&
	       !strcmp(key_of(&profile->grants[position]), path);
}

/* Whether every position in entry still has a grant on its path, in the class it is filed under. */
static bool is_true(const struct profile *profile, const struct entry *entry)
{
	for (size_t i = 0; i < CLASS_COUNT; i++)
		if (entry->positions[i] != NO_GRANT && !holds(profile, entry->positions[i], i, entry->path))
			return false;
	return true;
}

static struct entry *find_true_entry(struct profile *profile, const char *path)
{
	struct entry *entry;

	if (!profile->grant_index || profile->grant_index->count != profile->grant_count)
		build(profile);
	entry = find_entry(profile->grant_index, path);
	if (entry && !is_true(profile, entry)) {
		build(profile);
		entry = find_entry(profile->grant_index, path);
	}
	return entry;
}

struct grant *grant_index_find(struct profile *profile, enum section section, const char *path)
{
	const struct entry *entry = find_true_entry(profile, path);
	uint32_t position = entry ? entry->positions[class_of(section)] : NO_GRANT;

	return position == NO_GRANT ? NULL : &profile->grants[position];
}

void grant_index_add_last(struct profile *profile)
{
	insert(profile->grant_index, &profile->grants[profile->grant_count - 1], profile->grant_count - 1);
	profile->grant_index->count++;
}

void grant_index_refile(struct profile *profile, const struct grant *grant, enum section section)
{
	struct entry *entry = profile->grant_index ? find_entry(profile->grant_index, key_of(grant)) : NULL;
	uint32_t position = (uint32_t)(grant - profile->grants);

	if (!entry || entry->positions[class_of(grant->section)] != position)
		return;
	entry->positions[class_of(grant->section)] = NO_GRANT;
	entry->positions[class_of(section)] = position;
}

static void join(struct grant *into, struct grant *from)
{
	into->rights |= from->rights;
	if (from->section > into->section)
		into->section = from->section;
	origin_join(&into->origin, &from->origin);
	free(from->path);
}

void grant_index_join(struct profile *profile)
{
	size_t kept = 0;

	grant_index_drop(profile);
	profile->grant_index = allocate(sizeof *profile->grant_index);
	for (size_t i = 0; i < profile->grant_count; i++) {
		struct grant *grant = &profile->grants[i];
		const struct entry *entry = find_entry(profile->grant_index, key_of(grant));
		uint32_t position = entry ? entry->positions[class_of(grant->section)] : NO_GRANT;

		if (position != NO_GRANT) {
			join(&profile->grants[position], grant);
			continue;
		}
		if (!grant->rights) {
			origin_finish(&grant->origin);
			free(grant->path);
			continue;
		}
		profile->grants[kept] = *grant;
		insert(profile->grant_index, &profile->grants[kept], kept);
		kept++;
	}
	profile->grant_count = profile->grant_index->count = kept;
}
