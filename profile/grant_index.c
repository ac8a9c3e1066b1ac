#include "profile/grant_index.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/table.h"

#define NO_GRANT UINT32_MAX
#define FIRST	 64

/* Open addressing: a path has a slot for each class that it is in. */
struct slot {
	uint32_t hash;	   /* half of the path's */
	uint32_t position; /* of the grant in the array; NO_GRANT: free */
};

struct grant_index {
	struct slot *slots;
	size_t capacity; /* a power of two */
	size_t count;	 /* grants of the array that are in it */
	uint32_t asked;	 /* hash of the path that was asked for last */
};

static size_t class_of(enum section section)
{
	return section_is_enforced(section) ? 0 : section - SECTION_PROTECTED;
}

static const char *key_of(const struct grant *grant)
{
	return grant->path ? grant->path : grant->origin.written ? grant->origin.written : "";
}

static uint32_t hash_of(const char *path)
{
	return (uint32_t)table_hash(path, strlen(path));
}

static void put(struct grant_index *index, struct slot slot)
{
	size_t i = slot.hash & (index->capacity - 1);

	while (index->slots[i].position != NO_GRANT)
		i = (i + 1) & (index->capacity - 1);
	index->slots[i] = slot;
}

static void resize(struct grant_index *index, size_t capacity)
{
	struct grant_index larger = {.capacity = capacity, .count = index->count, .asked = index->asked};

	larger.slots = allocate_array(capacity, sizeof *larger.slots);
	for (size_t i = 0; i < capacity; i++)
		larger.slots[i].position = NO_GRANT;
	for (size_t i = 0; i < index->capacity; i++)
		if (index->slots[i].position != NO_GRANT)
			put(&larger, index->slots[i]);
	free(index->slots);
	*index = larger;
}

static void insert(struct grant_index *index, uint32_t hash, size_t position)
{
	if (index->count >= index->capacity / 2)
		resize(index, index->capacity ? index->capacity * 2 : FIRST);
	put(index, (struct slot){hash, (uint32_t)position});
	index->count++;
}

void grant_index_drop(struct profile *profile)
{
	if (!profile->grant_index)
		return;
	free(profile->grant_index->slots);
	free(profile->grant_index);
	profile->grant_index = NULL;
}

/* An index of nothing, with room for all grants. */
static struct grant_index *begin(struct profile *profile)
{
	size_t capacity = FIRST;

	grant_index_drop(profile);
	profile->grant_index = allocate(sizeof *profile->grant_index);
	while (profile->grant_count > capacity / 2)
		capacity *= 2;
	resize(profile->grant_index, capacity);
	return profile->grant_index;
}

static void build(struct profile *profile)
{
	struct grant_index *index = begin(profile);

	for (size_t i = 0; i < profile->grant_count; i++)
		insert(index, hash_of(key_of(&profile->grants[i])), i);
}

/* *is_true becomes false for a grant that is not where the index has it; or for a path with another's hash. */
static struct grant *look_up(const struct profile *profile, uint32_t hash, size_t class, const char *path,
			     bool *is_true)
{
	const struct grant_index *index = profile->grant_index;
	size_t i = hash & (index->capacity - 1);

	for (; index->slots[i].position != NO_GRANT; i = (i + 1) & (index->capacity - 1)) {
		const struct slot *slot = &index->slots[i];
		struct grant *grant = slot->position < profile->grant_count ? &profile->grants[slot->position] : NULL;

		if (slot->hash != hash)
			continue;
		if (!grant || strcmp(key_of(grant), path) != 0)
			*is_true = false;
		else if (class_of(grant->section) == class)
			return grant;
	}
	return NULL;
}

struct grant *grant_index_find(struct profile *profile, enum section section, const char *path)
{
	uint32_t hash = hash_of(path);
	bool is_true = true;
	struct grant *grant;

	if (!profile->grant_index || profile->grant_index->count != profile->grant_count)
		build(profile);
	grant = look_up(profile, hash, class_of(section), path, &is_true);
	if (!grant && !is_true) {
		build(profile);
		grant = look_up(profile, hash, class_of(section), path, &is_true);
	}
	profile->grant_index->asked = hash;
	return grant;
}

void grant_index_add_last(struct profile *profile)
{
	insert(profile->grant_index, profile->grant_index->asked, profile->grant_count - 1);
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
	struct grant_index *index = begin(profile);
	size_t kept = 0;

	for (size_t i = 0; i < profile->grant_count; i++) {
		struct grant *grant = &profile->grants[i], *other;
		uint32_t hash = hash_of(key_of(grant));
		bool is_true = true;

		other = look_up(profile, hash, class_of(grant->section), key_of(grant), &is_true);
		if (other) {
			join(other, grant);
			continue;
		}
		if (!grant->rights) {
			origin_finish(&grant->origin);
			free(grant->path);
			continue;
		}
		profile->grants[kept] = *grant;
		insert(index, hash, kept);
		kept++;
	}
	profile->grant_count = kept;
}
