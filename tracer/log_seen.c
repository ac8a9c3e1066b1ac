#include "tracer/log_seen.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/pool.h"
#include "base/table.h"

/* Its strings are those of `texts`. */
struct counted {
	uint64_t hash; /* of all that tells it apart; where another one had that, the next number that nobody had */
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
	const char *image; /* of the last one */
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
	*length = sizeof(uint64_t);
	return &((const struct counted *)counted)->hash;
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
	size_t length;
	void **place;

	if (!bytes)
		return NULL;
	length = strlen(bytes);
	place = table_place(&seen->texts, text_key, bytes, length);
	if (!*place)
		*place = memcpy(pool_take(&seen->pool, length + 1), bytes, length);
	return *place;
}

/* The same program goes on, mostly. */
static const char *intern_image(struct log_seen *seen, const char *image)
{
	if (!image || !seen->image || strcmp(image, seen->image) != 0)
		seen->image = intern(seen, image);
	return seen->image;
}

static uint64_t mix(uint64_t hash, uint64_t word)
{
	hash = (hash ^ word) * 0x9e3779b97f4a7c15u;
	return hash ^ hash >> 29;
}

static uint64_t text_hash(const char *text)
{
	return text ? table_hash(text, strlen(text)) : 1;
}

/* Of all that tells an access apart. */
static uint64_t hash_of(const struct access *access)
{
	uint64_t hash = mix(mix(1, access->kind), access->flags);

	hash = mix(hash, (uint64_t)access->type << 32 | access->replaced);
	hash = mix(hash, (uint64_t)(uint32_t)access->port << 32 | (uint32_t)access->error);
	hash = mix(hash, (uint64_t)access->asked << 2 | (uint64_t)access->unanswered << 1 | access->inherited);
	hash = mix(mix(hash, access->rights), access->absent);
	hash = mix(mix(hash, text_hash(access->path)), text_hash(access->path2));
	hash = mix(mix(hash, text_hash(access->link)), text_hash(access->call));
	return mix(hash, text_hash(access->image));
}

static bool has_words_of(const struct access *one, const struct access *other)
{
	return one->kind == other->kind && one->type == other->type && one->replaced == other->replaced &&
	       one->rights == other->rights && one->absent == other->absent && one->flags == other->flags &&
	       one->port == other->port && one->error == other->error && one->asked == other->asked &&
	       one->unanswered == other->unanswered && one->inherited == other->inherited;
}

static bool is_text(const char *one, const char *other)
{
	return one == other || (one && other && strcmp(one, other) == 0);
}

static bool is_same(const struct access *one, const struct access *other)
{
	return has_words_of(one, other) && is_text(one->path, other->path) && is_text(one->path2, other->path2) &&
	       is_text(one->link, other->link) && is_text(one->call, other->call) && is_text(one->image, other->image);
}

static void keep(struct log_seen *seen, struct access *kept, const struct access *access)
{
	*kept = *access;
	kept->again = 0; /* the learner's alone */
	kept->path = intern(seen, access->path);
	kept->path2 = intern(seen, access->path2);
	kept->link = intern(seen, access->link);
	kept->call = intern(seen, access->call);
	kept->image = intern_image(seen, access->image);
}

/* In the order in which they came; its place in the table is the caller's to fill. */
static struct counted *add(struct log_seen *seen, const struct access *access, uint64_t hash)
{
	struct counted *counted = pool_take(&seen->pool, sizeof *counted);

	counted->hash = hash;
	keep(seen, &counted->access, access);
	if (seen->last)
		seen->last->next = counted;
	else
		seen->first = counted;
	seen->last = counted;
	return counted;
}

static bool add_print(struct log_seen *seen, uint64_t hash, bool repeated)
{
	struct print *print = table_find(&seen->accesses, print_key, &hash, sizeof hash);

	if (print) {
		seen->repeated += !print->repeated;
		print->repeated = true;
		return false;
	}
	print = pool_take(&seen->pool, sizeof *print);
	*print = (struct print){hash, repeated};
	table_add(&seen->accesses, print_key, print);
	return true;
}

const struct access *log_seen_add(struct log_seen *seen, const struct access *access, bool *first)
{
	uint64_t hash = hash_of(access);
	struct counted *counted;
	void **place;

	if (seen->forgotten) {
		*first = add_print(seen, hash, false);
		return NULL;
	}
	while ((counted = *(place = table_place(&seen->accesses, access_key, &hash, sizeof hash))) &&
	       !is_same(&counted->access, access))
		hash++;
	*first = !counted;
	if (!counted)
		*place = counted = add(seen, access, hash);
	seen->repeated += ++counted->count == 2;
	return &counted->access;
}

void log_seen_forget(struct log_seen *seen)
{
	struct log_seen brief = {.repeated = seen->repeated, .forgotten = true};

	if (seen->forgotten)
		return;
	for (const struct counted *counted = seen->first; counted; counted = counted->next)
		add_print(&brief, counted->hash, counted->count > 1);
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
