#include "profile/way.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/openat2.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#include "base/cleanup.h"
#include "base/memory.h"

#define MOST_LINKS 40 /* the kernel's own bound */

int way_open(int directory_fd, const char *name, int flags, uint64_t resolve)
{
	struct open_how how = {.flags = (uint64_t)(O_PATH | O_CLOEXEC | flags), .resolve = resolve};
	long fd = syscall(SYS_openat2, directory_fd, name, &how, sizeof how);

	return fd < 0 ? -errno : (int)fd;
}

/* A container may refuse openat2(2), which older programs do not need; no path can then be trusted. */
int way_error(struct error *err, int number, const char *path)
{
	if (number == ENOSYS || number == EPERM)
		return error_set(err, number,
				 "openat2(2), which finds paths safely, is refused here (%s): let the container's "
				 "seccomp profile pass it",
				 strerror(number));
	return error_set_errno(err, number, "%s", path);
}

static void way_set_fd(struct way *way, int fd)
{
	if (way->fd >= 0)
		close(way->fd);
	way->fd = fd;
}

void way_finish(struct way *way)
{
	way_set_fd(way, -1);
	buffer_finish(&way->at);
	free(way->rest);
}

static int way_to_root(struct way *way, struct error *err)
{
	int fd = way_open(AT_FDCWD, "/", O_DIRECTORY, 0);

	if (fd < 0)
		return way_error(err, -fd, "/");
	way_set_fd(way, fd);
	buffer_clear(&way->at);
	return 0;
}

static int try_path(int directory_fd, const char *name, uint64_t resolve)
{
	int fd = way_open(directory_fd, name, 0, resolve);

	if (fd < 0)
		return fd;
	close(fd);
	return 0;
}

/*
 * A link whose text is not where it leads (/proc/PID/cwd, fd/N …): followed, it would get past every check. Links that
 * lead round fail in both ways.
 */
static bool is_magic(int directory_fd, const char *name)
{
	return try_path(directory_fd, name, RESOLVE_NO_MAGICLINKS) == -ELOOP &&
	       try_path(directory_fd, name, 0) != -ELOOP;
}

static int way_follow(struct way *way, int link_fd, const char *name, struct error *err)
{
	char target[PATH_MAX];
	struct way_link link = {way->fd, way->at.length ? way->at.data : "/", name, target};
	ssize_t length = readlinkat(link_fd, "", target, sizeof target - 1);
	scoped_free char *instead = NULL;
	char *rest;
	int result;

	if (length < 0)
		return error_set_errno(err, errno, "%s/%s", buffer_text(&way->at), name);
	target[length] = '\0';
	if (way->literal && !way->rest[way->done])
		return error_set(err, ELOOP, "%s/%s is a symbolic link", buffer_text(&way->at), name);
	if (++way->links > MOST_LINKS)
		return error_set(err, ELOOP, "more than %d symbolic links on the way", MOST_LINKS);
	if (is_magic(way->fd, name))
		return error_set(err, ELOOP, "%s/%s leads to something else than its text says; it is never followed",
				 buffer_text(&way->at), name);
	result = way->follow(way->data, &link, &instead, err);
	if (result < 0)
		return result;
	rest = format_text("%s%s", instead ? instead : target, way->rest + way->done);
	free(way->rest);
	way->rest = rest;
	way->done = 0;
	return *rest == '/' ? way_to_root(way, err) : 0;
}

static void way_name_up(struct way *way)
{
	const char *slash = way->at.length ? strrchr(way->at.data, '/') : NULL;

	if (slash) {
		way->at.length = (size_t)(slash - way->at.data);
		way->at.data[way->at.length] = '\0';
	}
}

static int way_step(struct way *way, const char *name, struct error *err)
{
	scoped_free char *path = format_text("%s/%s", buffer_text(&way->at), name);
	scoped_fd fd = way_open(way->fd, name, O_NOFOLLOW, 0);
	struct stat status;

	if (fd < 0)
		return way_error(err, -fd, path);
	if (fstat(fd, &status) < 0)
		return way_error(err, errno, path);
	if (S_ISLNK(status.st_mode))
		return way_follow(way, fd, name, err);
	way_set_fd(way, steal_fd(&fd));
	if (strcmp(name, "..") == 0)
		way_name_up(way);
	else if (strcmp(name, ".") != 0)
		buffer_format(&way->at, "/%s", name);
	return 0;
}

int way_go(struct way *way, const char *path, struct error *err)
{
	int result = *path == '/' ? way_to_root(way, err) : 0;

	way->rest = duplicate(path);
	while (result == 0) {
		scoped_free char *name = NULL;
		size_t length;

		way->done += strspn(way->rest + way->done, "/");
		length = strcspn(way->rest + way->done, "/");
		if (!length)
			return 0;
		name = duplicate_bytes(way->rest + way->done, length);
		way->done += length;
		result = way_step(way, name, err);
	}
	return result;
}
