#include "tracer/core_dump.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "base/cleanup.h"
#include "base/memory.h"
#include "tracer/proc_status.h"

#define LEAST	     4096 /* a smaller limit is as none: min_coredump of ELF */
#define PATTERN_SIZE 256  /* the kernel's own are shorter */

/* False where cores go to a program ('|') or a socket ('@', Linux 6.16) and not to files. */
static bool read_pattern(char pattern[PATTERN_SIZE])
{
	scoped_file file = fopen("/proc/sys/kernel/core_pattern", "re");

	if (!file || !fgets(pattern, PATTERN_SIZE, file))
		snprintf(pattern, PATTERN_SIZE, "core");
	pattern[strcspn(pattern, "\n")] = '\0';
	return *pattern != '|' && *pattern != '@';
}

bool core_dumped_to_file(int status)
{
	char pattern[PATTERN_SIZE];

	return WIFSIGNALED(status) && WCOREDUMP(status) && read_pattern(pattern);
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

/* The pattern's directory, as the kernel takes it: from where the process is. */
static char *directory_of(pid_t tid, const char *pattern)
{
	const char *slash = strrchr(pattern, '/');
	scoped_free char *relative = duplicate_bytes(pattern, slash ? (size_t)(slash - pattern) : 0);
	scoped_free char *link = format_text("/proc/%d/cwd/%s", (int)tid, relative);
	scoped_free char *absolute = format_text("%s/", relative);
	char *directory = strchr(relative, '%') ? NULL : realpath(*pattern == '/' ? absolute : link, NULL);

	return directory ? directory : duplicate("");
}

/* Its entries in /proc are root's then; of root's own processes it cannot be told. */
static bool is_undumpable(pid_t tid)
{
	char name[32];
	struct stat status;

	snprintf(name, sizeof name, "/proc/%d", (int)tid);
	return stat(name, &status) == 0 && status.st_uid == 0 && proc_status(tid, "Uid", 10) > 0;
}

char *core_due(pid_t tid, int signal)
{
	char pattern[PATTERN_SIZE];
	struct rlimit limit;

	if (!dumps(signal) || prlimit(tid, RLIMIT_CORE, NULL, &limit) < 0 || limit.rlim_cur < LEAST ||
	    is_undumpable(tid))
		return NULL;
	return read_pattern(pattern) ? directory_of(tid, pattern) : NULL;
}

bool core_is_missing(int status)
{
	return WIFSIGNALED(status) && dumps(WTERMSIG(status)) && !WCOREDUMP(status);
}
