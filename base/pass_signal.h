#pragma once

#include <signal.h>
#include <stdbool.h>
#include <sys/types.h>

/* Whether it was queued, as by sigqueue(3): to one process, never to a group, and with a value. */
bool signal_is_queued(const siginfo_t *info);

/*
 * Sends a signal that we got on to a process. A queued one keeps sender and value; of any other the kernel says that we
 * sent it (rt_sigqueueinfo(2)). 0, or -1 with errno.
 */
int pass_signal(pid_t pid, const siginfo_t *info);
