#include "runner/rule_path.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/openat2.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#include "base/buffer.h"
#include "base/cleanup.h"
#include "base/memory.h"

#define MOST_LINKS 40 /* the kernel's own bound */

/* With one of these on a directory, the program can put a link into it, or exchange a part of a way. */
#define RIGHTS_ON_NAMES                                                                                                \
	(RIGHT_REMOVE_DIR | RIGHT_REMOVE_FILE | RIGHT_MAKE_CHAR | RIGHT_MAKE_DIR | RIGHT_MAKE_REG | RIGHT_MAKE_SOCK |  \
	 RIGHT_MAKE_FIFO | RIGHT_MAKE_BLOCK | RIGHT_MAKE_SYM | RIGHT_REFER)

struct link {
	int directory_fd;
	const char *directory; /* canonical */
	const char *name;
	const char *target;
};

/* 0: follow it. */
typedef int follow_fn(const void *data, const struct link *link, struct error *err);

/* A way through the file system, part by part. */
struct way {
	int fd;		  /* where it has come to */
	struct buffer at; /* the canonical name of that; empty for "/" */
	char *rest;	  /* parts to go, from `done` on */
	size_t done;
	unsigned links;
	follow_fn *follow;
	const void *data;
};

static int open_path(int directory_fd, const char *name, int flags, uint64_t resolve)
{
	struct open_how how = {.flags = (uint64_t)(O_PATH | O_CLOEXEC | flags), .resolve = resolve};
	long fd = syscall(SYS_openat2, directory_fd, name, &how, sizeof how);

	return fd < 0 ? -errno : (int)fd;
}

/* A container may refuse openat2(2), which older programs do not need; no path can then be trusted. */
static int path_error(struct error *err, int number, const char *path)
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

static void way_finish(struct way *way)
{
	way_set_fd(way, -1);
	buffer_finish(&way->at);
	free(way->rest);
}

static int way_to_root(struct way *way, struct error *err)
{
	int fd = open_path(AT_FDCWD, "/", O_DIRECTORY, 0);

	if (fd < 0)
		return path_error(err, -fd, "/");
	way_set_fd(way, fd);
	buffer_clear(&way->at);
	return 0;
}

static int try_path(int directory_fd, const char *name, uint64_t resolve)
{
	int fd = open_path(directory_fd, name, 0, resolve);

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
	struct link link = {way->fd, way->at.length ? way->at.data : "/", name, target};
	ssize_t length = readlinkat(link_fd, "", target, sizeof target - 1);
	char *rest;
	int result;

	if (length < 0)
		return error_set_errno(err, errno, "%s/%s", buffer_text(&way->at), name);
	target[length] = '\0';
	if (++way->links > MOST_LINKS)
		return error_set(err, ELOOP, "more than %d symbolic links on the way", MOST_LINKS);
	if (is_magic(way->fd, name))
		return error_set(err, ELOOP, "%s/%s leads to something else than its text says; it is never followed",
				 buffer_text(&way->at), name);
	result = way->follow(way->data, &link, err);
	if (result < 0)
		return result;
	rest = format_text("%s%s", target, way->rest + way->done);
	free(way->rest);
	way->rest = rest;
	way->done = 0;
	return *target == '/' ? way_to_root(way, err) : 0;
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
	scoped_fd fd = open_path(way->fd, name, O_NOFOLLOW, 0);
	struct stat status;

	if (fd < 0)
		return path_error(err, -fd, path);
	if (fstat(fd, &status) < 0)
		return path_error(err, errno, path);
	if (S_ISLNK(status.st_mode))
		return way_follow(way, fd, name, err);
	way_set_fd(way, steal_fd(&fd));
	if (strcmp(name, "..") == 0)
		way_name_up(way);
	else if (strcmp(name, ".") != 0)
		buffer_format(&way->at, "/%s", name);
	return 0;
}

static int way_go(struct way *way, const char *path, struct error *err)
{
	int result = way_to_root(way, err);

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

/* Follows a link only where nobody but root can have put it. */
static int follow_settled(const void *data, const struct link *link, struct error *err)
{
	const struct reach *reach = data;
	const char *why = NULL;
	struct stat status;

	if (fstat(link->directory_fd, &status) < 0)
		return error_set_errno(err, errno, "%s", link->directory);
	if (status.st_uid != 0)
		why = "does not belong to root";
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
	struct way way = {.fd = -1, .follow = follow_settled, .data = reach};
	scoped_fd fd = open_path(AT_FDCWD, path, 0, RESOLVE_NO_SYMLINKS);
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
		return path_error(err, -fd, path);
	if (fstat(fd, &status) < 0)
		return error_set_errno(err, errno, "%s", path);
	*mode = status.st_mode;
	return steal_fd(&fd);
}

bool rule_path_has_link(const char *path)
{
	return try_path(AT_FDCWD, path, RESOLVE_NO_SYMLINKS) == -ELOOP;
}

struct tracing {
	rule_path_link_fn *link;
	void *data;
};

static int follow_and_tell(const void *data, const struct link *link, struct error *err)
{
	const struct tracing *tracing = data;
	scoped_free char *name = NULL;

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
