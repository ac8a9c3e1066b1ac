#include "profile/names.h"

#include <string.h>

#include "profile/path.h"

static const void *key_of(const void *thing, size_t *length)
{
	const struct name *name = thing;

	*length = name->length;
	return name->path;
}

static struct name *find(const struct names *names, const char *path, size_t length)
{
	return table_find(&names->table, key_of, path, length);
}

struct name *names_get(struct names *names, const char *path, size_t length)
{
	void **place = table_place(&names->table, key_of, path, length);
	struct name *name = *place;

	if (name)
		return name;
	name = *place = pool_take(&names->pool, sizeof *name + length + 1);
	memcpy(name->path, path, length);
	name->length = length;
	if (names->last)
		names->last->next = name;
	else
		names->first = name;
	names->last = name;
	return name;
}

const struct name *names_find(const struct names *names, const char *path)
{
	return find(names, path, strlen(path));
}

const struct name *names_find_first(const struct names *names, const char *path, size_t length)
{
	return find(names, path, length);
}

void names_finish(struct names *names)
{
	table_finish(&names->table);
	pool_finish(&names->pool);
	*names = (struct names){0};
}

bool name_is_file(const struct name *name)
{
	return name->was_other && !name->was_directory;
}

rights_t name_own_rights(const struct name *name)
{
	return name_is_file(name) ? name->on & RIGHTS_ON_FILE : name->on;
}

void name_saw_type(struct name *name, enum object_type type)
{
	name->used = true;
	if (type == OBJECT_DIRECTORY)
		name->was_directory = true;
	else if (type != OBJECT_NONE)
		name->was_other = true;
}

void names_bear(struct names *names, struct name *name)
{
	names->born_count += !name->born;
	name->born = true;
}

bool names_is_gone(const struct names *names, const char *path)
{
	for (size_t length = strlen(path); length > 0; length--) {
		const struct name *name = !path[length] || path[length] == '/' ? find(names, path, length) : NULL;

		if (name && name->gone)
			return true;
	}
	return false;
}

static bool is_born(const struct names *names, const char *path, size_t length)
{
	const struct name *name = find(names, path, length);

	return name && name->born;
}

/* The topmost born name decides: what lies beneath it came with it, or was made later. */
size_t names_place(const struct names *names, const char *path)
{
	size_t parent = 1;

	if (!names->born_count || path[1] == '\0')
		return strlen(path);
	for (const char *end = path; *end;) {
		end += 1 + strcspn(end + 1, "/");
		if (is_born(names, path, (size_t)(end - path)))
			return parent;
		parent = (size_t)(end - path);
	}
	return parent;
}

bool names_is_own(const struct names *names, const struct name *name)
{
	return names_place(names, name->path) != name->length;
}

static void touch(struct names *names, struct name *name)
{
	while (!name->touched) {
		size_t parent = path_parent_length(name->path);

		name->touched = true;
		if (parent)
			name = names_get(names, name->path, parent);
	}
}

/* New names come behind the last one; they are touched already. */
void names_touch(struct names *names)
{
	for (struct name *name = names->first; name; name = name->next)
		if (name->used)
			touch(names, name);
}

bool names_touched(const struct names *names, const char *path)
{
	const struct name *name = find(names, path, strlen(path));

	return name && name->touched;
}
