#include "base/worker.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>

#include "base/memory.h"

enum state { UNTRIED, RUNNING, IMPOSSIBLE };

struct worker {
	const char *name;
	void (*job)(void *data);
	void *data;
	enum state state;
	cpu_set_t processors;
	pthread_t thread;
	pthread_mutex_t mutex; /* of what follows */
	pthread_cond_t changed;
	bool busy, ended;
};

struct worker *worker_create(const char *name, void (*job)(void *data), void *data)
{
	struct worker *worker = allocate(sizeof *worker);

	worker->name = name;
	worker->job = job;
	worker->data = data;
	pthread_mutex_init(&worker->mutex, NULL);
	pthread_cond_init(&worker->changed, NULL);
	if (sched_getaffinity(0, sizeof worker->processors, &worker->processors) < 0)
		CPU_ZERO(&worker->processors); /* more than the set has room for */
	return worker;
}

/* Whether there is a job; else the end. */
static bool wait_for_job(struct worker *worker)
{
	bool busy;

	pthread_mutex_lock(&worker->mutex);
	while (!worker->busy && !worker->ended)
		pthread_cond_wait(&worker->changed, &worker->mutex);
	busy = worker->busy;
	pthread_mutex_unlock(&worker->mutex);
	return busy;
}

static void change(struct worker *worker, bool *what, bool to)
{
	pthread_mutex_lock(&worker->mutex);
	*what = to;
	pthread_cond_signal(&worker->changed);
	pthread_mutex_unlock(&worker->mutex);
}

static void *run(void *data)
{
	struct worker *worker = data;

	pthread_setname_np(pthread_self(), worker->name);
	if (CPU_COUNT(&worker->processors)) /* its maker may have a narrower place just now */
		sched_setaffinity(0, sizeof worker->processors, &worker->processors);
	while (wait_for_job(worker)) {
		worker->job(worker->data);
		change(worker, &worker->busy, false);
	}
	return NULL;
}

/* Signals are for the thread that made it. */
static void start(struct worker *worker)
{
	sigset_t all, kept;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &kept);
	worker->state = pthread_create(&worker->thread, NULL, run, worker) == 0 ? RUNNING : IMPOSSIBLE;
	pthread_sigmask(SIG_SETMASK, &kept, NULL);
}

bool worker_is_busy(struct worker *worker)
{
	bool busy;

	pthread_mutex_lock(&worker->mutex);
	busy = worker->busy;
	pthread_mutex_unlock(&worker->mutex);
	return busy;
}

void worker_wait(struct worker *worker)
{
	pthread_mutex_lock(&worker->mutex);
	while (worker->busy)
		pthread_cond_wait(&worker->changed, &worker->mutex);
	pthread_mutex_unlock(&worker->mutex);
}

bool worker_begin(struct worker *worker)
{
	if (worker->state == UNTRIED)
		start(worker);
	if (worker->state == IMPOSSIBLE)
		return false;
	change(worker, &worker->busy, true);
	return true;
}

void worker_destroy(struct worker *worker)
{
	if (!worker)
		return;
	if (worker->state == RUNNING) {
		worker_wait(worker);
		change(worker, &worker->ended, true);
		pthread_join(worker->thread, NULL);
	}
	pthread_cond_destroy(&worker->changed);
	pthread_mutex_destroy(&worker->mutex);
	free(worker);
}
