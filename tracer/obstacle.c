#include "tracer/obstacle.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/memory.h"
#include "tracer/proc_status.h"

static int yama_scope(void)
{
	scoped_file file = fopen("/proc/sys/kernel/yama/ptrace_scope", "re");
	int scope;

	return file && fscanf(file, "%d", &scope) == 1 ? scope : -1;
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
	pid_t tracer = (pid_t)proc_status(child, "TracerPid", 10);
	int yama = yama_scope();

	if (tracer > 0)
		return explain_tracer(tracer, number, err);
	if (number == EPERM && yama >= 2)
		return explain_yama(yama, number, err);
	if (proc_status(0, "Seccomp", 10) == 2)
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
