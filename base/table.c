#include "base/table.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

#define FIRST 64

/* Slots are told by the lowest bits, so each bit has to reach them (murmur's finalizer). */
static uint64_t mixed(uint64_t sum)
{
	sum = (sum ^ sum >> 33) * 0xff51afd7ed558ccdu;
	sum = (sum ^ sum >> 33) * 0xc4ceb9fe1a85ec53u;
	return sum ^ sum >> 33;
}

/*
 * Eight bytes at a time, mixed by multiplication, which moves differences up alone: without the last step numbers at
 * the end of names would matter little. Keys may be chosen by an enemy: he can make it slow, not wrong.
 */
uint64_t table_hash(const void *key, size_t length)
{
	const unsigned char *at = key;
	uint64_t sum = length * 0x9e3779b97f4a7c15u;

	while (length) {
		size_t part = length < sizeof(uint64_t) ? length : sizeof(uint64_t);
		uint64_t word = 0;

		memcpy(&word, at, part);
		sum = (sum ^ word) * 0xff51afd7ed558ccdu;
		sum ^= sum >> 32;
		at += part;
		length -= part;
	}
	return mixed(sum);
}

static bool has_key(const void *thing, table_key_fn *key_of, const void *key, size_t length)
{
	size_t own_length;
	const void *own = key_of(thing, &own_length);

	return own_length == length && memcmp(own, key, length) == 0;
}

/* Where it is, or the free slot where it belongs. */
static void **slot_of(const struct table *table, table_key_fn *key_of, const void *key, size_t length)
{
	size_t i = table_hash(key, length) & (table->capacity - 1);

	while (table->slots[i] && !has_key(table->slots[i], key_of, key, length))
		i = (i + 1) & (table->capacity - 1);
	return &table->slots[i];
}

static void put(struct table *table, table_key_fn *key_of, void *thing)
{
	size_t length;
	const void *key = key_of(thing, &length);

	*slot_of(table, key_of, key, length) = thing;
}

static void grow(struct table *table, table_key_fn *key_of)
{
	struct table larger = {.capacity = table->capacity ? table->capacity * 2 : FIRST, .count = table->count};

	larger.slots = allocate_array(larger.capacity, sizeof *larger.slots);
	for (size_t i = 0; i < table->capacity; i++)
		if (table->slots[i])
			put(&larger, key_of, table->slots[i]);
	free(table->slots);
	*table = larger;
}

void *table_find(const struct table *table, table_key_fn *key_of, const void *key, size_t length)
{
	return table->count ? *slot_of(table, key_of, key, length) : NULL;
}

void table_add(struct table *table, table_key_fn *key_of, void *thing)
{
	if (table->count >= table->capacity / 4 * 3)
		grow(table, key_of);
	put(table, key_of, thing);
	table->count++;
}

void table_finish(struct table *table)
{
	free(table->slots);
	*table = (struct table){0};
}
