#include "profile/named_paths.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "profile/path.h"
#include "profile/path_order.h"

/* Sorted by path_order(): a path stands directly before all that lies beneath it. */
struct named_paths {
	const char **paths;
	size_t count;
};

static int compare(const void *left, const void *right)
{
	return path_order(*(const char *const *)left, *(const char *const *)right);
}

struct named_paths *named_paths_create(const struct profile *profile)
{
	struct named_paths *named = allocate(sizeof *named);

	named->paths = allocate_array(profile->grant_count + 1, sizeof *named->paths);
	for (size_t i = 0; i < profile->grant_count; i++)
		if (grant_is_enforced(&profile->grants[i]))
			named->paths[named->count++] = profile->grants[i].path;
	qsort(named->paths, named->count, sizeof *named->paths, compare);
	return named;
}

void named_paths_destroy(struct named_paths *paths)
{
	if (!paths)
		return;
	free(paths->paths);
	free(paths);
}

bool named_paths_has(void *paths, const char *path)
{
	const struct named_paths *named = paths;
	size_t from = 0, to = named->count;

	while (from < to) {
		size_t middle = from + (to - from) / 2;

		if (path_order(named->paths[middle], path) < 0)
			from = middle + 1;
		else
			to = middle;
	}
	return from < named->count && path_is_beneath(named->paths[from], path);
}
