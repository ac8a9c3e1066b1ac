/*
 * wait4(2) as the kernel has it. The C library's is a cancellation point, and where there are threads (the log's) that
 * alone takes three times as many instructions, at each stop. Nobody is cancelled here.
 */
#pragma once

#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

/* Of any task, with __WALL and what `options` adds to it: as wait4(2), with errno. */
static inline pid_t wait_for_any(int *status, int options)
{
	return (pid_t)syscall(SYS_wait4, -1, status, __WALL | options, NULL);
}
