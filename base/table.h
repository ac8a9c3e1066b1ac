/*
 * A set of things by a key that lies in them: open addressing, 16 to 32 bytes for each. For tables of very many
 * small things; elsewhere uthash does more. Nothing is ever taken out.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct table {
	void **slots;
	uint32_t *tags;	 /* of what is in each slot, by its key's hash; 0: the slot is free */
	size_t capacity; /* a power of two, or 0 */
	size_t count;
};

/*
 * What tells keys apart most of the time: equal ones have the same, others hardly ever, whoever chose them. It is
 * another one in each process, so nothing that is written may depend on it.
 */
uint64_t table_hash(const void *key, size_t length);

/* The bytes by which a thing is found. */
typedef const void *table_key_fn(const void *thing, size_t *length);

void *table_find(const struct table *table, table_key_fn *key_of, const void *key, size_t length); /* or NULL */
/* Nothing with its key may be in the table. The thing stays its owner's. */
void table_add(struct table *table, table_key_fn *key_of, void *thing);
/*
 * Both at once: where the thing is or, when *place is NULL, where the caller must put one with this key now. Valid
 * until the next change.
 */
void **table_place(struct table *table, table_key_fn *key_of, const void *key, size_t length);
/* The same where table_hash() of the key is known already. */
void **table_place_of(struct table *table, table_key_fn *key_of, const void *key, size_t length, uint64_t hash);
/* Room for so many at once, where that is known. */
void table_reserve(struct table *table, size_t count);
void table_finish(struct table *table);
