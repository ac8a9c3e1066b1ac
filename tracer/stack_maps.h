/* What lies where in a process: /proc/PID/maps (proc_pid_maps(5)), read from its text. Pure. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct stack_map {
	uint64_t start, end; /* addresses; the end is not in it */
	uint64_t offset;     /* of its start in the file */
	bool writable;
	uint64_t inode;	  /* 0 without a file */
	const char *name; /* in the text, without an end of its own */
	size_t length;
};

/* The line at *at, which moves behind it; false at the end of the text, and at what is no line of maps. */
bool stack_map_read(const char **at, struct stack_map *map);

/* The one that holds the address, or false. */
bool stack_map_find(const char *text, uint64_t address, struct stack_map *map);
