#include <stdlib.h>
#include <string.h>

#include "base/escape.h"
#include "base/memory.h"
#include "base/pool.h"
#include "profile/grant_index.h"
#include "profile/profile_line.h"

/* Bytes to sort an item by: those of its line, with what comes before in the file in front. */
typedef void sort_key_fn(struct buffer *out, const void *item);
/* Takes `from`, which has the same key, into `into`. */
typedef void sort_join_fn(void *into, void *from);

struct sortable {
	const char *key;
	size_t position;
};

struct sortables {
	struct sortable *items;
	struct buffer keys; /* each with a NUL behind it */
};

static int compare_sortables(const void *a, const void *b)
{
	const struct sortable *first = a, *second = b;
	int order = strcmp(first->key, second->key);

	return order ? order : (first->position > second->position) - (first->position < second->position);
}

static struct sortables sorted_keys(const char *items, size_t count, size_t size, sort_key_fn *key)
{
	struct sortables sortables = {.items = allocate_array(count, sizeof *sortables.items)};
	const char *at;

	for (size_t i = 0; i < count; i++) {
		key(&sortables.keys, items + i * size);
		buffer_add_byte(&sortables.keys, '\0');
	}
	at = sortables.keys.data;
	for (size_t i = 0; i < count; i++) {
		sortables.items[i] = (struct sortable){.key = at, .position = i};
		at += strlen(at) + 1;
	}
	qsort(sortables.items, count, sizeof *sortables.items, compare_sortables);
	return sortables;
}

/* Whether they are already, with no two that are equal: a file that we wrote is, and so is what little was added to. */
static bool are_sorted(const char *items, size_t count, size_t size, sort_key_fn *key)
{
	scoped_buffer one = {0}, other = {0};
	bool are = true;

	for (size_t i = 0; are && i < count; i++) {
		struct buffer *text = i % 2 ? &other : &one, *last = i % 2 ? &one : &other;

		buffer_clear(text);
		key(text, items + i * size);
		are = !i || strcmp(buffer_text(last), buffer_text(text)) < 0;
	}
	return are;
}

/* Sorts items by key; joins equal ones unless join is NULL. Returns how many remain. */
static size_t sort_items(void *items, size_t count, size_t size, sort_key_fn *key, sort_join_fn *join)
{
	struct sortables sortables;
	char *old = items, *sorted;
	size_t kept = 0;

	if (are_sorted(items, count, size, key))
		return count;
	sortables = sorted_keys(old, count, size, key);
	sorted = allocate_array(count, size);
	for (size_t i = 0; i < count; i++) {
		const struct sortable *sortable = &sortables.items[i];
		char *item = old + sortable->position * size;

		if (join && i && !strcmp(sortable->key, sortable[-1].key))
			join(sorted + (kept - 1) * size, item);
		else
			memcpy(sorted + kept++ * size, item, size);
	}
	memcpy(items, sorted, kept * size);
	free(sortables.items);
	buffer_finish(&sortables.keys);
	free(sorted);
	return kept;
}

static void grant_key(struct buffer *out, const void *item)
{
	const struct grant *grant = item;

	buffer_add_byte(out, (char)('0' + grant->section));
	line_grant(out, grant);
}

static void port_number_key(struct buffer *out, const void *item)
{
	buffer_format(out, "%d", ((const struct port_grant *)item)->port);
}

static void port_key(struct buffer *out, const void *item)
{
	line_port(out, item);
}

static void join_ports(void *into, void *from)
{
	struct port_grant *kept = into, *other = from;

	kept->rights |= other->rights;
	origin_join(&kept->origin, &other->origin);
}

/* The paths, not the line: two spellings of one move are one. */
static void move_key(struct buffer *out, const void *item)
{
	struct move move = *(const struct move *)item;

	move.origin.written = NULL;
	line_move(out, &move);
}

static void move_line_key(struct buffer *out, const void *item)
{
	line_move(out, item);
}

static void join_moves(void *into, void *from)
{
	struct move *kept = into, *other = from;

	origin_join(&kept->origin, &other->origin);
	free(other->from);
	free(other->to);
}

static void environment_line_key(struct buffer *out, const void *item)
{
	const struct environment_line *line = item;

	buffer_format(out, "%s ", environment_action_name(line->action));
	line_environment(out, line);
}

static void environment_key(struct buffer *out, const void *item)
{
	struct environment_line line = *(const struct environment_line *)item;

	line.origin.written = NULL;
	environment_line_key(out, &line);
}

static void join_environment(void *into, void *from)
{
	struct environment_line *kept = into, *other = from;

	origin_join(&kept->origin, &other->origin);
	free(other->name);
	free(other->value);
}

static void word_key(struct buffer *out, const void *item)
{
	buffer_add_text(out, ((const struct word *)item)->text);
}

static void word_line_key(struct buffer *out, const void *item)
{
	line_word(out, item);
}

static void join_words(void *into, void *from)
{
	struct word *kept = into, *other = from;

	origin_join(&kept->origin, &other->origin);
	free(other->text);
}

