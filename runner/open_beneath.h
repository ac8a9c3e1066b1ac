/* Opens what lies beneath a directory of procfs, and nothing else. */
#pragma once

#include <stdint.h>

struct beneath {
	int directory_fd;
	const char *name;
	uint64_t flags;
	uint64_t resolve; /* RESOLVE_CACHED or 0 */
};

/* By openat2(2), without any link, and on the same mount. A descriptor (close on exec), or -errno. */
int open_beneath(const struct beneath *entry);
