#include "tracer/makers.h"

#include "tracer/lend.h"
#include "tracer/processors.h"
#include "tracer/running.h"

void makers_keep(struct session *session, const struct task *task)
{
	struct colocation *colocation = &session->colocation;
	struct task *maker = task_find(&session->tasks, task->maker);

	if (!maker || maker->waits || !running_waits_for_child(maker) ||
	    !processors_keep_to(maker->tid, colocation->processor))
		return;
	maker->waits = true;
	colocation->makers++;
}

void makers_drop(struct colocation *colocation, struct task *task)
{
	colocation->makers -= task->waits;
	task->waits = false;
}

static void give_back(struct session *session, bool all)
{
	struct task *task;

	for (task = session->tasks.tasks; session->colocation.makers && task; task = task->hh.next) {
		if (!task->waits || (!all && running_sleeps(task)))
			continue;
		lend_give_back(&session->colocation, task);
		makers_drop(&session->colocation, task);
	}
}

void makers_give_back(struct session *session)
{
	give_back(session, true);
}

void makers_look(struct session *session)
{
	give_back(session, false);
}
