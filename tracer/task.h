/* The tasks (threads) that are followed, by thread id. */
#pragma once

#include <stdbool.h>
#include <sys/types.h>
#include <uthash.h>

struct call; /* what decode.c remembers from entry to exit */

struct task {
	pid_t tid;
	pid_t pid;	   /* thread group */
	char *image;	   /* canonical name of the program it runs; NULL when unknown */
	struct call *call; /* owned by the decoder; NULL between calls */
	bool started;	   /* its first stop was seen */
	bool in_call;	   /* resumed with PTRACE_SYSCALL: the next syscall stop is an exit */
	bool listening;	   /* in a group stop, answered with PTRACE_LISTEN */
	UT_hash_handle hh;
};
