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

/* A string that comes again and again. */
struct word {
	const char *text; /* of `texts`, or NULL */
	uint64_t hash;
};

struct log_seen {
	struct pool pool;      /* of all that the tables hold */
	struct table texts;    /* of strings */
	struct table accesses; /* of struct counted; of struct print when they are forgotten */
	struct counted *first, *last;
	struct word call, image; /* of the last one */
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

/* The hashes of an access's strings: each is wanted to look for the access, and again where it is new. */
struct hashes {
	uint64_t path, path2, link;
	struct word call, image; /* with the text that is kept, where it is the last one again */
};

static const char *intern(struct log_seen *seen, const char *text, uint64_t hash)
{
	size_t length;
	void **place;

	if (!text)
		return NULL;
	length = strlen(text);
	place = table_place_of(&seen->texts, text_key, text, length, hash);
	if (!*place)
		*place = memcpy(pool_take(&seen->pool, length + 1), text, length);
	return *place;
}

static bool is_word(const struct word *word, const char *text)
{
	return text && word->text && strcmp(text, word->text) == 0;
}

static const char *intern_word(struct log_seen *seen, struct word *last, const char *text, const struct word *word)
{
	if (!word->text)
		*last = (struct word){intern(seen, text, word->hash), word->hash};
	return last->text;
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

/* The same program goes on with the same call, mostly. */
static struct word word_of(const struct word *last, const char *text)
{
	return is_word(last, text) ? *last : (struct word){NULL, text_hash(text)};
}

static struct hashes hashes_of(const struct log_seen *seen, const struct access *access)
{
	return (struct hashes){text_hash(access->path), text_hash(access->path2), text_hash(access->link),
			       word_of(&seen->call, access->call), word_of(&seen->image, access->image)};
}

/* Of all that tells an access apart. */
static uint64_t hash_of(const struct access *access, const struct hashes *hashes)
{
	uint64_t hash = mix(mix(1, access->kind), access->flags);

	hash = mix(hash, (uint64_t)access->type << 32 | access->replaced);
	hash = mix(hash, (uint64_t)(uint32_t)access->port << 32 | (uint32_t)access->error);
	hash = mix(hash, (uint64_t)access->asked << 2 | (uint64_t)access->unanswered << 1 | access->inherited);
	hash = mix(mix(hash, access->rights), access->absent);
	hash = mix(mix(hash, hashes->path), hashes->path2);
	hash = mix(mix(hash, hashes->link), hashes->call.hash);
	return mix(hash, hashes->image.hash);
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

/* Of one text one is kept, so where it is known which, that tells. */
static bool is_kept_word(const char *kept, const char *text, const struct word *word)
{
	return word->text ? kept == word->text : is_text(kept, text);
}

static bool is_same(const struct access *kept, const struct access *access, const struct hashes *hashes)
{
	return has_words_of(kept, access) && is_text(kept->path, access->path) && is_text(kept->path2, access->path2) &&
	       is_text(kept->link, access->link) && is_kept_word(kept->call, access->call, &hashes->call) &&
	       is_kept_word(kept->image, access->image, &hashes->image);
}

static void keep(struct log_seen *seen, struct access *kept, const struct access *access, const struct hashes *hashes)
{
	*kept = *access;
	kept->again = 0; /* the learner's alone */
	kept->path = intern(seen, access->path, hashes->path);
	kept->path2 = intern(seen, access->path2, hashes->path2);
	kept->link = intern(seen, access->link, hashes->link);
	kept->call = intern_word(seen, &seen->call, access->call, &hashes->call);
	kept->image = intern_word(seen, &seen->image, access->image, &hashes->image);
}

/* In the order in which they came; its place in the table is the caller's to fill. */
static struct counted *add(struct log_seen *seen, const struct access *access, const struct hashes *hashes,
			   uint64_t hash)
{
	struct counted *counted = pool_take(&seen->pool, sizeof *counted);

	counted->hash = hash;
	keep(seen, &counted->access, access, hashes);
	if (seen->last)
		seen->last->next = counted;
	else
		seen->first = counted;
	seen->last = counted;
	return counted;
}

/* What is known by its hash is in the table by it as it is. */
static void **place_of(struct log_seen *seen, table_key_fn *key_of, const uint64_t *hash)
{
	return table_place_of(&seen->accesses, key_of, hash, sizeof *hash, *hash);
}

static bool add_print(struct log_seen *seen, uint64_t hash, bool repeated)
{
	void **place = place_of(seen, print_key, &hash);
	struct print *print = *place;

	if (print) {
		seen->repeated += !print->repeated;
		print->repeated = true;
		return false;
	}
	*place = print = pool_take(&seen->pool, sizeof *print);
	*print = (struct print){hash, repeated};
	return true;
}

const struct access *log_seen_add(struct log_seen *seen, const struct access *access, bool *first)
{
	struct hashes hashes = hashes_of(seen, access);
	uint64_t hash = hash_of(access, &hashes);
	struct counted *counted;
	void **place;

	if (seen->forgotten) {
		*first = add_print(seen, hash, false);
		return NULL;
	}
	while ((counted = *(place = place_of(seen, access_key, &hash))) && !is_same(&counted->access, access, &hashes))
		hash++;
	*first = !counted;
	if (!counted)
		*place = counted = add(seen, access, &hashes, hash);
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
