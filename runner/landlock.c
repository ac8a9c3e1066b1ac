#include "runner/landlock.h"

#include <errno.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Where the system's headers are older than Linux 5.13: the numbers are the same on every architecture. */
#ifndef SYS_landlock_create_ruleset
#define SYS_landlock_create_ruleset 444
#define SYS_landlock_add_rule	    445
#define SYS_landlock_restrict_self  446
#endif

enum rule_type { RULE_PATH_BENEATH = 1, RULE_NET_PORT = 2 };

struct path_beneath {
	uint64_t allowed_access;
	int32_t parent_fd;
} __attribute__((packed));

struct net_port {
	uint64_t allowed_access;
	uint64_t port;
};

static int result_of(long value)
{
	return value < 0 ? -errno : (int)value;
}

static size_t attribute_size(int abi)
{
	if (abi < 4)
		return offsetof(struct landlock_attribute, handled_access_net);
	if (abi < 6)
		return offsetof(struct landlock_attribute, scoped);
	return sizeof(struct landlock_attribute);
}

int landlock_create(const struct landlock_attribute *attribute, int abi)
{
	return result_of(syscall(SYS_landlock_create_ruleset, attribute, attribute_size(abi), 0));
}

int landlock_add_path(int ruleset_fd, int path_fd, uint64_t allowed_access)
{
	struct path_beneath rule = {.allowed_access = allowed_access, .parent_fd = path_fd};

	return result_of(syscall(SYS_landlock_add_rule, ruleset_fd, RULE_PATH_BENEATH, &rule, 0));
}

int landlock_add_port(int ruleset_fd, uint16_t port, uint64_t allowed_access)
{
	struct net_port rule = {.allowed_access = allowed_access, .port = port};

	return result_of(syscall(SYS_landlock_add_rule, ruleset_fd, RULE_NET_PORT, &rule, 0));
}

int landlock_restrict(int ruleset_fd, unsigned flags)
{
	return result_of(syscall(SYS_landlock_restrict_self, ruleset_fd, flags));
}
