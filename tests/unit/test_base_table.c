/* A set that holds what was added, whatever the keys. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/table.h"

static const void *key_of(const void *thing, size_t *length)
{
	*length = strlen(thing);
	return thing;
}

static void *find(const struct table *table, const char *key)
{
	return table_find(table, key_of, key, strlen(key));
}

Test(table, nothing_is_in_an_empty_one)
{
	struct table table = {0};

	cr_expect_null(find(&table, "a"));
	table_finish(&table);
}

Test(table, finds_each_and_nothing_else)
{
	struct table table = {0};
	char *things[5000];

	for (size_t i = 0; i < ARRAY_LENGTH(things); i++) {
		things[i] = format_text("/directory/%zu", i * i);
		cr_expect_null(find(&table, things[i]));
		table_add(&table, key_of, things[i]);
	}
	cr_expect_eq(table.count, ARRAY_LENGTH(things));
	cr_expect(table.count * 4 <= table.capacity * 3 + 4);
	for (size_t i = 0; i < ARRAY_LENGTH(things); i++)
		cr_expect_eq(find(&table, things[i]), things[i]);
	cr_expect_null(find(&table, "/directory/2"));
	cr_expect_null(find(&table, ""));
	for (size_t i = 0; i < ARRAY_LENGTH(things); i++)
		free(things[i]);
	table_finish(&table);
}

/* With and without room from the start, however things come in. */
Test(table, a_place_is_free_once)
{
	for (size_t reserved = 0; reserved <= 3000; reserved += 3000) {
		struct table table = {0};
		char *things[2000];

		if (reserved)
			table_reserve(&table, reserved);
		for (size_t i = 0; i < ARRAY_LENGTH(things); i++) {
			void **place;

			things[i] = format_text("/directory/%zu", i);
			place = table_place(&table, key_of, things[i], strlen(things[i]));
			cr_assert_null(*place);
			*place = things[i];
		}
		cr_expect_eq(table.count, ARRAY_LENGTH(things));
		cr_expect(table.count * 4 <= table.capacity * 3 + 4);
		for (size_t i = 0; i < ARRAY_LENGTH(things); i++) {
			cr_expect_eq(find(&table, things[i]), things[i]);
			cr_expect_eq(*table_place(&table, key_of, things[i], strlen(things[i])), things[i]);
		}
		cr_expect_eq(table.count, ARRAY_LENGTH(things));
		for (size_t i = 0; i < ARRAY_LENGTH(things); i++)
			free(things[i]);
		table_finish(&table);
	}
}

Test(table, what_is_in_it_stays_when_room_is_made)
{
	struct table table = {0};
	char one[] = "one", two[] = "two";
	size_t capacity;

	table_add(&table, key_of, one);
	table_reserve(&table, 1000);
	capacity = table.capacity;
	cr_expect_geq(capacity, 1000u);
	table_add(&table, key_of, two);
	table_reserve(&table, 10);
	cr_expect_eq(table.capacity, capacity);
	cr_expect_eq(find(&table, one), one);
	cr_expect_eq(find(&table, two), two);
	table_finish(&table);
}

static size_t looks;

static const void *counted_key_of(const void *thing, size_t *length)
{
	looks++;
	return key_of(thing, length);
}

/* How many of the things have their first slot to themselves, or are one of those that share it. */
static size_t first_slots(char *const *things, size_t count)
{
	static bool taken[8192];
	size_t distinct = 0;

	memset(taken, 0, sizeof taken);
	for (size_t i = 0; i < count; i++) {
		bool *slot = &taken[table_hash(things[i], strlen(things[i])) >> 1 & (ARRAY_LENGTH(taken) - 1)];

		distinct += !*slot;
		*slot = true;
	}
	return distinct;
}

/*
 * Names with numbers at their ends, wherever in a word of memory these lie: no other thing is looked at to find one,
 * and slots are as by chance, which leaves 3,160 to 4,000 things.
 */
Test(table, numbered_names_are_apart)
{
	enum { COUNT = 4000 };

	for (int width = 1; width <= 16; width++) {
		struct table table = {0};
		char *things[COUNT];

		for (size_t i = 0; i < COUNT; i++) {
			things[i] = format_text("/%0*d/file%04zu", width, 0, i);
			table_add(&table, key_of, things[i]);
		}
		looks = 0;
		for (size_t i = 0; i < COUNT; i++)
			cr_expect_eq(table_find(&table, counted_key_of, things[i], strlen(things[i])), things[i]);
		cr_expect(looks < COUNT + 5, "width %d: %zu looks", width, looks);
		cr_expect(first_slots(things, COUNT) > 2900, "width %d: %zu slots", width, first_slots(things, COUNT));
		for (size_t i = 0; i < COUNT; i++)
			free(things[i]);
		table_finish(&table);
	}
}

/* Also keys that begin alike, or are the beginning of others. */
Test(table, keys_are_compared_to_their_ends)
{
	struct table table = {0};
	char *things[64];

	for (size_t i = 0; i < ARRAY_LENGTH(things); i++) {
		things[i] = allocate(i + 2);
		memset(things[i], 'x', i + 1);
		table_add(&table, key_of, things[i]);
	}
	for (size_t i = 0; i < ARRAY_LENGTH(things); i++)
		cr_expect_eq(find(&table, things[i]), things[i]);
	for (size_t i = 0; i < ARRAY_LENGTH(things); i++)
		free(things[i]);
	table_finish(&table);
}

/* Whoever knows how hashes are made and not the factor cannot choose keys that collide in every process. */
Test(table, what_differs_in_one_word_is_not_made_up_for_in_the_next)
{
	const uint64_t top = (uint64_t)1 << 63, half = (uint64_t)1 << 31,
		       words[] = {0, 1, half, top, top | half, top | 1};
	size_t same = 0;

	for (size_t i = 1; i < ARRAY_LENGTH(words); i++)
		for (size_t j = 0; j < ARRAY_LENGTH(words); j++) {
			uint64_t one[2] = {0x6161616161616161u, 0x6262626262626262u};
			uint64_t other[2] = {one[0] ^ words[i], one[1] ^ words[j]};

			same += table_hash(one, sizeof one) == table_hash(other, sizeof other);
		}
	cr_expect_eq(same, 0);
}

Test(table, a_hash_is_the_same_each_time_and_of_the_whole_key)
{
	uint64_t hash = table_hash("name", 4);

	cr_expect_eq(table_hash("name", 4), hash);
	cr_expect_neq(table_hash("nam", 3), hash);
	cr_expect_neq(table_hash("name\0", 5), hash);
}
