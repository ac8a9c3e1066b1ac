#include "tracer/log_hash.h"

#include <stdlib.h>

#include "base/buffer.h"
#include "base/cleanup.h"
#include "base/memory.h"
#include "base/worker.h"

#define PART (64UL * 1024)   /* bytes that are worth waking a thread for */
#define MOST (1024UL * 1024) /* that wait for it */

struct log_hash {
	struct hash *hash;     /* the worker's while it is busy */
	struct buffer handed;  /* likewise; else empty */
	struct buffer waiting; /* ours */
	struct worker *worker;
};

static void hash_handed(void *data)
{
	struct log_hash *hash = data;

	hash_add(hash->hash, buffer_text(&hash->handed), hash->handed.length);
	buffer_clear(&hash->handed);
}

struct log_hash *log_hash_create(void)
{
	struct log_hash *hash = allocate(sizeof *hash);

	hash->hash = hash_create();
	hash->worker = worker_create("log-hash", hash_handed, hash);
	return hash;
}

/* While the worker is idle. */
static void take_waiting(struct log_hash *hash)
{
	struct buffer empty = hash->handed;

	hash->handed = hash->waiting;
	hash->waiting = empty;
}

/* Unless the worker is still at what it was handed before, and can be let to it. */
void log_hash_add(struct log_hash *hash, const char *bytes, size_t length)
{
	buffer_add(&hash->waiting, bytes, length);
	if (hash->waiting.length < PART)
		return;
	if (hash->waiting.length >= MOST)
		worker_wait(hash->worker);
	else if (worker_is_busy(hash->worker))
		return;
	take_waiting(hash);
	if (!worker_begin(hash->worker))
		hash_handed(hash);
}

void log_hash_end(struct log_hash *hash, char text[HASH_TEXT_SIZE])
{
	worker_destroy(steal_pointer(&hash->worker));
	take_waiting(hash);
	hash_handed(hash);
	hash_end(steal_pointer(&hash->hash), text);
	buffer_finish(&hash->waiting);
	buffer_finish(&hash->handed);
	free(hash);
}
