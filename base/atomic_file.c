#include "base/atomic_file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buffer.h"
#include "base/cleanup.h"
#include "base/memory.h"

#define PIECE 16384 /* bytes of a file that are read at once */

const char *atomic_file_advice(int number)
{
	switch (number) {
	case EISDIR:
		return "name a file in it";
	case ENXIO: /* of a fifo or socket */
		return "nothing reads from there: start its reader first, or name a file";
	case EFBIG:
		return "raise the limit on the size of files (ulimit -f), and do it again";
	case ENOSPC:
	case EDQUOT:
		return "make room, or name a file elsewhere";
	case ENOENT:
		return "make the directory first, or name a file elsewhere";
	case EACCES:
	case EPERM:
	case EROFS:
		return "name a file where you may write";
	default:
		return NULL;
	}
}

/* `what` failed and may be empty. */
static int refuse(const struct atomic_file *file, int number, const char *what, struct error *err)
{
	const char *advice = atomic_file_advice(number);

	return error_set(err, number, "%s: %s%s%s%s%s", file->path, what, *what ? ": " : "", strerror(number),
			 advice ? ": " : "", advice ? advice : "");
}

/* What has no name of its own to be resolved to, like a pipe behind /dev/stdout, is opened by the one it was given. */
static int open_nameless(struct atomic_file *file, struct error *err)
{
	file->name = duplicate(file->path);
	file->directory_fd = open(".", O_PATH | O_DIRECTORY | O_CLOEXEC);
	return file->directory_fd < 0 ? refuse(file, errno, "", err) : 0;
}

