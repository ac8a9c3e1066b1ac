#include "runner/credentials.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/memory.h"
#include "runner/open_beneath.h"

#define WORDS	  _LINUX_CAPABILITY_U32S_3
#define FOR_FILES 3 /* behind the real, the effective and the saved one */

/* Of a task; of our own for 0. */
static int get_capabilities(pid_t tid, uint64_t *effective, uint64_t *permitted)
{
	struct __user_cap_header_struct header = {_LINUX_CAPABILITY_VERSION_3, tid};
	struct __user_cap_data_struct sets[WORDS] = {{0}};

	if (syscall(SYS_capget, &header, sets) < 0)
		return -errno;
	*effective = *permitted = 0;
	for (size_t i = 0; i < WORDS; i++) {
		*effective |= (uint64_t)sets[i].effective << (32 * i);
		*permitted |= (uint64_t)sets[i].permitted << (32 * i);
	}
	return 0;
}

/* Libc has no wrapper, and those that it has for users change all threads of a process at once. */
static int set_effective(const struct own_credentials *own, uint64_t effective)
{
	struct __user_cap_header_struct header = {_LINUX_CAPABILITY_VERSION_3, 0};
	struct __user_cap_data_struct sets[WORDS] = {{0}};

	for (size_t i = 0; i < WORDS; i++) {
		sets[i].permitted = (uint32_t)(own->permitted >> (32 * i));
		sets[i].effective = (uint32_t)(effective >> (32 * i));
	}
	return syscall(SYS_capset, &header, sets) < 0 ? -errno : 0;
}

int credentials_own(struct own_credentials *own)
{
	own->now.uid = geteuid();
	own->now.gid = getegid();
	return get_capabilities(0, &own->now.effective, &own->permitted);
}

/* The number behind a key that follows `skip` others; a newline in the process's name is escaped. */
static bool read_number(const char *text, const char *key, int skip, unsigned *number)
{
	const char *line = strstr(text, key);
	char *end;

	if (!line)
		return false;
	for (line += strlen(key); skip >= 0; skip--, line = end) {
		*number = (unsigned)strtoul(line, &end, 10);
		if (end == line)
			return false;
	}
	return true;
}

#define STATUS_BYTES 1024 /* enough for what is read of it; the groups, which may be many, come later */

static bool read_status(int directory_fd, const char *name, char text[STATUS_BYTES])
{
	scoped_fd fd = open_beneath(&(struct beneath){directory_fd, name, O_RDONLY, 0});
	ssize_t length = fd < 0 ? -1 : read(fd, text, STATUS_BYTES - 1);

	if (length >= 0)
		text[length] = '\0';
	return length >= 0;
}

pid_t credentials_process(int task_fd)
{
	char text[STATUS_BYTES];
	unsigned pid;

	return read_status(task_fd, "status", text) && read_number(text, "\nTgid:", 0, &pid) ? (pid_t)pid : 0;
}

pid_t credentials_read(int proc_fd, pid_t tid, struct credentials *credentials)
{
	char name[32], text[STATUS_BYTES];
	uint64_t permitted;
	unsigned pid;

	snprintf(name, sizeof name, "%d/status", (int)tid);
	if (!read_status(proc_fd, name, text) || !read_number(text, "\nTgid:", 0, &pid) ||
	    !read_number(text, "\nUid:", FOR_FILES, &credentials->uid) ||
	    !read_number(text, "\nGid:", FOR_FILES, &credentials->gid) ||
	    get_capabilities(tid, &credentials->effective, &permitted) < 0)
		return 0;
	return (pid_t)pid;
}

int credentials_raise(const struct own_credentials *own)
{
	return own->permitted ? set_effective(own, own->permitted) : 0;
}

int credentials_keep(struct own_credentials *own, uint64_t capabilities)
{
	own->permitted &= capabilities;
	own->now.effective &= capabilities;
	return set_effective(own, own->now.effective);
}

/*
 * See __ptrace_may_access(), proc_fd_permission() for the directory of descriptors, and proc_tid_comm_permission() for
 * the name of a thread, which each thread of the process may change (that of the process itself goes by its mode).
 */
static const struct {
	const char *entry; /* NULL: all */
	bool of_thread;	   /* below task alone */
	unsigned capability;
} rights_on_oneself[] = {
	{NULL, false, CAP_SYS_PTRACE},
	{"fd", false, CAP_DAC_READ_SEARCH},
	{"comm", true, CAP_DAC_OVERRIDE},
};

uint64_t credentials_on_oneself(const char *name)
{
	const char *last = strrchr(name, '/');
	bool of_thread = strncmp(name, "task/", strlen("task/")) == 0;
	uint64_t rights = 0;

	last = last ? last + 1 : name;
	for (size_t i = 0; i < ARRAY_LENGTH(rights_on_oneself); i++)
		if ((!rights_on_oneself[i].entry || strcmp(rights_on_oneself[i].entry, last) == 0) &&
		    (of_thread || !rights_on_oneself[i].of_thread))
			rights |= UINT64_C(1) << rights_on_oneself[i].capability;
	return rights;
}

int credentials_take(const struct own_credentials *own, const struct credentials *credentials, uint64_t beside)
{
	uint64_t effective = own->permitted & (credentials->effective | beside);

	if (credentials->gid != own->now.gid && syscall(SYS_setresgid, -1, credentials->gid, -1) < 0)
		return -errno;
	if (credentials->uid != own->now.uid && syscall(SYS_setresuid, -1, credentials->uid, -1) < 0)
		return -errno;
	return own->permitted ? set_effective(own, effective) : 0;
}

void credentials_give_back(const struct own_credentials *own)
{
	if (syscall(SYS_setresuid, -1, own->now.uid, -1) < 0 || syscall(SYS_setresgid, -1, own->now.gid, -1) < 0 ||
	    (own->permitted && set_effective(own, own->now.effective) < 0))
		_exit(EXIT_FAILURE);
}
