#include "tracer/process.h"

#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "base/cleanup.h"
#include "base/memory.h"
#include "tracer/core_dump.h"
#include "tracer/proc_status.h"

static void tell(const struct session *session, const struct trace_process *process)
{
	if (session->observer->process)
		session->observer->process(session->observer->data, process);
}

void process_forked(const struct session *session, const struct task *task, struct task *made)
{
	if (made->pid != task->pid && !made->is_told)
		tell(session, &(struct trace_process){.step = PROCESS_FORKED,
						      .pid = made->pid,
						      .tid = made->tid,
						      .parent = task->pid,
						      .image = made->image});
	made->is_told = true;
}

void process_executed(const struct session *session, const struct task *task)
{
	if (!session->observer->process) /* or its parent would be asked for in vain */
		return;
	tell(session, &(struct trace_process){.step = PROCESS_EXECUTED,
					      .pid = task->pid,
					      .tid = task->tid,
					      .parent = (pid_t)proc_status(task->tid, "PPid", 10),
					      .image = task->image});
}

/* No grant comes of it: that a program dies is nothing that it needs. But who waits for it sees the difference. */
static void say_core(const struct session *session, const struct task *task)
{
	scoped_free char *reason =
		format_text("%s dumped core to a file, which its profile does not grant: make_reg,write_file on the "
			    "directory where it lies would",
			    task->image ? task->image : "a program");

	session->observer->incomplete(session->observer->data, reason);
}

void process_signalled(struct session *session, const struct task *task, int signal)
{
	struct task *leader = session->options->confined ? task_find(&session->tasks, task->pid) : NULL;

	if (!leader || !signal)
		return;
	free(leader->core);
	leader->core = core_due(task->tid, signal);
}

void process_ended(const struct session *session, const struct task *task, int status)
{
	if (task->tid != task->pid)
		return;
	if (core_dumped_to_file(status))
		say_core(session, task);
	else if (task->core && core_is_missing(status) && session->observer->no_core)
		session->observer->no_core(session->observer->data, task->image, task->core);
	tell(session, &(struct trace_process){.step = PROCESS_ENDED,
					      .pid = task->pid,
					      .tid = task->tid,
					      .image = task->image,
					      .status = status});
}
