/*
 * Directories whose path is longer than the kernel writes (a page: readlink(2) of a magic link answers ENAMETOOLONG,
 * and so does getcwd(2)). Each step up finds the name of a directory in the one above it, until the kernel can name
 * that one.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buffer.h"
#include "base/cleanup.h"
#include "base/memory.h"
#include "profile/way.h"
#include "tracer/resolve_parts.h"

static bool has_name(int fd)
{
	char link[64], text[PATH_MAX];

	snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
	return readlink(link, text, sizeof text) >= 0;
}

/* The inode that readdir(3) tells of a mount point is that of what it covers: all names are asked then. */
static bool is_called(int parent, const struct dirent *entry, const struct stat *status, bool ask_all)
{
	struct stat found;

	if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
		return false;
	if (!ask_all && entry->d_ino != status->st_ino)
		return false;
	return fstatat(parent, entry->d_name, &found, AT_SYMLINK_NOFOLLOW) == 0 && found.st_dev == status->st_dev &&
	       found.st_ino == status->st_ino;
}

/* The caller's; NULL where it has none (it was deleted), or the directory above cannot be read. */
static char *name_in(int parent, const struct stat *status, bool ask_all)
{
	int fd = openat(parent, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	scoped_directory entries = fd < 0 ? NULL : fdopendir(fd);
	const struct dirent *entry;

	if (!entries && fd >= 0)
		close(fd);
	while (entries && (entry = readdir(entries)))
		if (is_called(parent, entry, status, ask_all))
			return duplicate(entry->d_name);
	return NULL;
}

static int step_up(int *fd, struct buffer *beneath)
{
	scoped_fd parent = openat(*fd, "..", O_PATH | O_DIRECTORY | O_CLOEXEC);
	scoped_free char *name = NULL, *rest = NULL;
	struct stat here, above;

	if (parent < 0)
		return -errno;
	if (fstat(*fd, &here) != 0 || fstat(parent, &above) != 0)
		return -errno;
	if (here.st_dev == above.st_dev && here.st_ino == above.st_ino)
		return -ENOENT; /* no way leads further up */
	name = name_in(parent, &here, false);
	if (!name)
		name = name_in(parent, &here, true);
	if (!name)
		return -ENOENT;
	rest = buffer_steal(beneath);
	buffer_format(beneath, *rest ? "%s/%s" : "%s", name, rest);
	close(*fd);
	*fd = steal_fd(&parent);
	return 0;
}

static int refuse_link(void *data, const struct way_link *link, char **instead, struct error *err)
{
	(void)data, (void)instead;
	return error_set(err, ELOOP, "%s is a link", link->name);
}

int stat_deep(const char *path, struct stat *status)
{
	struct way way = {.fd = -1, .follow = refuse_link, .literal = true};
	scoped_error err = {0};
	int result = lstat(path, status) == 0 ? 0 : -errno;

	if (result == -ENAMETOOLONG) {
		result = way_go(&way, path, &err);
		if (!result && fstat(way.fd, status) != 0)
			result = -errno;
		way_finish(&way);
	}
	return result;
}

int describe_deep(const struct resolver *resolver, const struct task *task, const char *link, struct object *object)
{
	scoped_fd fd = open(link, O_PATH | O_DIRECTORY | O_CLOEXEC);
	scoped_buffer beneath = {0};
	int result = fd < 0 ? -ENAMETOOLONG : 0;

	while (!result && (!beneath.length || !has_name(fd)))
		result = step_up(&fd, &beneath);
	if (!result)
		result = describe_own(resolver, task, fd, object);
	if (!result && object->place == PLACE_PATH)
		describe_beneath(resolver, task, beneath.data, object);
	return result;
}
