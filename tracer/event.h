/*
 * What the kernel reported of one task. status → event is pure (event_decode); the loop is "next event, dispatch".
 * Source: ptrace(2), "Stopped states". The comment at each kind says what may be done there.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct __ptrace_syscall_info; /* <sys/ptrace.h> */

enum event_kind {
	EVENT_SYSCALL_ENTRY, /* PTRACE_EVENT_SECCOMP: arguments are there, nothing has happened; memory can be read */
	EVENT_SYSCALL_EXIT,  /* after an entry resumed with PTRACE_SYSCALL: the result is there */
	EVENT_CALL,	     /* any call's entry, after PTRACE_SYSCALL: arguments are there, no filter was asked yet */
	EVENT_EXEC,	  /* PTRACE_EVENT_EXEC: the new image is mapped, has not run; `other` is the former thread id */
	EVENT_CLONE,	  /* PTRACE_EVENT_CLONE, FORK, VFORK: `other` is the new task; it may already have reported */
	EVENT_EXITING,	  /* PTRACE_EVENT_EXIT: about to end; not asked for unless needed */
	EVENT_STARTED,	  /* PTRACE_EVENT_STOP of a task not seen before: it was attached automatically */
	EVENT_SIGNAL,	  /* signal-delivery-stop: `signal` is delivered by resuming with it */
	EVENT_GROUP_STOP, /* PTRACE_EVENT_STOP with a stopping signal: answer with PTRACE_LISTEN */
	EVENT_CONTINUED,  /* PTRACE_EVENT_STOP with SIGTRAP: a group stop ended, or an interrupt */
	EVENT_ENDED,	  /* exited or killed: `status` is the wait status; the task is gone */
	EVENT_GONE,	  /* killed out of the stop that was waited for: leave it alone, another status follows */
	EVENT_UNKNOWN,	  /* resume it as it is */
};

struct event {
	enum event_kind kind;
	pid_t tid;
	pid_t other;	       /* CLONE: new task; EXEC: former thread id */
	int status;	       /* wait status */
	int signal;	       /* SIGNAL, GROUP_STOP */
	uint32_t architecture; /* ENTRY, CALL, EXIT: AUDIT_ARCH_* */
	uint64_t number;       /* ENTRY, CALL (and EXIT, from the entry): syscall number of that architecture */
	uint64_t arguments[6]; /* ENTRY, CALL */
	uint32_t mark;	       /* ENTRY: SECCOMP_RET_DATA of the filter that made it stop (FILTER_MARK is ours) */
	int64_t result;	       /* EXIT: the value, or -errno when negative and `failed` */
	int failed;	       /* EXIT: result is -errno */
};

/*
 * The event that a wait status stands for. `info` is PTRACE_GET_SYSCALL_INFO's answer (needed for syscall stops alone),
 * `message` PTRACE_GETEVENTMSG's (for exec and clone), `started` whether the task's first stop was seen before.
 */
void event_decode(pid_t tid, int status, const struct __ptrace_syscall_info *info, unsigned long message, bool started,
		  struct event *event);

/* Asks the kernel for what the status needs, with one call at most, and decodes. -errno when ptrace cannot answer. */
int event_read(pid_t tid, int status, bool started, struct event *event);
