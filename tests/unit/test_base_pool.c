/* Memory of a pool: zeroed, aligned, apart, of any size, and all of it goes at once. */
#include <criterion/criterion.h>
#include <stdint.h>
#include <string.h>

#include "base/memory.h"
#include "base/pool.h"

Test(pool, an_empty_one_ends)
{
	struct pool pool = {0};

	pool_finish(&pool);
	pool_finish(&pool);
}

static void expect_zeroed(const unsigned char *bytes, size_t size)
{
	for (size_t i = 0; i < size; i++)
		cr_assert_eq(bytes[i], 0);
}

/* Each is filled with a byte of its own: what overlaps is seen. */
Test(pool, things_are_zeroed_aligned_and_apart)
{
	struct pool pool = {0};
	unsigned char *things[3000];

	for (size_t i = 0; i < ARRAY_LENGTH(things); i++) {
		things[i] = pool_take(&pool, i % 97);
		cr_assert_eq((uintptr_t)things[i] % sizeof(uint64_t), 0u);
		expect_zeroed(things[i], i % 97);
		memset(things[i], (int)(i % 251 + 1), i % 97);
	}
	for (size_t i = 0; i < ARRAY_LENGTH(things); i++)
		for (size_t j = 0; j < i % 97; j++)
			cr_assert_eq(things[i][j], i % 251 + 1);
	pool_finish(&pool);
}

Test(pool, large_things_have_room_and_small_ones_go_on)
{
	struct pool pool = {0};
	unsigned char *small = pool_take(&pool, 8), *large = pool_take(&pool, 10 << 20), *next = pool_take(&pool, 8);

	expect_zeroed(large, 10 << 20);
	memset(large, 1, 10 << 20);
	expect_zeroed(small, 8);
	expect_zeroed(next, 8);
	pool_finish(&pool);
}
