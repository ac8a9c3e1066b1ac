#include "tracer/log_seen.h"

#include <stdlib.h>
#include <string.h>
#include <uthash.h>

#include "base/memory.h"

#undef uthash_fatal
#define uthash_fatal(text) out_of_memory()

struct text {
	UT_hash_handle hh;
	char bytes[];
};

/* The access is its own key: its strings are those of `texts`, so equal ones are at one address. */
struct counted {
	struct access access;
	uint64_t count;
	UT_hash_handle hh;
};

struct log_seen {
	struct text *texts;
	struct counted *accesses;
};

struct log_seen *log_seen_create(void)
{
	return allocate(sizeof(struct log_seen));
}

void log_seen_destroy(struct log_seen *seen)
{
	struct counted *counted, *next;
	struct text *text, *next_text;

	if (!seen)
		return;
	HASH_ITER (hh, seen->accesses, counted, next) {
		HASH_DEL(seen->accesses, counted);
		free(counted);
	}
	HASH_ITER (hh, seen->texts, text, next_text) {
		HASH_DEL(seen->texts, text);
		free(text);
	}
	free(seen);
}

static const char *intern(struct log_seen *seen, const char *bytes)
{
	size_t length = bytes ? strlen(bytes) : 0;
	struct text *text;

	if (!bytes)
		return NULL;
	HASH_FIND(hh, seen->texts, bytes, length, text);
	if (!text) {
		text = allocate(sizeof *text + length + 1);
		memcpy(text->bytes, bytes, length + 1);
		HASH_ADD_KEYPTR(hh, seen->texts, text->bytes, length, text);
	}
	return text->bytes;
}

const struct access *log_seen_add(struct log_seen *seen, const struct access *access, bool *first)
{
	struct counted *counted;
	struct access key;

	memset(&key, 0, sizeof key); /* the holes count too */
	key.kind = access->kind;
	key.type = access->type;
	key.replaced = access->replaced;
	key.rights = access->rights;
	key.absent = access->absent;
	key.flags = access->flags;
	key.path = intern(seen, access->path);
	key.path2 = intern(seen, access->path2);
	key.port = access->port;
	key.error = access->error;
	key.asked = access->asked;
	key.inherited = access->inherited;
	key.call = intern(seen, access->call);
	key.image = intern(seen, access->image);
	HASH_FIND(hh, seen->accesses, &key, sizeof key, counted);
	*first = !counted;
	if (counted) {
		counted->count++;
		return &counted->access;
	}
	counted = allocate(sizeof *counted);
	memcpy(&counted->access, &key, sizeof key);
	counted->count = 1;
	HASH_ADD(hh, seen->accesses, access, sizeof counted->access, counted);
	return &counted->access;
}

size_t log_seen_distinct(const struct log_seen *seen)
{
	return HASH_COUNT(seen->accesses);
}

void log_seen_each(const struct log_seen *seen, log_seen_fn *each, void *data)
{
	for (const struct counted *counted = seen->accesses; counted; counted = counted->hh.next)
		each(data, &counted->access, counted->count);
}
