#include "tracer/stack_maps.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

/* A number and the byte behind it. */
static bool read_number(const char **at, int base, char behind, uint64_t *number)
{
	char *end;

	*number = strtoull(*at, &end, base);
	if (end == *at || *end != behind)
		return false;
	*at = end + 1;
	return true;
}

static bool read_permissions(const char **at, struct stack_map *map)
{
	const char *end = strchr(*at, ' ');

	if (!end || end - *at != 4)
		return false;
	map->writable = (*at)[1] == 'w';
	*at = end + 1;
	return true;
}

static void read_name(const char **at, struct stack_map *map)
{
	size_t length;

	*at += strspn(*at, " ");
	length = strcspn(*at, "\n");
	map->name = *at;
	map->length = length;
	*at += length + ((*at)[length] == '\n');
}

/* The line at *at, which moves behind it; false at the end of the text, and at what is no line of maps. */
static bool read_line(const char **at, struct stack_map *map)
{
	uint64_t device;

	*map = (struct stack_map){0};
	if (!read_number(at, 16, '-', &map->start) || !read_number(at, 16, ' ', &map->end) ||
	    !read_permissions(at, map) || !read_number(at, 16, ' ', &map->offset) ||
	    !read_number(at, 16, ':', &device) || !read_number(at, 16, ' ', &device))
		return false;
	map->inode = strtoull(*at, (char **)at, 10);
	read_name(at, map);
	return map->start < map->end;
}

bool stack_map_find(const char *text, uint64_t address, struct stack_map *map)
{
	while (read_line(&text, map))
		if (address >= map->start && address < map->end)
			return true;
	return false;
}

/* A text that says otherwise than in the order of addresses is not the kernel's: what stands behind is left out. */
void stack_maps_read(struct stack_maps *maps, const char *text)
{
	struct stack_map map;
	size_t room = 0;

	*maps = (struct stack_maps){0};
	while (read_line(&text, &map)) {
		if (maps->count && map.start < maps->maps[maps->count - 1].end)
			return;
		*ARRAY_APPEND(maps->maps, maps->count, room) = map;
	}
}

void stack_maps_finish(struct stack_maps *maps)
{
	free(maps->maps);
}

static int compare_address(const void *key, const void *entry)
{
	uint64_t address = *(const uint64_t *)key;
	const struct stack_map *map = entry;

	if (address < map->start)
		return -1;
	return address >= map->end;
}

const struct stack_map *stack_maps_find(const struct stack_maps *maps, uint64_t address)
{
	return maps->count ? bsearch(&address, maps->maps, maps->count, sizeof *maps->maps, compare_address) : NULL;
}
