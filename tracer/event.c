#include "tracer/event.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/wait.h>

#define SYSCALL_STOP (SIGTRAP | 0x80) /* PTRACE_O_TRACESYSGOOD */

static int ptrace_event(int status)
{
	return status >> 16;
}

static bool is_job_signal(int signal)
{
	return signal == SIGSTOP || signal == SIGTSTP || signal == SIGTTIN || signal == SIGTTOU;
}

static enum event_kind kind_of_event_stop(int signal, bool started)
{
	if (is_job_signal(signal))
		return EVENT_GROUP_STOP;
	return started ? EVENT_CONTINUED : EVENT_STARTED;
}

static enum event_kind kind_of(int status, bool started)
{
	if (!WIFSTOPPED(status))
		return EVENT_ENDED;
	switch (ptrace_event(status)) {
	case 0:
		return WSTOPSIG(status) == SYSCALL_STOP ? EVENT_SYSCALL_EXIT : EVENT_SIGNAL;
	case PTRACE_EVENT_SECCOMP:
		return EVENT_SYSCALL_ENTRY;
	case PTRACE_EVENT_EXEC:
		return EVENT_EXEC;
	case PTRACE_EVENT_FORK:
	case PTRACE_EVENT_VFORK:
	case PTRACE_EVENT_CLONE:
		return EVENT_CLONE;
	case PTRACE_EVENT_EXIT:
		return EVENT_EXITING;
	case PTRACE_EVENT_STOP:
		return kind_of_event_stop(WSTOPSIG(status), started);
	default:
		return EVENT_UNKNOWN;
	}
}

static void decode_entry(const struct __ptrace_syscall_info *info, struct event *event)
{
	if (info->op != PTRACE_SYSCALL_INFO_SECCOMP) {
		event->kind = EVENT_GONE; /* an exec by another thread took its id over and stopped in between */
		return;
	}
	event->architecture = info->arch;
	event->number = info->seccomp.nr;
	memcpy(event->arguments, info->seccomp.args, sizeof event->arguments);
	event->mark = info->seccomp.ret_data;
}

static void decode_exit(const struct __ptrace_syscall_info *info, struct event *event)
{
	if (info->op == PTRACE_SYSCALL_INFO_ENTRY) {
		event->kind = EVENT_CALL;
		event->architecture = info->arch;
		event->number = info->entry.nr;
		memcpy(event->arguments, info->entry.args, sizeof event->arguments);
		return;
	}
	if (info->op != PTRACE_SYSCALL_INFO_EXIT) {
		event->kind = EVENT_GONE;
		return;
	}
	event->architecture = info->arch;
	event->result = info->exit.rval;
	event->failed = info->exit.is_error;
}

static void decode(enum event_kind kind, pid_t tid, int status, const struct __ptrace_syscall_info *info,
		   unsigned long message, struct event *event)
{
	*event = (struct event){.kind = kind, .tid = tid, .status = status};
	switch (kind) {
	case EVENT_SYSCALL_ENTRY:
		decode_entry(info, event);
		break;
	case EVENT_SYSCALL_EXIT:
		decode_exit(info, event);
		break;
	case EVENT_EXEC:
	case EVENT_CLONE:
		event->other = (pid_t)message;
		break;
	case EVENT_SIGNAL:
	case EVENT_GROUP_STOP:
		event->signal = WSTOPSIG(status);
		break;
	default:
		break;
	}
}

void event_decode(pid_t tid, int status, const struct __ptrace_syscall_info *info, unsigned long message, bool started,
		  struct event *event)
{
	decode(kind_of(status, started), tid, status, info, message, event);
}

int event_read(pid_t tid, int status, bool started, struct event *event)
{
	enum event_kind kind = kind_of(status, started);
	struct __ptrace_syscall_info info = {0};
	unsigned long message = 0;
	long result = 0;

	if (kind == EVENT_SYSCALL_ENTRY || kind == EVENT_SYSCALL_EXIT)
		result = ptrace(PTRACE_GET_SYSCALL_INFO, tid, sizeof info, &info);
	else if (kind == EVENT_EXEC || kind == EVENT_CLONE)
		result = ptrace(PTRACE_GETEVENTMSG, tid, NULL, &message);
	if (result < 0)
		return -errno;
	decode(kind, tid, status, &info, message, event);
	return 0;
}
