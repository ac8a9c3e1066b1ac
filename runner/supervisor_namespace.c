#include "runner/supervisor_namespace.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/memory.h"
#include "runner/supervisor_socket.h"

int namespace_open_other(int proc_fd, pid_t tid, const struct stat *ours)
{
	struct open_how how = {.flags = O_RDONLY | O_CLOEXEC};
	struct stat status;
	char name[32];
	scoped_fd fd = -1;

	snprintf(name, sizeof name, "%d/ns/user", (int)tid);
	fd = (int)syscall(SYS_openat2, proc_fd, name, &how, sizeof how);
	if (fd < 0 || fstat(fd, &status) < 0)
		return -errno;
	return status.st_dev == ours->st_dev && status.st_ino == ours->st_ino ? -ENOENT : steal_fd(&fd);
}

/* What else there is tells no ids; and where an entry asks who may look into its process, entering can be one right
 * less. */
static const char *const entries_of_ids[] = {"gid_map", "loginuid", "projid_map", "status", "uid_map"};

bool namespace_counts_for(const char *name)
{
	const char *slash = strrchr(name, '/');

	for (size_t i = 0; i < ARRAY_LENGTH(entries_of_ids); i++)
		if (strcmp(slash ? slash + 1 : name, entries_of_ids[i]) == 0)
			return true;
	return false;
}

/* Entering gives all capabilities in there. */
static int enter(int namespace_fd, const struct own_credentials *own, uint64_t capabilities)
{
	struct own_credentials inside = {.permitted = ~UINT64_C(0), .now.effective = ~UINT64_C(0)};
	int result = credentials_raise(own);

	if (result < 0)
		return result;
	if (setns(namespace_fd, CLONE_NEWUSER) < 0)
		return -errno;
	return credentials_keep(&inside, capabilities);
}

int namespace_open_beneath(int namespace_fd, const struct own_credentials *own, uint64_t capabilities,
			   const int ends[2], const struct beneath *entry)
{
	pid_t pid = fork();
	int status = 0;

	if (pid == 0) {
		int result = enter(namespace_fd, own, capabilities);

		if (result == 0)
			result = open_beneath(entry);
		_exit(result < 0 ? -result : -send_descriptor(ends[1], result));
	}
	if (pid < 0)
		return -errno;
	if (waitpid(pid, &status, 0) != pid || !WIFEXITED(status))
		return -ESRCH;
	return WEXITSTATUS(status) ? -WEXITSTATUS(status) : receive_descriptor(ends[0]);
}
