#include "tracer/obstacle.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/memory.h"

/* The number behind `key` in a file of /proc; -1 when it is not there. An empty key: the file is the number. */
static int read_number(const char *path, const char *key)
{
	scoped_file file = fopen(path, "re");
	size_t length = strlen(key);
	char line[256];

	while (file && fgets(line, sizeof line, file))
		if (strncmp(line, key, length) == 0)
			return atoi(line + length);
	return -1;
}

static char *name_of(pid_t pid)
{
	scoped_free char *path = format_text("/proc/%d/comm", (int)pid);
	scoped_file file = fopen(path, "re");
	char line[64] = "unknown";

	if (file && fgets(line, sizeof line, file))
		line[strcspn(line, "\n")] = '\0';
	return duplicate(line);
}

static int explain_tracer(pid_t tracer, int number, struct error *err)
{
	scoped_free char *name = name_of(tracer);

	return error_set(err, number,
			 "tracing is not possible: %s (process %d) traces this session already, and a process has one "
			 "tracer; start trace-learn outside of it",
			 name, (int)tracer);
}

static int explain_yama(int scope, int number, struct error *err)
{
	if (scope >= 3)
		return error_set(err, number,
				 "tracing is not possible: Yama forbids it to everybody until the next boot "
				 "(kernel.yama.ptrace_scope = %d); boot with a lower value",
				 scope);
	return error_set(err, number,
			 "tracing is not possible: Yama allows it to processes with CAP_SYS_PTRACE only "
			 "(kernel.yama.ptrace_scope = %d); as root: sysctl kernel.yama.ptrace_scope=1",
			 scope);
}

int obstacle_explain(pid_t child, int number, struct error *err)
{
	scoped_free char *status = format_text("/proc/%d/status", (int)child);
	int tracer = read_number(status, "TracerPid:");
	int yama = read_number("/proc/sys/kernel/yama/ptrace_scope", "");

	if (tracer > 0)
		return explain_tracer(tracer, number, err);
	if (number == EPERM && yama >= 2)
		return explain_yama(yama, number, err);
	if (read_number("/proc/self/status", "Seccomp:") == 2)
		return error_set(err, number,
				 "tracing is not possible: a seccomp filter around us (a container's?) forbids "
				 "ptrace(2): %s; allow it there (docker: --cap-add=SYS_PTRACE)",
				 strerror(number));
	if (number == EIO || number == EINVAL)
		return error_set(err, number, "tracing is not possible: the kernel is older than Linux 5.3");
	return error_set_errno(err, number, "tracing is not possible: a security module may forbid ptrace(2)");
}

int obstacle_unheard(struct error *err)
{
	return error_set(err, EPERM,
			 "tracing is not possible: an open of our child passed its seccomp filter unheard; another "
			 "filter around us (a container's supervisor?) takes the calls away: start trace-learn outside "
			 "of it");
}

int obstacle_unanswered(int number, struct error *err)
{
	if (number == EIO || number == EINVAL)
		return error_set(err, number,
				 "tracing is not possible: PTRACE_GET_SYSCALL_INFO is missing; Linux 5.3 or newer is "
				 "needed");
	return error_set_errno(err, number, "the kernel does not say what a task is doing");
}
