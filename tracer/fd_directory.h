/*
 * The directory /proc/TID/fd of the task that was asked about last, kept open once it is asked about often: from there
 * the kernel finds a descriptor's link in two thirds of the time that it takes by name. Of one task, so that a tool
 * with few descriptors has them for other things. Whatever fails by it is to be tried by name: its owner is the one it
 * had when it was opened, while a task's entries change theirs with its user.
 */
#pragma once

#include <sys/types.h>

struct fd_directory {
	pid_t last;	 /* the task that was asked about, … */
	unsigned streak; /* … and how often in a row */
	pid_t tid;	 /* the one that `fd` is of; 0 for none */
	int fd;
};

/* Ours on the directory; -1: by name. */
int fd_directory_of(struct fd_directory *directory, pid_t tid);
/* At the end of a task. */
void fd_directory_forget(struct fd_directory *directory, pid_t tid);
void fd_directory_finish(struct fd_directory *directory);
