/* Single numbers of /proc/PID/status. */
#pragma once

#include <stdint.h>
#include <sys/types.h>

/* The number behind "key:", in base 10 or 16; -1 when the process or the key is not there. pid 0: our own. */
int64_t proc_status(pid_t pid, const char *key, int base);