/* Whether its path is written as it is, so that it can be compared instead of the line. */
static bool is_plain(const struct grant *grant)
{
	return grant->path && !grant->origin.written && !grant->path[plain_length(grant->path)];
}

/* As are_sorted(), of what stands in a profile by the thousands: lines with the same rights differ in their paths. */
static bool are_grants_sorted(const struct grant *grants, size_t count)
{
	bool are = true, was_plain = count && is_plain(&grants[0]);

	for (size_t i = 1; are && i < count; i++) {
		const struct grant *one = &grants[i - 1], *other = &grants[i];
		bool plain = is_plain(other);

		if (one->section == other->section && one->rights == other->rights && was_plain && plain)
			are = strcmp(one->path, other->path) < 0;
		else
			are = are_sorted((const char *)one, 2, sizeof *one, grant_key);
		was_plain = plain;
	}
	return are;
}

/* A grant's key in two parts, of which a long profile has few different ones and none that must be put together. */
struct sortable_grant {
	const char
		*head; /* section and rights, with the blank behind them; mostly one text for all that have the same */
	const char *path; /* as it is written */
	size_t position;
};

struct head {
	enum section section;
	rights_t rights;
	const char *text;
};

#define MOST_LOOKED 16

struct heads {
	struct head *heads;
	size_t count, capacity;
	struct pool texts; /* also of paths that are not written as they are */
};

static const char *keep(struct pool *pool, const struct buffer *text)
{
	return memcpy(pool_take(pool, text->length + 1), buffer_text(text), text->length + 1);
}

/* Where very many are different, some are made twice. */
static const char *head_of(struct heads *heads, const struct grant *grant)
{
	scoped_buffer text = {0};
	struct head *head;

	for (size_t i = heads->count; i && i + MOST_LOOKED > heads->count; i--)
		if (heads->heads[i - 1].rights == grant->rights && heads->heads[i - 1].section == grant->section)
			return heads->heads[i - 1].text;
	buffer_add_byte(&text, (char)('0' + grant->section));
	rights_write(&text, grant->rights);
	buffer_add_byte(&text, ' ');
	head = ARRAY_APPEND(heads->heads, heads->count, heads->capacity);
	*head = (struct head){grant->section, grant->rights, keep(&heads->texts, &text)};
	return head->text;
}

static const char *path_of(struct heads *heads, const struct grant *grant)
{
	scoped_buffer text = {0};

	if (is_plain(grant))
		return grant->path;
	line_text(&text, grant->path ? grant->path : "", &grant->origin);
	buffer_add_byte(&text, '\0');
	return keep(&heads->texts, &text);
}

/* No text of a head is the beginning of another one: their only blanks end them. */
static int compare_grants(const void *a, const void *b)
{
	const struct sortable_grant *first = a, *second = b;
	int order = first->head == second->head ? 0 : strcmp(first->head, second->head);

	order = order ? order : strcmp(first->path, second->path);
	return order ? order : (first->position > second->position) - (first->position < second->position);
}

static void sort_grants(struct grant *grants, size_t count)
{
	struct sortable_grant *order;
	struct heads heads = {0};
	struct grant *sorted;

	if (are_grants_sorted(grants, count))
		return;
	order = allocate_array(count, sizeof *order);
	sorted = allocate_array(count, sizeof *sorted);
	for (size_t i = 0; i < count; i++)
		order[i] = (struct sortable_grant){head_of(&heads, &grants[i]), path_of(&heads, &grants[i]), i};
	qsort(order, count, sizeof *order, compare_grants);
	for (size_t i = 0; i < count; i++)
		sorted[i] = grants[order[i].position];
	memcpy(grants, sorted, count * sizeof *sorted);
	free(sorted);
	free(order);
	free(heads.heads);
	pool_finish(&heads.texts);
}

#define SORT(items, count, key, join) ((count) = sort_items((items), (count), sizeof *(items), (key), (join)))

void profile_sort_unique(struct profile *profile)
{
	grant_index_drop(profile);
	sort_grants(profile->grants, profile->grant_count);
	SORT(profile->moves, profile->move_count, move_key, join_moves);
	SORT(profile->moves, profile->move_count, move_line_key, NULL);
	SORT(profile->ports, profile->port_count, port_number_key, join_ports);
	SORT(profile->ports, profile->port_count, port_key, NULL);
	SORT(profile->environment, profile->environment_count, environment_key, join_environment);
	SORT(profile->environment, profile->environment_count, environment_line_key, NULL);
	SORT(profile->incomplete, profile->incomplete_count, word_key, join_words);
	SORT(profile->incomplete, profile->incomplete_count, word_line_key, NULL);
	SORT(profile->seccomp, profile->seccomp_count, word_key, join_words);
	SORT(profile->seccomp, profile->seccomp_count, word_line_key, NULL);
}

void profile_sort(struct profile *profile)
{
	grant_index_join(profile);
	profile_sort_unique(profile);
}
