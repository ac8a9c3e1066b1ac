#include "base/pool.h"

#include <stdint.h>
#include <stdlib.h>

#include "base/memory.h"

#define FIRST	((size_t)1024 / sizeof(uint64_t))      /* words: each block is twice as large as the one before, … */
#define LARGEST ((size_t)32 * 1024 / sizeof(uint64_t)) /* … up to this */

struct pool_block {
	struct pool_block *older;
	size_t used, size; /* of `bytes`, in numbers of 64 bits */
	uint64_t bytes[];
};

void *pool_take(struct pool *pool, size_t size)
{
	size_t words = (size + sizeof(uint64_t) - 1) / sizeof(uint64_t);
	struct pool_block *block = pool->newest;

	if (!block || block->size - block->used < words) {
		size_t room = block ? block->size * 2 : FIRST;

		room = room > LARGEST ? LARGEST : room;
		room = room > words ? room : words;
		block = allocate(sizeof *block + room * sizeof(uint64_t));
		*block = (struct pool_block){.older = pool->newest, .size = room};
		pool->newest = block;
	}
	block->used += words;
	return &block->bytes[block->used - words];
}

void pool_finish(struct pool *pool)
{
	struct pool_block *block, *older;

	for (block = pool->newest; block; block = older) {
		older = block->older;
		free(block);
	}
	*pool = (struct pool){0};
}
