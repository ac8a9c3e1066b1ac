/*
 * The lines of a file in /proc, read as the kernel makes them and no further than they are wanted: most answers stand
 * in the first page.
 */
#pragma once

#include <sys/types.h>

#include "base/buffer.h"

struct proc_lines {
	int fd;
	struct buffer text; /* what was read */
	size_t next;	    /* where the next line begins in it */
};

/* /proc/PID/ENTRY (proc_name.h); 0 or -errno. Either way for proc_lines_finish(). */
int proc_lines_open(struct proc_lines *lines, pid_t pid, const char *entry);
/* Without its newline; NULL after the last one. Valid until the next call. */
char *proc_lines_next(struct proc_lines *lines);
void proc_lines_finish(struct proc_lines *lines);

#define scoped_lines __attribute__((cleanup(proc_lines_finish))) struct proc_lines
