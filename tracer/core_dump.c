#include "tracer/core_dump.h"

#include <signal.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include "base/cleanup.h"

static bool are_files(void)
{
	scoped_file pattern = fopen("/proc/sys/kernel/core_pattern", "re");
	int first = pattern ? fgetc(pattern) : EOF;

	return first != '|' && first != '@'; /* '@': a socket, Linux 6.16 */
}

bool core_dumped_to_file(int status)
{
	return WIFSIGNALED(status) && WCOREDUMP(status) && are_files();
}

static bool dumps(int signal)
{
	switch (signal) {
	case SIGABRT:
	case SIGBUS:
	case SIGFPE:
	case SIGILL:
	case SIGQUIT:
	case SIGSEGV:
	case SIGSYS:
	case SIGTRAP:
	case SIGXCPU:
	case SIGXFSZ:
		return true;
	default:
		return false;
	}
}

bool core_is_due(pid_t tid, int signal)
{
	struct rlimit limit;

	return dumps(signal) && prlimit(tid, RLIMIT_CORE, NULL, &limit) == 0 && limit.rlim_cur != 0;
}

bool core_is_missing(int status)
{
	return WIFSIGNALED(status) && dumps(WTERMSIG(status)) && !WCOREDUMP(status) && are_files();
}
