/*
 * A thread that does one kind of job, one at a time, beside whoever gives it: where another processor is idle, for
 * nothing. It is made with the first job, has all signals blocked, and may run wherever its maker might when the worker
 * was created. What a job works on is the thread's from worker_begin() until the worker is no longer busy.
 */
#pragma once

#include <stdbool.h>

struct worker;

/* name: of the thread, for who looks with ps(1); at most 15 characters, the caller's. */
struct worker *worker_create(const char *name, void (*job)(void *data), void *data);

/* Whether it is at a job; what that did is seen by who was told that it is not. */
bool worker_is_busy(struct worker *worker);
void worker_wait(struct worker *worker); /* until it is not */

/* Gives it the next job; it must not be busy. false: there can be no thread (RLIMIT_NPROC, say), now or later. */
bool worker_begin(struct worker *worker);

void worker_destroy(struct worker *worker); /* waits for its job; NULL is fine */
