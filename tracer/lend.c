#include "tracer/lend.h"

#include <sched.h>

#include "tracer/proc_status.h"
#include "tracer/processors.h"

void lend_give_back(struct colocation *colocation, struct task *task)
{
	processors_give(task->tid);
	colocation->lenders += !task->lends;
	task->lends = true;
}

void lend_end(struct colocation *colocation, struct task *task)
{
	colocation->lenders -= task->lends;
	task->lends = false;
}

static bool is_there(const struct session *session, pid_t tid)
{
	cpu_set_t set;

	return sched_getaffinity(tid, sizeof set, &set) == 0 && CPU_COUNT(&set) == 1 &&
	       CPU_ISSET(session->colocation.processor, &set);
}

bool lend_may_have_made(const struct session *session, const struct task *task, const struct task *maker)
{
	const struct task *lender;
	pid_t parent;

	if (maker)
		return maker->lends;
	if (!session->colocation.lenders)
		return false;
	parent = (pid_t)proc_status(task->tid, "PPid", 10);
	for (lender = session->tasks.tasks; lender; lender = lender->hh.next)
		if (lender->lends && (lender->pid == task->pid || lender->pid == parent))
			return is_there(session, task->tid);
	return false;
}
