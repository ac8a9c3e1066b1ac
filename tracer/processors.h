/* The processors on which a task may run: sched_setaffinity(2). */
#pragma once

#include <stdbool.h>
#include <sys/types.h>

/* Gives the task (0: the caller) all that its cpuset has, now and when that changes. False: the kernel refused. */
bool processors_give(pid_t tid);

/* This one alone. False: the kernel refused. */
bool processors_keep_to(pid_t tid, int processor);

/* Whether the tool may run on all that are online, and there are several. */
bool processors_are_all_ours(void);

/* Whether the tool will be allowed to give them to its tasks, whatever user these become. */
bool processors_can_be_given(void);
