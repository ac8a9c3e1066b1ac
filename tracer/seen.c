#include "tracer/seen.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/uthash.h"

struct seen {
	UT_hash_handle hh;
	char key[];
};

bool seen_has(struct seen *set, const void *key, size_t length)
{
	struct seen *found;

	HASH_FIND(hh, set, key, length, found);
	return found;
}

bool seen_add(struct seen **set, const void *key, size_t length)
{
	struct seen *entry;
	unsigned hash;

	HASH_VALUE(key, length, hash);
	HASH_FIND_BYHASHVALUE(hh, *set, key, length, hash, entry);
	if (entry)
		return false;
	entry = allocate(sizeof *entry + length);
	memcpy(entry->key, key, length);
	HASH_ADD_KEYPTR_BYHASHVALUE(hh, *set, entry->key, length, hash, entry);
	return true;
}

/* The table goes first, so that no entry has to be taken out of it. */
void seen_clear(struct seen **set)
{
	struct seen *entry = *set, *next;

	HASH_CLEAR(hh, *set);
	for (; entry; entry = next) {
		next = entry->hh.next;
		free(entry);
	}
}
