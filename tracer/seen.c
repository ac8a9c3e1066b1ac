#include "tracer/seen.h"

#include <stdlib.h>
#include <uthash.h>

#include "base/memory.h"

struct seen {
	void *key;
	UT_hash_handle hh;
};

bool seen_has(struct seen *set, const void *key, size_t length)
{
	struct seen *found;

	HASH_FIND(hh, set, key, length, found);
	return found;
}

bool seen_add(struct seen **set, const void *key, size_t length)
{
	struct seen *added;

	if (seen_has(*set, key, length))
		return false;
	added = allocate(sizeof *added);
	added->key = duplicate_bytes(key, length);
	HASH_ADD_KEYPTR(hh, *set, added->key, length, added);
	return true;
}

void seen_clear(struct seen **set)
{
	struct seen *entry, *next;

	HASH_ITER (hh, *set, entry, next) {
		HASH_DEL(*set, entry);
		free(entry->key);
		free(entry);
	}
}
