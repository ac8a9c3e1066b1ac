#include "tracer/log_hash.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>

#include "base/buffer.h"
#include "base/cleanup.h"
#include "base/memory.h"

#define PART (64 * 1024)   /* bytes that are worth waking a thread for */
#define MOST (1024 * 1024) /* that wait for it */

enum state { UNTRIED, RUNNING, IMPOSSIBLE };

struct log_hash {
	struct hash *hash;     /* the thread's while it runs */
	struct buffer waiting; /* ours */
	struct buffer handed;  /* the thread's while it is busy, else empty */
	enum state state;
	cpu_set_t processors;
	pthread_t thread;
	pthread_mutex_t mutex; /* of what follows */
	pthread_cond_t changed;
	bool busy, ended;
};

struct log_hash *log_hash_create(void)
{
	struct log_hash *hash = allocate(sizeof *hash);

	hash->hash = hash_create();
	pthread_mutex_init(&hash->mutex, NULL);
	pthread_cond_init(&hash->changed, NULL);
	if (sched_getaffinity(0, sizeof hash->processors, &hash->processors) < 0)
		CPU_ZERO(&hash->processors); /* more than the set has room for */
	return hash;
}

/* Whether there is something to hash; else the end. */
static bool wait_for_work(struct log_hash *hash)
{
	bool busy;

	pthread_mutex_lock(&hash->mutex);
	while (!hash->busy && !hash->ended)
		pthread_cond_wait(&hash->changed, &hash->mutex);
	busy = hash->busy;
	pthread_mutex_unlock(&hash->mutex);
	return busy;
}

static void tell_done(struct log_hash *hash)
{
	pthread_mutex_lock(&hash->mutex);
	hash->busy = false;
	pthread_cond_signal(&hash->changed);
	pthread_mutex_unlock(&hash->mutex);
}

static void *run(void *data)
{
	struct log_hash *hash = data;

	pthread_setname_np(pthread_self(), "log-hash"); /* for who looks at the tool with ps(1) */
	if (CPU_COUNT(&hash->processors))		/* the tool may be beside a task just now (colocate.h) */
		sched_setaffinity(0, sizeof hash->processors, &hash->processors);
	while (wait_for_work(hash)) {
		hash_add(hash->hash, hash->handed.data, hash->handed.length);
		buffer_clear(&hash->handed);
		tell_done(hash);
	}
	return NULL;
}

/* The tool's signals are for the thread that waits for the tasks. */
static void start(struct log_hash *hash)
{
	sigset_t all, kept;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &kept);
	hash->state = pthread_create(&hash->thread, NULL, run, hash) == 0 ? RUNNING : IMPOSSIBLE;
	pthread_sigmask(SIG_SETMASK, &kept, NULL);
}

/* With the mutex locked. */
static void wait_until_idle(struct log_hash *hash)
{
	while (hash->busy)
		pthread_cond_wait(&hash->changed, &hash->mutex);
}

/* Unless the thread is still at what it was handed before, and can be let to it. */
static void hand_over(struct log_hash *hash)
{
	pthread_mutex_lock(&hash->mutex);
	if (hash->waiting.length >= MOST)
		wait_until_idle(hash);
	if (!hash->busy) {
		struct buffer empty = hash->handed;

		hash->handed = hash->waiting;
		hash->waiting = empty;
		hash->busy = true;
		pthread_cond_signal(&hash->changed);
	}
	pthread_mutex_unlock(&hash->mutex);
}

static void hash_waiting(struct log_hash *hash)
{
	hash_add(hash->hash, buffer_text(&hash->waiting), hash->waiting.length);
	buffer_clear(&hash->waiting);
}

void log_hash_add(struct log_hash *hash, const char *bytes, size_t length)
{
	buffer_add(&hash->waiting, bytes, length);
	if (hash->waiting.length < PART)
		return;
	if (hash->state == UNTRIED)
		start(hash);
	if (hash->state == RUNNING)
		hand_over(hash);
	else
		hash_waiting(hash);
}

static void stop(struct log_hash *hash)
{
	pthread_mutex_lock(&hash->mutex);
	wait_until_idle(hash);
	hash->ended = true;
	pthread_cond_signal(&hash->changed);
	pthread_mutex_unlock(&hash->mutex);
	pthread_join(hash->thread, NULL);
}

void log_hash_end(struct log_hash *hash, char text[HASH_TEXT_SIZE])
{
	if (hash->state == RUNNING)
		stop(hash);
	hash_waiting(hash);
	hash_end(steal_pointer(&hash->hash), text);
	buffer_finish(&hash->waiting);
	buffer_finish(&hash->handed);
	pthread_cond_destroy(&hash->changed);
	pthread_mutex_destroy(&hash->mutex);
	free(hash);
}
