/*
 * With whose rights a file is opened: the supervisor opens what is its caller's own as that caller would. Source:
 * credentials(7), capabilities(7), and __ptrace_may_access() in the kernel.
 */
#pragma once

#include <linux/capability.h>
#include <stdint.h>
#include <sys/types.h>

struct credentials {
	uid_t uid; /* for files: the effective ones, unless setfsuid(2) made others of them */
	gid_t gid;
	uint64_t effective; /* capabilities */
};

struct own_credentials {
	struct credentials now;
	uint64_t permitted; /* more we cannot take on */
};

/* This process's; -errno. */
int credentials_own(struct own_credentials *own);

/* Acts with all capabilities that we have, whatever user we are at the moment. -errno. */
int credentials_raise(const struct own_credentials *own);

/* Gives up, for good, all capabilities but these. -errno. */
int credentials_keep(struct own_credentials *own, uint64_t capabilities);

/*
 * A task's, and the process that it belongs to; 0 when it is gone. Capabilities count in the task's own user namespace
 * only.
 */
pid_t credentials_read(int proc_fd, pid_t tid, struct credentials *credentials);

/* The process that a task belongs to, by a descriptor of its directory below /proc; 0 when it is gone. */
pid_t credentials_process(int task_fd);

/*
 * What a process may do to itself whoever it has become, another one may with these; on what is the caller's own, by
 * its name below /proc/ID, they give nothing else.
 */
uint64_t credentials_on_oneself(const char *name);

/* What of that it takes to look at a caller that has no capability itself. */
#define CREDENTIALS_TO_LOOK (UINT64_C(1) << CAP_SYS_PTRACE | UINT64_C(1) << CAP_DAC_READ_SEARCH)

/*
 * Acts as them from here on, this thread alone, with such capabilities of theirs, and of the set `beside`, as we have
 * ourselves. -errno when not all could be taken on.
 */
int credentials_take(const struct own_credentials *own, const struct credentials *credentials, uint64_t beside);

/* As we were, also after a failure; ends the process where that is not possible. */
void credentials_give_back(const struct own_credentials *own);
