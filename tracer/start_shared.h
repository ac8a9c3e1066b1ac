/*
 * Where relative names start, for tasks that have a directory in common (CLONE_FS) and stand at the same time: what one
 * of them was told while the others stood holds for these too, so the kernel is asked once for all. Many threads that
 * look are heard of together, since the tool takes longer than they do.
 */
#pragma once

#include <sys/types.h>

#include "tracer/task.h"

#define START_SHARED_MAX 256 /* holds most paths */

struct start_shared {
	pid_t pid;	 /* of the tasks; 0 for none */
	uint64_t waited; /* by the table's count, when it was told */
	size_t length;
	char text[START_SHARED_MAX];
};

/* Returns the length of what is put into `text`, without NUL, or -1. There is room for START_SHARED_MAX. */
ssize_t start_shared_find(const struct start_shared *shared, const struct task_table *tasks, struct task *task,
			  char *text);
/* What the task's link says now. */
void start_shared_keep(struct start_shared *shared, const struct task_table *tasks, struct task *task, const char *text,
		       size_t length);
