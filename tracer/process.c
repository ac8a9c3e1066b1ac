#include "tracer/process.h"

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

void process_forked(const struct session *session, const struct task *task, const struct task *made)
{
	if (made->pid != task->pid)
		tell(session, &(struct trace_process){.step = PROCESS_FORKED,
						      .pid = made->pid,
						      .tid = made->tid,
						      .parent = task->pid,
						      .image = made->image});
}

void process_executed(const struct session *session, const struct task *task)
{
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

/* Nothing says why: no call was made, and the kernel tells nobody. */
static void say_missing_core(const struct session *session, const struct task *task, int signal)
{
	scoped_free char *text =
		format_text("%s died of SIG%s and left no core, though its limit allows one: the kernel opens the file "
			    "as the program, so the profile has to grant make_reg,write_file on the directory where "
			    "it would lie (see core(5))",
			    task->image ? task->image : "a program", sigabbrev_np(signal));

	session->observer->notice(session->observer->data, text);
}

void process_signalled(struct session *session, const struct task *task, int signal)
{
	struct task *leader = session->options->confined ? task_find(&session->tasks, task->pid) : NULL;

	if (leader && signal)
		leader->core_is_due = core_is_due(task->tid, signal);
}

void process_ended(const struct session *session, const struct task *task, int status)
{
	if (task->tid != task->pid)
		return;
	if (core_dumped_to_file(status))
		say_core(session, task);
	else if (task->core_is_due && core_is_missing(status))
		say_missing_core(session, task, WTERMSIG(status));
	tell(session, &(struct trace_process){.step = PROCESS_ENDED,
					      .pid = task->pid,
					      .tid = task->tid,
					      .image = task->image,
					      .status = status});
}
