/* The table of tasks. Most ids are of no process: what /proc would say about them is nothing. */
#include <criterion/criterion.h>
#include <pthread.h>
#include <unistd.h>

#include "base/memory.h"
#include "tracer/task.h"

#define NOBODY 2000000000

static struct task *add(struct task_table *table, pid_t tid, pid_t pid)
{
	struct task *task = task_add(table, tid);

	if (pid != tid) {
		task->pid = pid;
		table->thread_count++;
	}
	return task;
}

static void finish(struct task_table *table)
{
	while (table->tasks)
		task_remove(table, table->tasks);
}

Test(task, found_until_removed)
{
	struct task_table table = {0};
	struct task *task = add(&table, NOBODY, NOBODY);

	cr_expect_eq(task_find(&table, NOBODY), task);
	cr_expect_null(task_find(&table, NOBODY + 1));
	cr_expect_eq(task->pid, NOBODY);
	task_remove(&table, task);
	cr_expect_null(task_find(&table, NOBODY));
	cr_expect_eq(task_count(&table), 0);
}

/* The one that reported last is asked for first, and must not be found any longer than the others. */
Test(task, the_latest_is_found_until_removed)
{
	struct task_table table = {0};
	struct task *first = add(&table, NOBODY, NOBODY), *second = add(&table, NOBODY + 1, NOBODY + 1);

	task_queue(&table, first, 1);
	task_queue(&table, second, 2);
	cr_expect_eq(task_find(&table, NOBODY), first);
	cr_expect_eq(task_find(&table, NOBODY + 1), second);
	task_rename(&table, second, NOBODY + 2);
	cr_expect_null(task_find(&table, NOBODY + 1));
	cr_expect_eq(task_find(&table, NOBODY + 2), second);
	cr_expect_eq(task_count(&table), 2);
	task_remove(&table, second);
	cr_expect_null(table.latest);
	cr_expect_null(task_find(&table, NOBODY + 2));
	cr_expect_eq(task_find(&table, NOBODY), first);
	cr_expect_eq(task_count(&table), 1);
	finish(&table);
}

Test(task, queue_keeps_the_order)
{
	struct task_table table = {0};

	for (int i = 0; i < 3; i++)
		task_queue(&table, add(&table, NOBODY + i, NOBODY + i), i);
	for (int i = 0; i < 3; i++) {
		struct task *task = task_unqueue(&table);

		cr_assert_not_null(task);
		cr_expect_eq(task->status, i);
		cr_expect_not(task->has_status);
	}
	cr_expect_null(task_unqueue(&table));
	finish(&table);
}

Test(task, a_newer_status_replaces_the_old_one)
{
	struct task_table table = {0};
	struct task *first = add(&table, NOBODY, NOBODY);
	struct task *second = add(&table, NOBODY + 1, NOBODY + 1);

	task_queue(&table, first, 1);
	task_queue(&table, second, 2);
	task_queue(&table, first, 3);
	cr_expect_eq(task_unqueue(&table), second);
	cr_expect_eq(task_unqueue(&table), first);
	cr_expect_eq(first->status, 3);
	cr_expect_null(task_unqueue(&table));
	finish(&table);
}

Test(task, a_removed_one_leaves_the_queue)
{
	struct task_table table = {0};
	struct task *first = add(&table, NOBODY, NOBODY);
	struct task *second = add(&table, NOBODY + 1, NOBODY + 1);

	task_queue(&table, first, 1);
	task_queue(&table, second, 2);
	task_remove(&table, first);
	cr_expect_eq(task_unqueue(&table), second);
	cr_expect_null(task_unqueue(&table));
	finish(&table);
}

Test(task, renamed_after_an_exec_by_a_thread)
{
	struct task_table table = {0};
	struct task *leader = add(&table, NOBODY, NOBODY);
	struct task *thread = add(&table, NOBODY + 1, NOBODY);

	cr_expect_eq(table.thread_count, 1);
	cr_expect_eq(task_sibling(&table, thread), leader);
	task_remove(&table, leader);
	task_rename(&table, thread, NOBODY);
	cr_expect_eq(task_find(&table, NOBODY), thread);
	cr_expect_null(task_find(&table, NOBODY + 1));
	cr_expect_eq(thread->pid, NOBODY);
	cr_expect_eq(table.thread_count, 0);
	cr_expect_null(task_sibling(&table, thread));
	finish(&table);
}

Test(task, born_with_the_image_of_its_parent)
{
	struct task_table table = {0};
	struct task *parent = add(&table, NOBODY, NOBODY);
	struct task *child;

	parent->image = duplicate("/bin/a");
	child = task_add_made(&table, getpid(), parent);
	cr_expect_eq(child->pid, getpid());
	cr_expect_eq(child->maker, NOBODY);
	cr_expect_str_eq(child->image, "/bin/a");
	free(child->image);
	child->image = duplicate("/bin/b");
	child->has_exec = true;
	task_take_image(child, parent);
	cr_expect_str_eq(child->image, "/bin/b", "an image of its own was replaced");
	finish(&table);
}

static void *add_own_thread(void *data)
{
	struct task_table *table = data;

	return task_add_made(table, gettid(), task_find(table, getpid()));
}

Test(task, made_as_a_thread_or_gone)
{
	struct task_table table = {0};
	struct task *leader = add(&table, getpid(), getpid());
	pthread_t thread;
	void *made;

	cr_assert_eq(pthread_create(&thread, NULL, add_own_thread, &table), 0);
	cr_assert_eq(pthread_join(thread, &made), 0);
	cr_assert_not_null(made);
	cr_expect_eq(((struct task *)made)->pid, getpid());
	cr_expect_eq(table.thread_count, 1);
	cr_expect_null(task_add_made(&table, NOBODY, leader), "what has ended is no task");
	finish(&table);
}
