/*
 * Opening for a caller in another user namespace. In which one a file of /proc is opened decides what ids it tells
 * (seq_user_ns() in the kernel) and who may map which to root (verify_root_map()). None can be left again, so a process
 * is made for each such open.
 */
#pragma once

#include <stdbool.h>
#include <sys/stat.h>
#include <sys/types.h>

#include "runner/credentials.h"
#include "runner/open_beneath.h"

/* Whether it matters for that entry, by its name below /proc/ID, in which user namespace it is opened. */
bool namespace_counts_for(const char *name);

/* The user namespace of a task (close on exec); -ENOENT where it is ours, another -errno where it cannot be told. */
int namespace_open_other(int proc_fd, pid_t tid, const struct stat *ours);

/*
 * open_beneath() as one in that namespace with these capabilities there; the user and group are those of the moment.
 * `ends` are a socket's that nothing else uses. -errno where the namespace cannot be entered, or of the open.
 */
int namespace_open_beneath(int namespace_fd, const struct own_credentials *own, uint64_t capabilities,
			   const int ends[2], const struct beneath *entry);
