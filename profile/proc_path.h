/*
 * Names below a procfs: whose they are, and how to write a process's own so that no process id remains and that a rule
 * on the name, made by the process itself when it starts, reaches what is meant. Pure.
 */
#pragma once

#include <stdbool.h>
#include <sys/types.h>

#define PROC_SELF "/proc/self" /* above all lines on a process's own entries */

enum proc_owner {
	PROC_COMMON, /* of no process: /proc/meminfo, /proc/sys/…; also what is not below a procfs */
	PROC_OWN,
	PROC_FOREIGN, /* another process's, or a thread's directly below /proc */
};

/*
 * `path` lies on the procfs mounted on `mount`. With PROC_OWN, *own is the name to use, the caller's to free. Entries
 * that come and go with descriptors, mappings and namespaces (fdinfo/N, map_files/…, net/…) are named by the directory
 * they are in, the smallest thing that is sure to be there at the next start: *widened then. What a thread has as its
 * process has it (task/TID/maps, by thread-self or any other way) is named as the process's: /proc/self/maps.
 */
enum proc_owner proc_path_owner(const char *path, const char *mount, pid_t pid, char **own, bool *widened);

/* The process or thread id that the name on that procfs is beneath; 0 when there is none. */
pid_t proc_path_id(const char *path, const char *mount);