/* Splits path, following links at its end, into an open directory and a name. */
static int open_directory(struct atomic_file *file, struct error *err)
{
	scoped_free char *real = realpath(file->path, NULL);
	scoped_free char *target = duplicate(real ? real : file->path);
	char *slash = strrchr(target, '/');
	struct stat status;

	if (!*file->path)
		return error_set(err, EINVAL, "the name of the file is empty");
	if (!real && stat(file->path, &status) == 0)
		return open_nameless(file, err);
	if (!real && lstat(file->path, &status) == 0 && S_ISLNK(status.st_mode))
		return error_set(err, ENOENT, "%s: a symbolic link that leads nowhere", file->path);
	file->name = duplicate(slash ? slash + 1 : target);
	if (!*file->name || !strcmp(file->name, ".") || !strcmp(file->name, ".."))
		return error_set(err, EISDIR, "%s: not the name of a file", file->path);
	if (slash)
		slash[slash == target] = '\0';
	file->directory_fd = open(slash ? target : ".", O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (file->directory_fd < 0)
		return refuse(file, errno, "cannot open its directory", err);
	return 0;
}

static int check_target(struct atomic_file *file, struct error *err)
{
	struct stat status;

	if (fstatat(file->directory_fd, file->name, &status, AT_SYMLINK_NOFOLLOW) < 0)
		return errno == ENOENT ? 0 : refuse(file, errno, "", err);
	if (S_ISDIR(status.st_mode))
		return refuse(file, EISDIR, "", err);
	file->in_place = !S_ISREG(status.st_mode);
	if (!file->replace && !file->in_place)
		return error_set(err, EEXIST, "%s exists already", file->path);
	file->keeps_mode = !file->in_place;
	if (file->keeps_mode)
		file->mode = status.st_mode & 0777;
	return 0;
}

/* For file systems without O_TMPFILE. */
static char *create_temporary(struct atomic_file *file, struct error *err)
{
	for (unsigned attempt = 0; attempt < 100; attempt++) {
		scoped_free char *name = format_text(".trace-learn.%d.%u", (int)getpid(), attempt);

		file->fd = openat(file->directory_fd, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
				  file->mode);
		if (file->fd >= 0)
			return steal_pointer(&name);
		if (errno != EEXIST)
			break;
	}
	refuse(file, errno, "cannot create the new file", err);
	return NULL;
}

/* There permissions tell too little (procfs, sysfs): a file that can be made and removed now can be made at the end. */
static int try_temporary(struct atomic_file *file, struct error *err)
{
	scoped_free char *temporary = create_temporary(file, err);

	if (!temporary)
		return -err->number;
	unlinkat(file->directory_fd, temporary, 0);
	close(steal_fd(&file->fd));
	return 0;
}

/* A file without a name gets one through its link there; where no /proc is, it would be lost. */
static bool can_get_name(int fd)
{
	char source[32];
	struct stat status;

	snprintf(source, sizeof source, "/proc/self/fd/%d", fd);
	return lstat(source, &status) == 0;
}

static int open_data(struct atomic_file *file, struct error *err)
{
	if (file->in_place) {
		file->fd = openat(file->directory_fd, file->name, O_WRONLY | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);
		if (file->fd < 0)
			return refuse(file, errno, "", err);
		fcntl(file->fd, F_SETFL, fcntl(file->fd, F_GETFL) & ~O_NONBLOCK);
		return 0;
	}
	file->fd = openat(file->directory_fd, ".", O_TMPFILE | O_WRONLY | O_CLOEXEC, file->mode);
	if (file->fd < 0 && errno != EOPNOTSUPP && errno != EISDIR && errno != ENOENT && errno != EINVAL)
		return refuse(file, errno, "cannot write in its directory", err);
	if (file->fd >= 0 && !can_get_name(file->fd))
		close(steal_fd(&file->fd));
	return file->fd < 0 ? try_temporary(file, err) : 0;
}

int atomic_file_open(struct atomic_file *file, const char *path, mode_t mode, bool replace, struct error *err)
{
	int result;

	*file = ATOMIC_FILE_NONE;
	file->path = duplicate(path);
	file->mode = mode;
	file->replace = replace;
	result = open_directory(file, err);
	if (result == 0)
		result = check_target(file, err);
	if (result == 0)
		result = open_data(file, err);
	if (result < 0)
		atomic_file_finish(file);
	return result;
}

static int write_all(int fd, const char *data, size_t length)
{
	while (length) {
		ssize_t written = write(fd, data, length);

		if (written < 0 && errno == EINTR)
			continue;
		if (written < 0)
			return -errno;
		data += written;
		length -= (size_t)written;
	}
	return 0;
}

/* Gives the unnamed file a name in its directory; the caller frees it. */
static char *link_temporary(const struct atomic_file *file, struct error *err)
{
	char source[32];

	snprintf(source, sizeof source, "/proc/self/fd/%d", file->fd);
	for (unsigned attempt = 0; attempt < 100; attempt++) {
		scoped_free char *name = format_text(".trace-learn.%d.%u", (int)getpid(), attempt);

		if (linkat(AT_FDCWD, source, file->directory_fd, name, AT_SYMLINK_FOLLOW) == 0)
			return steal_pointer(&name);
		if (errno != EEXIST)
			break;
	}
	refuse(file, errno, "cannot name the new file", err);
	return NULL;
}

/* A rename that replaces nothing; where the file system has none (NFS), a second name that replaces nothing. */
static int rename_without_replacing(const struct atomic_file *file, const char *temporary)
{
	int fd = file->directory_fd;

	if (renameat2(fd, temporary, fd, file->name, RENAME_NOREPLACE) == 0)
		return 0;
	if (errno != EINVAL && errno != ENOSYS)
		return -1;
	if (linkat(fd, temporary, fd, file->name, 0) < 0)
		return -1;
	unlinkat(fd, temporary, 0);
	return 0;
}

static int give_name(const struct atomic_file *file, const char *temporary, struct error *err)
{
	int fd = file->directory_fd, number;

	if ((file->replace ? renameat(fd, temporary, fd, file->name) : rename_without_replacing(file, temporary)) == 0)
		return 0;
	number = errno;
	unlinkat(fd, temporary, 0);
	if (number == EEXIST)
		return error_set(err, EEXIST, "%s was made meanwhile, and nothing was written over it", file->path);
	return refuse(file, number, "", err);
}

int atomic_file_commit(struct atomic_file *file, const char *data, size_t length, struct error *err)
{
	scoped_free char *temporary = NULL;
	int result;

	if (!file->in_place && file->fd < 0) {
		temporary = create_temporary(file, err);
		if (!temporary)
			return -err->number;
	}
	result = write_all(file->fd, data, length);
	if (result == 0 && file->keeps_mode && fchmod(file->fd, file->mode) < 0)
		result = -errno;
	if (result == 0 && !file->in_place && fsync(file->fd) < 0 && errno != EINVAL && errno != EROFS)
		result = -errno;
	if (result < 0) {
		if (temporary)
			unlinkat(file->directory_fd, temporary, 0);
		return refuse(file, -result, "cannot write", err);
	}
	if (file->in_place)
		return 0;
	if (!temporary)
		temporary = link_temporary(file, err);
	return temporary ? give_name(file, temporary, err) : -err->number;
}

void atomic_file_finish(struct atomic_file *file)
{
	free(file->path);
	free(file->name);
	if (file->directory_fd >= 0)
		close(file->directory_fd);
	if (file->fd >= 0)
		close(file->fd);
	*file = ATOMIC_FILE_NONE;
}

bool atomic_file_is_at(const struct atomic_file *file, const char *path)
{
	const char *slash = strrchr(path, '/');
	scoped_free char *parent = slash ? duplicate_bytes(path, (size_t)(slash + 1 - path)) : duplicate(".");
	struct stat ours, there;

	return file->name && !strcmp(file->name, slash ? slash + 1 : path) && fstat(file->directory_fd, &ours) == 0 &&
	       stat(parent, &there) == 0 && ours.st_dev == there.st_dev && ours.st_ino == there.st_ino;
}

/* How much to ask for at once: of a file, what it is said to hold, and one more to see its end. */
static size_t first_piece(int fd)
{
	struct stat status;

	if (fstat(fd, &status) < 0 || !S_ISREG(status.st_mode) || status.st_size < 0 || status.st_size >= PIECE)
		return PIECE;
	return (size_t)status.st_size + 1;
}

int read_file(int fd, size_t limit, char **data, size_t *length, struct error *err)
{
	scoped_buffer contents = {0};
	size_t piece = first_piece(fd);
	ssize_t got;

	do {
		got = read(fd, buffer_extend(&contents, piece), piece);
		buffer_shorten(&contents, piece - (got > 0 ? (size_t)got : 0));
		if (got < 0 && errno != EINTR)
			return error_set_errno(err, errno, "cannot read");
		if (contents.length > limit)
			return error_set(err, EFBIG, "larger than %zu bytes", limit);
	} while (got != 0);
	*length = contents.length;
	*data = buffer_steal(&contents);
	return 0;
}
