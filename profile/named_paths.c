#include "profile/named_paths.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "profile/path.h"
#include "profile/path_list.h"

struct named_paths {
	struct path_list list;
};

struct named_paths *named_paths_create(const struct profile *profile)
{
	struct named_paths *named = allocate(sizeof *named);

	for (size_t i = 0; i < profile->grant_count; i++)
		if (grant_is_enforced(&profile->grants[i]))
			path_list_add(&named->list, profile->grants[i].path, &profile->grants[i]);
	path_list_sort(&named->list);
	return named;
}

void named_paths_destroy(struct named_paths *paths)
{
	if (!paths)
		return;
	path_list_finish(&paths->list);
	free(paths);
}

bool named_paths_has(void *paths, const char *path)
{
	const struct path_list *list = &((const struct named_paths *)paths)->list;
	size_t at = path_list_from(list, path);

	return at < list->count && path_is_beneath(list->items[at].path, path);
}
