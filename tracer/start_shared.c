#include "tracer/start_shared.h"

#include <linux/kcmp.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static bool have_same_start(pid_t one, pid_t other)
{
	return syscall(SYS_kcmp, one, other, KCMP_FS, 0UL, 0UL) == 0;
}

/*
 * Whether it has the directory of its thread group's leader. Asked once of each thread: only unshare(2), which stops
 * and takes it out for good, could change that.
 */
static bool is_shared(const struct task_table *tasks, struct task *task)
{
	const struct task *leader = task_find(tasks, task->pid);

	if (!leader || leader->start == START_OWN)
		return false;
	if (task->start == START_UNKNOWN)
		task->start = task == leader || have_same_start(task->tid, leader->tid) ? START_SHARED : START_OWN;
	return task->start == START_SHARED;
}

ssize_t start_shared_find(const struct start_shared *shared, const struct task_table *tasks, struct task *task,
			  char *text)
{
	if (shared->pid != task->pid || task->waited > shared->waited || !is_shared(tasks, task))
		return -1;
	memcpy(text, shared->text, shared->length);
	return (ssize_t)shared->length;
}

/* For those who wait to be handled: alone, it would be for nobody. */
void start_shared_keep(struct start_shared *shared, const struct task_table *tasks, struct task *task, const char *text,
		       size_t length)
{
	if (!tasks->queue || !tasks->thread_count || length > sizeof shared->text || !is_shared(tasks, task))
		return;
	shared->pid = task->pid;
	shared->waited = tasks->waited;
	shared->length = length;
	memcpy(shared->text, text, length);
}
