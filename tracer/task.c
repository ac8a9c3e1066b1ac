/* A thread id tells tasks apart as it is. */
#define HASH_FUNCTION(key, length, value) ((value) = (unsigned)*(const pid_t *)(key))

#include "tracer/task.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <utlist.h>

#include "base/memory.h"
#include "tracer/proc_status.h"

struct task *task_find(const struct task_table *table, pid_t tid)
{
	struct task *task = table->latest;

	if (!task || task->tid != tid)
		HASH_FIND_INT(table->tasks, &tid, task);
	return task;
}

static bool is_in_group(pid_t tid, pid_t pid)
{
	return tgkill(pid, tid, 0) == 0 || errno == EPERM;
}

/* The thread group, without its maker's help; its own id when it is gone. */
static pid_t find_group(pid_t tid)
{
	int64_t pid = is_in_group(tid, tid) ? tid : proc_status(tid, "Tgid", 10);

	return pid > 0 ? (pid_t)pid : tid;
}

static const struct task *find_parent(const struct task_table *table, const struct task *task)
{
	pid_t parent = task->pid == task->tid ? (pid_t)proc_status(task->tid, "PPid", 10) : task->pid;

	return task_find(table, parent);
}

static struct task *add(struct task_table *table, pid_t tid, pid_t pid)
{
	struct task *task = allocate(sizeof *task);

	task->tid = tid;
	task->pid = pid;
	HASH_ADD_INT(table->tasks, tid, task);
	table->count++;
	table->thread_count += pid != tid;
	return task;
}

static void take_maker(struct task *task, const struct task *maker)
{
	task->maker = maker->pid;
	task_take_image(task, maker);
}

struct task *task_add(struct task_table *table, pid_t tid)
{
	struct task *task = add(table, tid, find_group(tid));
	const struct task *parent = find_parent(table, task);

	if (parent)
		take_maker(task, parent);
	return task;
}

/* Which of both it is the kind of event does not tell: that goes by flags which have nothing to do with it. */
struct task *task_add_made(struct task_table *table, pid_t tid, const struct task *maker)
{
	bool leads = is_in_group(tid, tid);
	struct task *task;

	if (!leads && !is_in_group(tid, maker->pid))
		return NULL;
	task = add(table, tid, leads ? tid : maker->pid);
	take_maker(task, maker);
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
	if (table->latest == task)
		table->latest = NULL;
	table->count--;
	table->thread_count -= task->pid != task->tid;
	HASH_DEL(table->tasks, task);
	free(task->core);
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
	task->waited = ++table->waited;
	table->latest = task;
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
