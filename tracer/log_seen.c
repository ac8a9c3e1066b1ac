#include "tracer/log_seen.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/pool.h"
#include "base/table.h"

/* The access is its own key: its strings are those of `texts`, so equal ones are at one address. */
struct counted {
	struct access access;
	uint64_t count;
	struct counted *next; /* that came first after it */
};

struct log_seen {
	struct pool pool;      /* of all that the tables hold */
	struct table texts;    /* of strings */
	struct table accesses; /* of struct counted */
	struct counted *first, *last;
};

static const void *text_key(const void *text, size_t *length)
{
	*length = strlen(text);
	return text;
}

static const void *access_key(const void *counted, size_t *length)
{
	*length = sizeof(struct access);
	return &((const struct counted *)counted)->access;
}

struct log_seen *log_seen_create(void)
{
	return allocate(sizeof(struct log_seen));
}

void log_seen_destroy(struct log_seen *seen)
{
	if (!seen)
		return;
	table_finish(&seen->accesses);
	table_finish(&seen->texts);
	pool_finish(&seen->pool);
	free(seen);
}

static const char *intern(struct log_seen *seen, const char *bytes)
{
	size_t length = bytes ? strlen(bytes) : 0;
	char *text;

	if (!bytes)
		return NULL;
	text = table_find(&seen->texts, text_key, bytes, length);
	if (!text) {
		text = memcpy(pool_take(&seen->pool, length + 1), bytes, length);
		table_add(&seen->texts, text_key, text);
	}
	return text;
}

static struct counted *add(struct log_seen *seen, const struct access *key)
{
	struct counted *counted = pool_take(&seen->pool, sizeof *counted);

	memcpy(&counted->access, key, sizeof *key); /* with its holes */
	table_add(&seen->accesses, access_key, counted);
	if (seen->last)
		seen->last->next = counted;
	else
		seen->first = counted;
	seen->last = counted;
	return counted;
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
	key.link = intern(seen, access->link);
	key.port = access->port;
	key.error = access->error;
	key.asked = access->asked;
	key.unanswered = access->unanswered;
	key.inherited = access->inherited;
	key.call = intern(seen, access->call);
	key.image = intern(seen, access->image);
	counted = table_find(&seen->accesses, access_key, &key, sizeof key);
	*first = !counted;
	if (!counted)
		counted = add(seen, &key);
	counted->count++;
	return &counted->access;
}

size_t log_seen_distinct(const struct log_seen *seen)
{
	return seen->accesses.count;
}

void log_seen_each(const struct log_seen *seen, log_seen_fn *each, void *data)
{
	for (const struct counted *counted = seen->first; counted; counted = counted->next)
		each(data, &counted->access, counted->count);
}
