/*
 * The Landlock system calls (its version is asked for in profile/landlock_abi.h), with constants of our own: the
 * system's linux/landlock.h may be years older than the kernel. Source: Documentation/userspace-api/landlock.rst up to
 * ABI 10.
 */
#pragma once

#include <stdint.h>

#include "base/error.h"
#include "profile/landlock_abi.h"

struct landlock_attribute { /* struct landlock_ruleset_attr */
	uint64_t handled_access_fs;
	uint64_t handled_access_net;
	uint64_t scoped;
};

/* A new ruleset's descriptor (close on exec), or -errno; only as much of the attribute is passed as the ABI knows. */
int landlock_create(const struct landlock_attribute *attribute, int abi);
int landlock_add_path(int ruleset_fd, int path_fd, uint64_t allowed_access);
int landlock_add_port(int ruleset_fd, uint16_t port, uint64_t allowed_access);

/* What of the domain's refusals goes to the kernel's audit log. From ABI 7 on; before, the kernel takes no flag. */
#define LANDLOCK_LOG_SAME_EXEC_OFF (1U << 0) /* nothing before the next exec */
#define LANDLOCK_LOG_NEW_EXEC_ON   (1U << 1) /* what is executed from then on, too */
int landlock_restrict(int ruleset_fd, unsigned flags);
