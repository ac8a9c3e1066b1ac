#include "profile/rule_path.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <linux/openat2.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "base/buffer.h"
#include "base/cleanup.h"
#include "base/memory.h"
#include "profile/path.h"
#include "profile/way.h"

#define PROC_ROOT 1 /* PROC_ROOT_INO of the kernel */

/* Links in the root of procfs, as /proc/self, are the kernel's, whoever root is in a user namespace. */
static bool is_root_of_proc(int fd, const struct stat *status)
{
	struct statfs system;

	return status->st_ino == PROC_ROOT && fstatfs(fd, &system) == 0 && system.f_type == PROC_SUPER_MAGIC;
}

/* In a user namespace that has no number for root, its files seem to be nobody's, as those of others do. */
static bool knows_root(void)
{
	scoped_file map = fopen("/proc/self/uid_map", "re");
	unsigned inside, outside, count;

	while (map && fscanf(map, "%u %u %u", &inside, &outside, &count) == 3)
		if (outside == 0)
			return true;
	return !map;
}

/* Follows a link only where nobody but root can have put it. */
static int follow_settled(void *data, const struct way_link *link, char **instead, struct error *err)
{
	const struct reach *reach = data;
	const char *why = NULL;
	struct stat status;

	(void)instead;
	if (fstat(link->directory_fd, &status) < 0)
		return error_set_errno(err, errno, "%s", link->directory);
	if (is_root_of_proc(link->directory_fd, &status))
		return 0;
	if (status.st_uid != 0)
		why = knows_root() ? "does not belong to root"
				   : "does not belong to root, as far as can be told: in this user namespace root has "
				     "no number (give the line the path that the link leads to)";
	else if (status.st_mode & (S_IWGRP | S_IWOTH))
		why = "can be changed by others than root";
	else if (reach && reach_rights(reach, link->directory) & RIGHTS_ON_NAMES)
		why = "can be changed by the program itself";
	if (!why)
		return 0;
	return error_set(err, ELOOP, "%s%s%s is a symbolic link to %s, and its directory %s",
			 strcmp(link->directory, "/") == 0 ? "" : link->directory, "/", link->name, link->target, why);
}

int rule_path_open(const char *path, const struct reach *reach, mode_t *mode, struct error *err)
{
	struct way way = {.fd = -1, .follow = follow_settled, .data = (void *)reach};
	scoped_fd fd = way_open(AT_FDCWD, path, 0, RESOLVE_NO_SYMLINKS);
	struct stat status;
	int result;

	if (fd == -ELOOP || fd == -ENAMETOOLONG) { /* links on the way, or longer than the kernel takes in one call */
		result = way_go(&way, path, err);
		fd = result < 0 ? result : steal_fd(&way.fd);
		way_finish(&way);
		if (result < 0)
			return result;
	}
	if (fd < 0)
		return way_error(err, -fd, path);
	if (mode && fstat(fd, &status) < 0)
		return error_set_errno(err, errno, "%s", path);
	if (mode)
		*mode = status.st_mode;
	return steal_fd(&fd);
}

bool rule_path_has_link(const char *path)
{
	/* Mostly a file, which is then refused: links are met before, and nothing is to be closed. */
	scoped_fd fd = way_open(AT_FDCWD, path, O_DIRECTORY, RESOLVE_NO_SYMLINKS);

	return fd == -ELOOP;
}

#define WORTH_OPENING 3 /* paths in one directory; opening that is a call more, and closing it another */

static bool is_open(const struct rule_path_place *place)
{
	return place->count >= WORTH_OPENING && place->fd >= 0;
}

static void go_to(struct rule_path_place *place, const char *path, size_t length)
{
	if (place->count && place->directory.length == length && !memcmp(place->directory.data, path, length)) {
		place->count++;
	} else {
		rule_path_place_finish(place);
		buffer_add(&place->directory, path, length);
		place->count = 1;
	}
	if (place->count == WORTH_OPENING)
		place->fd = way_open(AT_FDCWD, place->directory.data, O_DIRECTORY, RESOLVE_NO_SYMLINKS);
}

bool rule_path_open_or_has_link(struct rule_path_place *place, const char *path, int *fd)
{
	size_t length = path_parent_length(path);
	int result;

	if (length > 1)
		go_to(place, path, length);
	result = length > 1 && is_open(place) ? way_open(place->fd, path + length + 1, 0, RESOLVE_NO_SYMLINKS)
					      : way_open(AT_FDCWD, path, 0, RESOLVE_NO_SYMLINKS);
	*fd = result < 0 ? -1 : result;
	return result == -ELOOP;
}

void rule_path_place_finish(struct rule_path_place *place)
{
	if (is_open(place))
		close(place->fd);
	buffer_finish(&place->directory);
	place->count = 0;
}

struct tracing {
	rule_path_link_fn *link;
	void *data;
};

static int follow_and_tell(void *data, const struct way_link *link, char **instead, struct error *err)
{
	const struct tracing *tracing = data;
	scoped_free char *name = NULL;

	(void)instead;
	(void)err;
	name = format_text("%s/%s", strcmp(link->directory, "/") == 0 ? "" : link->directory, link->name);
	tracing->link(tracing->data, name);
	return 0;
}

int rule_path_trace(const char *path, rule_path_link_fn *link, void *data, char **real, struct error *err)
{
	struct tracing tracing = {link, data};
	struct way way = {.fd = -1, .follow = follow_and_tell, .data = &tracing};
	int result = way_go(&way, path, err);

	if (result == 0) {
		result = steal_fd(&way.fd);
		*real = way.at.length ? buffer_steal(&way.at) : duplicate("/");
	}
	way_finish(&way);
	return result;
}
