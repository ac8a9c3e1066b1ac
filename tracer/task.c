#include "tracer/task.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <utlist.h>

#include "base/cleanup.h"
#include "base/memory.h"

#undef uthash_fatal
#define uthash_fatal(text) out_of_memory()

struct task *task_find(const struct task_table *table, pid_t tid)
{
	struct task *task;

	HASH_FIND_INT(table->tasks, &tid, task);
	return task;
}

size_t task_count(const struct task_table *table)
{
	return HASH_COUNT(table->tasks);
}

/* Thread group and parent process of a task, from /proc; 0 when it is gone. */
static void read_relatives(pid_t tid, pid_t *pid, pid_t *parent)
{
	scoped_free char *path = format_text("/proc/%d/status", (int)tid);
	scoped_file file = fopen(path, "re");
	char line[256];
	int value;

	*pid = *parent = 0;
	while (file && !*parent && fgets(line, sizeof line, file)) {
		if (sscanf(line, "Tgid: %d", &value) == 1)
			*pid = value;
		else if (sscanf(line, "PPid: %d", &value) == 1)
			*parent = value;
	}
}

/* A task that another one made is its thread, or a process of its own. */
static pid_t group_beside(pid_t tid, const struct task *maker)
{
	return tgkill(maker->pid, tid, 0) < 0 && errno == ESRCH ? tid : maker->pid;
}

struct task *task_add(struct task_table *table, pid_t tid, const struct task *parent)
{
	struct task *task = allocate(sizeof *task);
	pid_t parent_pid;

	task->tid = tid;
	if (parent) {
		task->pid = group_beside(tid, parent);
	} else {
		read_relatives(tid, &task->pid, &parent_pid);
		parent = task_find(table, task->pid == tid ? parent_pid : task->pid);
	}
	if (!task->pid)
		task->pid = tid;
	HASH_ADD_INT(table->tasks, tid, task);
	table->thread_count += task->pid != tid;
	if (parent)
		task_take_image(task, parent);
	return task;
}

void task_take_image(struct task *task, const struct task *parent)
{
	if (task->has_exec)
		return;
	free(task->image);
	task->image = duplicate(parent->image);
}

static void dequeue(struct task_table *table, struct task *task)
{
	if (task->has_status)
		DL_DELETE2(table->queue, task, previous, next);
	task->has_status = false;
}

void task_remove(struct task_table *table, struct task *task)
{
	dequeue(table, task);
	table->thread_count -= task->pid != task->tid;
	HASH_DEL(table->tasks, task);
	free(task->image);
	free(task);
}

void task_rename(struct task_table *table, struct task *task, pid_t tid)
{
	HASH_DEL(table->tasks, task);
	table->thread_count -= task->pid != task->tid;
	task->tid = task->pid = tid;
	HASH_ADD_INT(table->tasks, tid, task);
}

void task_queue(struct task_table *table, struct task *task, int status)
{
	dequeue(table, task);
	task->status = status;
	task->has_status = true;
	DL_APPEND2(table->queue, task, previous, next);
}

struct task *task_unqueue(struct task_table *table)
{
	struct task *task = table->queue;

	if (task)
		dequeue(table, task);
	return task;
}

struct task *task_sibling(const struct task_table *table, const struct task *task)
{
	struct task *other;

	for (other = table->tasks; other; other = other->hh.next)
		if (other != task && other->pid == task->pid)
			return other;
	return NULL;
}
