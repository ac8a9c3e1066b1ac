/* Things that have a path, in path_order(): what lies beneath a directory stands directly behind it. */
#pragma once

#include <stddef.h>

struct path_item {
	const char *path;
	const void *of; /* the thing */
};

/* Zeroed when empty. Paths and things are borrowed. */
struct path_list {
	struct path_item *items;
	size_t count, capacity;
};

void path_list_add(struct path_list *list, const char *path, const void *of);
void path_list_sort(struct path_list *list); /* before it is asked */
void path_list_finish(struct path_list *list);

/* Index of the first that does not stand before path: it, or what lies beneath it, or count. */
size_t path_list_from(const struct path_list *list, const char *path);
