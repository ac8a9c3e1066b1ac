#include "profile/open_given.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"

/* A pipe that was handed to us (/dev/stdin, <(…)); one with a name in a directory may wait for a writer for ever. */
static bool is_anonymous_pipe(const char *descriptor)
{
	char target[8];

	return readlink(descriptor, target, sizeof target) >= 5 && !strncmp(target, "pipe:", 5);
}

static const char *kind_of(mode_t mode)
{
	switch (mode & S_IFMT) {
	case S_IFDIR:
		return "a directory";
	case S_IFIFO:
		return "a named pipe";
	case S_IFSOCK:
		return "a socket";
	default:
		return "a device";
	}
}

/* Where no /proc is: by its name again, which must still be that of the same file. */
static int open_again(const char *path, const struct stat *status)
{
	scoped_fd fd = open(path, O_RDONLY | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);
	struct stat now;

	if (fd < 0 || fstat(fd, &now) < 0)
		return -1;
	if (now.st_dev != status->st_dev || now.st_ino != status->st_ino) {
		errno = EAGAIN;
		return -1;
	}
	return steal_fd(&fd);
}

int open_given(const char *path, const char *what, struct stat *status, struct error *err)
{
	scoped_fd look = open(path, O_PATH | O_CLOEXEC);
	char descriptor[32];
	int fd;

	if (!*path)
		return error_set(err, ENOENT, "the name of the %s is empty", what);
	if (look < 0 && errno == ENOENT && strcmp(path, "-") == 0)
		return error_set(err, EINVAL, "no file is called -: standard input is /dev/stdin");
	if (look < 0 || fstat(look, status) < 0)
		return error_set_errno(err, errno, "%s", path);
	snprintf(descriptor, sizeof descriptor, "/proc/self/fd/%d", look);
	if (!S_ISREG(status->st_mode) && !is_anonymous_pipe(descriptor))
		return error_set(err, S_ISDIR(status->st_mode) ? EISDIR : EINVAL, "%s: %s, not a file", path,
				 kind_of(status->st_mode));
	fd = open(descriptor, O_RDONLY | O_NOCTTY | O_CLOEXEC);
	if (fd < 0 && errno == ENOENT)
		fd = open_again(path, status);
	if (fd < 0 && errno == EAGAIN)
		return error_set(err, EAGAIN, "%s: the %s was replaced while it was read", path, what);
	return fd < 0 ? error_set_errno(err, errno, "%s", path) : fd;
}
