/*
 * The filter that refuses the calls of closed groups (profile/seccomp_groups.h), on each architecture whose calls this
 * kernel answers. It lasts for the process and all that comes of it; other filters can only refuse more.
 * Source: seccomp(2), and Documentation/userspace-api/seccomp_filter.rst of the kernel.
 */
#pragma once

#include <linux/filter.h>

#include "base/error.h"
#include "profile/seccomp_groups.h"

/* In the calling process, which has no_new_privs or CAP_SYS_ADMIN. */
int seccomp_filter_load(seccomp_set_t refused, struct error *err);

/*
 * While learning, which happens under the conditions of running: refuses these, and of all groups what hides from the
 * tracer what it does. (Like that it fails as it will without a word, and the program takes the way that can be seen.)
 *
 * With a mark the calls of these groups stop with it instead (SECCOMP_RET_DATA), since no tracer sees what a filter
 * refuses: the tracer refuses them, and tells. That is weaker in one thing: a listener of the program's own is asked
 * before, and can let such a call go on.
 */
struct seccomp_learning {
	uint16_t mark; /* 0: the filter answers by itself */
};
int seccomp_filter_load_learning(seccomp_set_t refused, const struct seccomp_learning *learning, struct error *err);

/*
 * The filter itself, for a kernel of that architecture (AUDIT_ARCH_*) and what runs beside it, `learning` NULL
 * for a run; the caller frees `.filter`.
 */
struct sock_fprog seccomp_filter_build(seccomp_set_t refused, const struct seccomp_learning *learning, uint32_t native);
