#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/atomic_file.h"
#include "base/cleanup.h"
#include "base/hash.h"
#include "profile/profile_file.h"

#define PROFILE_BYTES_MAX (64UL << 20)

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

/* Looks before it opens: opening a named pipe waits, and opening a device can act. Returns a descriptor or -errno. */
static int open_profile(const char *path, struct stat *status, struct error *err)
{
	scoped_fd look = open(path, O_PATH | O_CLOEXEC);
	char descriptor[32];
	int fd;

	if (!*path)
		return error_set(err, ENOENT, "the name of the profile is empty");
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
		return error_set(err, EAGAIN, "%s: the profile was replaced while it was read", path);
	return fd < 0 ? error_set_errno(err, errno, "%s", path) : fd;
}

int profile_load_bytes(const char *path, const struct variables *variables, struct profile *profile,
		       struct buffer *bytes, struct stat *status, struct error *err)
{
	struct stat own;
	scoped_fd fd = open_profile(path, status ? status : &own, err);

	*profile = (struct profile){0};
	if (fd < 0)
		return fd;
	if (read_file(fd, PROFILE_BYTES_MAX, &bytes->data, &bytes->length, err) < 0)
		return error_context(err, "%s", path);
	bytes->capacity = bytes->length + 1; /* its NUL is there */
	return profile_read_text(bytes->data, bytes->length, path, variables, profile, err);
}

int profile_load(const char *path, const struct variables *variables, struct profile *profile, char *sha256,
		 struct stat *status, struct error *err)
{
	scoped_buffer bytes = {0};
	int result = profile_load_bytes(path, variables, profile, &bytes, status, err);

	if (sha256 && bytes.data)
		hash_text(bytes.data, bytes.length, sha256);
	return result;
}
