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

/* The one that holds the address, or false. */
bool stack_map_find(const char *text, uint64_t address, struct stack_map *map);

/* All of a text, for many questions. The names stay the text's. */
struct stack_maps {
	struct stack_map *maps; /* in the order of their addresses, as the kernel writes them */
	size_t count;
};

void stack_maps_read(struct stack_maps *maps, const char *text);
void stack_maps_finish(struct stack_maps *maps);

/* The one that holds the address, or NULL; it is the maps'. */
const struct stack_map *stack_maps_find(const struct stack_maps *maps, uint64_t address);
