/* What a task asked for: a notification of the kernel's, and what it points to in the task's memory, read once. */
#pragma once

#include <limits.h>
#include <linux/seccomp.h>
#include <stdint.h>
#include <sys/types.h>

#include "profile/rights.h"
#include "runner/supervisor_filter.h"

struct open_call {
	pid_t tid;
	int directory; /* AT_FDCWD, or a descriptor of the task */
	uint64_t flags;
	uint64_t resolve;    /* RESOLVE_* of openat2(2) */
	char path[PATH_MAX]; /* our copy: what is decided is decided on it, whatever the task writes there meanwhile */
};

/*
 * 0; 1 when the call can only be the kernel's (it would fail, or make a file, or asks nothing of Landlock); -errno when
 * the task's memory is closed to us.
 */
int open_call_read(const struct open_numbers numbers[OPEN_ARCHITECTURES], const struct seccomp_notif *request,
		   struct open_call *call);

/* What Landlock would be asked for on an object of that kind; 0 where it is not ours to answer. */
rights_t open_call_rights(const struct open_call *call, mode_t mode);
