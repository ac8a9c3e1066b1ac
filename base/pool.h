/*
 * Memory for very many small things that go all at once: cut from large blocks, so that none costs more than its bytes.
 */
#pragma once

#include <stddef.h>

struct pool_block;

struct pool {
	struct pool_block *newest;
};

/* Zeroed, aligned for pointers and numbers of 64 bits. It is the pool's until pool_finish(). Never NULL. */
void *pool_take(struct pool *pool, size_t size);
void pool_finish(struct pool *pool);
