/*
 * The links that tell where a task's relative names start: /proc/TID/cwd and /proc/TID/fd/N. Those that are asked
 * often are kept open themselves, with O_PATH: the kernel looks at the task anew each time that it reads one, as by
 * name, and finds it in three quarters of the time.
 */
#pragma once

#include <sys/types.h>

#define START_LINKS 16 /* a power of two; tasks that take turns mostly have ids that follow each other */

struct start_links {
	struct start_link {
		pid_t tid; /* 0 for none */
		int descriptor;
		unsigned asked; /* how often in a row */
		int fd;		/* ours on the link; 0: not kept */
	} links[START_LINKS];
};

/* As readlink(2). descriptor: of the task's; AT_FDCWD for its directory. */
ssize_t start_links_read(struct start_links *links, pid_t tid, int descriptor, char *text, size_t size);
/* At the end of a task. */
void start_links_forget(struct start_links *links, pid_t tid);
void start_links_finish(struct start_links *links);
