#include "tracer/link_name.h"

#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/memory.h"
#include "profile/path.h"

#define CHAIN_LIMIT 8

static const char *last_part(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

static bool is_settled(int directory)
{
	struct stat status;

	return fstat(directory, &status) == 0 && status.st_uid == 0 && !(status.st_mode & (S_IWGRP | S_IWOTH));
}

static bool leads_to(int directory, const char *name, const char *target)
{
	char text[NAME_MAX + 2];

	for (int links = 0; links < CHAIN_LIMIT; links++) {
		ssize_t length = readlinkat(directory, name, text, sizeof text - 1);

		if (length < 0)
			return false;
		text[length] = '\0';
		if (strchr(text, '/'))
			return false;
		if (strcmp(text, target) == 0)
			return true;
		name = text;
	}
	return false;
}

/* What the link `name` says, as an absolute name; NULL for what is no link, or too long. The caller frees. */
static char *follow(const char *name)
{
	char text[PATH_MAX];
	ssize_t length = readlink(name, text, sizeof text);
	scoped_free char *directory = NULL;

	if (length <= 0 || (size_t)length == sizeof text)
		return NULL;
	if (text[0] == '/')
		return duplicate_bytes(text, (size_t)length);
	directory = path_parent(name);
	return format_text("%s/%.*s", directory ? directory : "", (int)length, text);
}

/* The first link on the way from `named` whose name leads to the target within the directory; the caller frees. */
static char *find_link(const char *named, int directory, const char *target)
{
	scoped_free char *name = duplicate(named);

	for (int links = 0; name && links < CHAIN_LIMIT; links++) {
		char *next;

		if (*last_part(name) && strcmp(last_part(name), target) != 0 &&
		    leads_to(directory, last_part(name), target))
			return duplicate(last_part(name));
		next = *name == '/' ? follow(name) : NULL;
		free(name);
		name = next;
	}
	return NULL;
}

char *link_name(const char *named, const char *path)
{
	scoped_free char *directory = path_parent(path), *name = NULL;
	scoped_fd fd = -1;

	if (!strcmp(named, path))
		return NULL;
	fd = directory ? open(directory, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC) : -1;
	if (fd < 0 || !is_settled(fd))
		return NULL;
	name = find_link(named, fd, last_part(path));
	return name ? format_text("%s/%s", directory[1] ? directory : "", name) : NULL;
}
