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

/* What is left of one once it is forgotten. */
struct print {
	uint64_t hash;
	bool repeated;
};

struct log_seen {
	struct pool pool;      /* of all that the tables hold */
	struct table texts;    /* of strings */
	struct table accesses; /* of struct counted; of struct print when they are forgotten */
	struct counted *first, *last;
	size_t repeated;
	bool forgotten;
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

static const void *print_key(const void *print, size_t *length)
{
	*length = sizeof(uint64_t);
	return &((const struct print *)print)->hash;
}

struct log_seen *log_seen_create(void)
{
	return allocate(sizeof(struct log_seen));
}

static void finish(struct log_seen *seen)
{
	table_finish(&seen->accesses);
	table_finish(&seen->texts);
	pool_finish(&seen->pool);
}

void log_seen_destroy(struct log_seen *seen)
{
	if (!seen)
		return;
	finish(seen);
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

/* All but its strings; the holes count too. */
static void copy_words(struct access *key, const struct access *access)
{
	memset(key, 0, sizeof *key);
	key->kind = access->kind;
	key->type = access->type;
	key->replaced = access->replaced;
	key->rights = access->rights;
	key->absent = access->absent;
	key->flags = access->flags;
	key->port = access->port;
	key->error = access->error;
	key->asked = access->asked;
	key->unanswered = access->unanswered;
	key->inherited = access->inherited;
}

static void make_key(struct log_seen *seen, struct access *key, const struct access *access)
{
	copy_words(key, access);
	key->path = intern(seen, access->path);
	key->path2 = intern(seen, access->path2);
	key->link = intern(seen, access->link);
	key->call = intern(seen, access->call);
	key->image = intern(seen, access->image);
}

static uint64_t text_hash(const char *text)
{
	return text ? table_hash(text, strlen(text)) : 1;
}

static uint64_t hash_of(const struct access *access)
{
	struct {
		struct access words;
		uint64_t texts[5];
	} all;

	copy_words(&all.words, access);
	all.texts[0] = text_hash(access->path);
	all.texts[1] = text_hash(access->path2);
	all.texts[2] = text_hash(access->link);
	all.texts[3] = text_hash(access->call);
	all.texts[4] = text_hash(access->image);
	return table_hash(&all, sizeof all);
}

static void add_print(struct log_seen *seen, uint64_t hash, bool repeated)
{
	struct print *print = table_find(&seen->accesses, print_key, &hash, sizeof hash);

	if (print) {
		seen->repeated += !print->repeated;
		print->repeated = true;
		return;
	}
	print = pool_take(&seen->pool, sizeof *print);
	*print = (struct print){hash, repeated};
	table_add(&seen->accesses, print_key, print);
}

const struct access *log_seen_add(struct log_seen *seen, const struct access *access, bool *first)
{
	size_t before = seen->accesses.count;
	struct counted *counted;
	struct access key;

	if (seen->forgotten) {
		add_print(seen, hash_of(access), false);
		*first = seen->accesses.count > before;
		return NULL;
	}
	make_key(seen, &key, access);
	counted = table_find(&seen->accesses, access_key, &key, sizeof key);
	*first = !counted;
	if (!counted)
		counted = add(seen, &key);
	seen->repeated += ++counted->count == 2;
	return &counted->access;
}

void log_seen_forget(struct log_seen *seen)
{
	struct log_seen brief = {.repeated = seen->repeated, .forgotten = true};

	if (seen->forgotten)
		return;
	for (const struct counted *counted = seen->first; counted; counted = counted->next)
		add_print(&brief, hash_of(&counted->access), counted->count > 1);
	finish(seen);
	*seen = brief;
}

size_t log_seen_distinct(const struct log_seen *seen)
{
	return seen->accesses.count;
}

size_t log_seen_repeated(const struct log_seen *seen)
{
	return seen->repeated;
}

void log_seen_each(const struct log_seen *seen, log_seen_fn *each, void *data)
{
	for (const struct counted *counted = seen->first; counted; counted = counted->next)
		each(data, &counted->access, counted->count);
}
