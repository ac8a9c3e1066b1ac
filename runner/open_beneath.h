/* Opens what lies beneath a directory of procfs, and nothing else. */
#pragma once

#include <stdint.h>

/* By openat2(2), without any link, and on the same mount. A descriptor (close on exec), or -errno. */
int open_beneath(int directory_fd, const char *name, uint64_t flags);
