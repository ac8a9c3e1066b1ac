#include "base/table.h"

#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>

#include "base/memory.h"

#define FIRST 64

/* Both halves of the product: each bit of either number reaches the lowest bits, by which slots are told. */
static uint64_t folded(uint64_t one, uint64_t other)
{
	unsigned __int128 product = (unsigned __int128)one * other;

	return (uint64_t)product ^ (uint64_t)(product >> 64);
}

/*
 * Keys may be chosen by an enemy, who would choose such as collide. He cannot without the factor, which is another one
 * in each process: from 16 bytes that the kernel gives it (getauxval(3)), mixed since the C library has other uses for
 * them. A start alone would not do: what differs in the highest bits of a word could be made up for in the next one.
 */
static uint64_t start, factor;

__attribute__((constructor)) static void choose_secret(void)
{
	const void *given = (const void *)getauxval(AT_RANDOM); /* NOLINT(performance-no-int-to-ptr) */
	uint64_t random[2] = {0};

	if (given)
		memcpy(random, given, sizeof random);
	start = folded(random[0] ^ 0xff51afd7ed558ccdu, random[1] ^ 0x9e3779b97f4a7c15u);
	factor = folded(random[1] ^ 0xc4ceb9fe1a85ec53u, random[0] ^ 0xff51afd7ed558ccdu) | 1;
}

/* Eight bytes at a time. */
uint64_t table_hash(const void *key, size_t length)
{
	const unsigned char *at = key;
	uint64_t sum = start ^ length, word = 0;

	for (; length >= sizeof word; at += sizeof word, length -= sizeof word) {
		memcpy(&word, at, sizeof word); /* no call: its size is known */
		sum = folded(sum ^ word, factor);
	}
	if (length) {
		word = 0;
		memcpy(&word, at, length);
		sum = folded(sum ^ word, factor);
	}
	return folded(sum ^ start, factor);
}

static bool has_key(const void *thing, table_key_fn *key_of, const void *key, size_t length)
{
	size_t own_length;
	const void *own = key_of(thing, &own_length);

	return own_length == length && memcmp(own, key, length) == 0;
}

/* Never 0, which is a free slot's. */
static uint32_t tag_of(uint64_t hash)
{
	return (uint32_t)hash | 1;
}

static size_t first_slot(const struct table *table, uint32_t tag)
{
	return tag >> 1 & (table->capacity - 1);
}

static size_t next_slot(const struct table *table, size_t slot)
{
	return (slot + 1) & (table->capacity - 1);
}

/* Where it is, or the free slot where it belongs. Things are looked at for their keys only where the tag is the same.
 */
static size_t slot_of(const struct table *table, table_key_fn *key_of, const void *key, size_t length, uint32_t tag)
{
	size_t i = first_slot(table, tag);

	while (table->tags[i] && (table->tags[i] != tag || !has_key(table->slots[i], key_of, key, length)))
		i = next_slot(table, i);
	return i;
}

/* Of a thing that is not in it. */
static void put(struct table *table, uint32_t tag, void *thing)
{
	size_t i = first_slot(table, tag);

	while (table->tags[i])
		i = next_slot(table, i);
	table->tags[i] = tag;
	table->slots[i] = thing;
}

static void enlarge(struct table *table, size_t capacity)
{
	struct table larger = {.capacity = capacity, .count = table->count};

	larger.slots = allocate_array(larger.capacity, sizeof *larger.slots);
	larger.tags = allocate_array(larger.capacity, sizeof *larger.tags);
	for (size_t i = 0; i < table->capacity; i++)
		if (table->tags[i])
			put(&larger, table->tags[i], table->slots[i]);
	table_finish(table);
	*table = larger;
}

void *table_find(const struct table *table, table_key_fn *key_of, const void *key, size_t length)
{
	if (!table->count)
		return NULL;
	return table->slots[slot_of(table, key_of, key, length, tag_of(table_hash(key, length)))];
}

static void make_room(struct table *table)
{
	if (table->count >= table->capacity / 4 * 3)
		enlarge(table, table->capacity ? table->capacity * 2 : FIRST);
}

void table_add(struct table *table, table_key_fn *key_of, void *thing)
{
	size_t length;
	const void *key = key_of(thing, &length);

	make_room(table);
	put(table, tag_of(table_hash(key, length)), thing);
	table->count++;
}

void **table_place_of(struct table *table, table_key_fn *key_of, const void *key, size_t length, uint64_t hash)
{
	uint32_t tag = tag_of(hash);
	size_t slot;

	make_room(table);
	slot = slot_of(table, key_of, key, length, tag);
	table->count += !table->tags[slot];
	table->tags[slot] = tag;
	return &table->slots[slot];
}

void **table_place(struct table *table, table_key_fn *key_of, const void *key, size_t length)
{
	return table_place_of(table, key_of, key, length, table_hash(key, length));
}

void table_reserve(struct table *table, size_t count)
{
	size_t capacity = table->capacity ? table->capacity : FIRST;

	while (count >= capacity / 4 * 3)
		capacity *= 2;
	if (capacity > table->capacity)
		enlarge(table, capacity);
}

void table_finish(struct table *table)
{
	free(table->slots);
	free(table->tags);
	*table = (struct table){0};
}
