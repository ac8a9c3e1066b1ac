#include "tracer/link_name.h"

#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
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

char *link_name(const char *named, const char *path)
{
	const char *name = last_part(named);
	scoped_free char *directory = NULL;
	scoped_fd fd = -1;

	if (!*name || strcmp(name, last_part(path)) == 0)
		return NULL;
	directory = path_parent(path);
	fd = directory ? open(directory, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC) : -1;
	if (fd < 0 || !is_settled(fd) || !leads_to(fd, name, last_part(path)))
		return NULL;
	return format_text("%s/%s", directory[1] ? directory : "", name);
}
