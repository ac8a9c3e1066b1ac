#include "profile/path_list.h"

#include <stdlib.h>

#include "base/memory.h"
#include "profile/path_order.h"

void path_list_add(struct path_list *list, const char *path, const void *of)
{
	*ARRAY_APPEND(list->items, list->count, list->capacity) = (struct path_item){path, of};
}

static int compare(const void *left, const void *right)
{
	const struct path_item *a = left, *b = right;

	return path_order(a->path, b->path);
}

void path_list_sort(struct path_list *list)
{
	if (list->count)
		qsort(list->items, list->count, sizeof *list->items, compare);
}

void path_list_finish(struct path_list *list)
{
	free(list->items);
	*list = (struct path_list){0};
}

size_t path_list_from(const struct path_list *list, const char *path)
{
	size_t low = 0, high = list->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (path_order(list->items[middle].path, path) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}
