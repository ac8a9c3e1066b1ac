#include "profile/path.h"

#include <string.h>

#include "base/buffer.h"
#include "base/memory.h"

/* Length of the part at text: up to the next slash or the end. */
static size_t part_length(const char *text)
{
	return strcspn(text, "/");
}

static bool is_dot(const char *part, size_t length)
{
	return length == 1 && part[0] == '.';
}

static bool is_dot_dot(const char *part, size_t length)
{
	return length == 2 && part[0] == '.' && part[1] == '.';
}

/* Whether the part that begins there is empty, `.` or `..`. */
static bool is_odd(const char *part)
{
	part += *part == '.';
	part += *part == '.' && part[-1] == '.';
	return *part == '/' || *part == '\0';
}

bool path_is_clean(const char *path)
{
	if (path[0] != '/')
		return false;
	if (path[1] == '\0')
		return true;
	for (; *path; path++)
		if (*path == '/' && is_odd(path + 1))
			return false;
	return true;
}

bool path_has_dots(const char *path)
{
	while (*path) {
		size_t length = part_length(path);

		if (is_dot(path, length) || is_dot_dot(path, length))
			return true;
		path += length + (path[length] == '/');
	}
	return false;
}

char *path_clean(const char *path)
{
	scoped_buffer clean = {0};

	if (path[0] != '/')
		return NULL;
	while (*path) {
		size_t length = part_length(path);

		if (is_dot_dot(path, length))
			return NULL;
		if (length && !is_dot(path, length)) {
			buffer_add_byte(&clean, '/');
			buffer_add(&clean, path, length);
		}
		path += length + (path[length] == '/');
	}
	if (!clean.length)
		buffer_add_byte(&clean, '/');
	return buffer_steal(&clean);
}

size_t path_parent_length(const char *path)
{
	const char *slash = strrchr(path, '/');

	if (!slash || slash[1] == '\0')
		return 0;
	return slash == path ? 1 : (size_t)(slash - path);
}

char *path_parent(const char *path)
{
	size_t length = path_parent_length(path);

	return length ? duplicate_bytes(path, length) : NULL;
}

bool path_is_beneath(const char *path, const char *directory)
{
	size_t length = strlen(directory);

	if (length == 1)
		return true;
	return !strncmp(path, directory, length) && (path[length] == '\0' || path[length] == '/');
}

bool path_is_strictly_beneath(const char *path, const char *directory)
{
	return path_is_beneath(path, directory) && strcmp(path, directory) != 0;
}
