/* Scoped clean-up for locals: what a function owns is released when it returns; ownership leaves by an explicit steal.
 */
#pragma once

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static inline void cleanup_free(void *pointer)
{
	free(*(void **)pointer);
}

static inline void cleanup_close(const int *fd)
{
	if (*fd >= 0)
		close(*fd);
}

static inline void cleanup_file(FILE **file)
{
	if (*file)
		fclose(*file);
}

static inline void cleanup_directory(DIR **directory)
{
	if (*directory)
		closedir(*directory);
}

#define scoped_free	 __attribute__((cleanup(cleanup_free)))
#define scoped_fd	 __attribute__((cleanup(cleanup_close))) int
#define scoped_file	 __attribute__((cleanup(cleanup_file))) FILE *
#define scoped_directory __attribute__((cleanup(cleanup_directory))) DIR *

static inline int steal_fd(int *fd)
{
	int taken = *fd;

	*fd = -1;
	return taken;
}

static inline void *steal_memory(void *pointer)
{
	void *taken = *(void **)pointer;

	*(void **)pointer = NULL;
	return taken;
}

/* Takes what the pointer variable owns, keeping its type. */
#define steal_pointer(pointer) ((__typeof__(*(pointer)))steal_memory(pointer))
