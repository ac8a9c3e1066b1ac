#include "tracer/followed.h"

#include <sys/wait.h>

#include "tracer/colocate.h"
#include "tracer/ending.h"

void followed_forget(struct session *session, struct task *task)
{
	decoder_forget(session->decoder, task);
	colocate_forget(session, task);
	task_remove(&session->tasks, task);
}

void followed_forget_all(struct session *session)
{
	while (session->tasks.tasks)
		followed_forget(session, session->tasks.tasks);
}

/* Its maker's event has not come yet. */
static struct task *add(struct session *session, pid_t tid)
{
	struct task *task = task_add(&session->tasks, tid);

	ending_new_task(session, task);
	return task;
}

struct task *followed_add_made(struct session *session, pid_t tid, const struct task *maker)
{
	struct task *task = task_add_made(&session->tasks, tid, maker);

	if (task)
		ending_new_task(session, task);
	return task;
}

struct task *followed_take_over(struct session *session, struct task *task, pid_t former_tid)
{
	struct task *former = task_find(&session->tasks, former_tid);
	struct task *other;

	if (former && former != task) {
		pid_t tid = task->tid;

		followed_forget(session, task);
		task_rename(&session->tasks, former, tid);
		task = former;
	}
	while (session->tasks.thread_count && (other = task_sibling(&session->tasks, task)))
		followed_forget(session, other);
	return task;
}

void followed_note(struct session *session, pid_t tid, int status)
{
	struct task *task = task_find(&session->tasks, tid);

	if (!task && WIFSTOPPED(status))
		task = add(session, tid);
	if (task)
		task_queue(&session->tasks, task, status);
}
