/*
 * The tasks (threads) that are followed, by thread id. A task stays in the table until its end was waited for, so the
 * ids in it cannot have been given to another task.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/uthash.h"

/* Whether a task has its directory in common with its thread group's leader (CLONE_FS). */
enum start { START_UNKNOWN, START_SHARED, START_OWN };

struct call; /* what decode.c remembers from entry to exit */

struct task {
	pid_t tid;
	pid_t pid;	   /* thread group */
	pid_t maker;	   /* its process, 0 when unknown */
	char *image;	   /* owned: canonical name of the program it runs; NULL when unknown */
	char *core;	   /* owned; of a leader, under a profile: core_due() of the signal that is on its way */
	struct call *call; /* owned by the decoder; NULL between calls */
	uint64_t number;   /* of the call that it is in */
	int refused;	   /* errno with which that is to fail, at its exit; 0 for none */
	bool started;	   /* its first stop was seen */
	bool has_exec;	   /* the image is its own, not the one it was born with */
	bool is_told;	   /* process_forked() */
	bool in_call;	   /* resumed with PTRACE_SYSCALL: the next syscall stop is an exit */
	bool native;	   /* its processors are not those that its maker was moved to (colocate.h) */
	bool waits;	   /* beside the tool, for what it made there */
	bool lends;	   /* was given back, and has not stopped since: what it makes may be born beside the tool */
	bool listening;	   /* in a group stop, answered with PTRACE_LISTEN */
	bool has_status;   /* `status` was waited for and not handled; then it stands in the table's queue */
	int status;
	uint64_t waited; /* which one it was of all that were waited for */
	enum start start;
	struct task *previous, *next; /* in the queue */
	UT_hash_handle hh;
};

struct task_table {
	struct task *tasks;
	struct task *queue;  /* first to be handled */
	struct task *latest; /* the one that was queued last: mostly it is asked for next; or NULL */
	uint64_t waited;     /* how many statuses were */
	size_t count;
	size_t thread_count; /* tasks that do not lead their thread group */
};

static inline size_t task_count(const struct task_table *table)
{
	return table->count;
}

struct task *task_find(const struct task_table *table, pid_t tid); /* NULL when it is not followed */

/*
 * A new task, with its thread group and its maker's image. The event that names its maker may come after its own first
 * stop: then /proc is asked.
 */
struct task *task_add(struct task_table *table, pid_t tid);
/* The same at that event; NULL when it has ended by then. */
struct task *task_add_made(struct task_table *table, pid_t tid, const struct task *maker);

/* Gives it the image of the task that made it, unless it has executed one of its own. */
void task_take_image(struct task *task, const struct task *parent);

/* Forgets it. The decoder must have forgotten it before. */
void task_remove(struct task_table *table, struct task *task);

/* After an exec by a thread that did not lead its group: the kernel gave it the leader's id. */
void task_rename(struct task_table *table, struct task *task, pid_t tid);

/* A newer status replaces one that was not handled: the task was killed out of that stop. */
void task_queue(struct task_table *table, struct task *task, int status);
struct task *task_unqueue(struct task_table *table); /* NULL when the queue is empty */

/* Any other task of the process than this one, or NULL. */
struct task *task_sibling(const struct task_table *table, const struct task *task);
