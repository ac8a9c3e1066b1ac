#include "profile/trust.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/atomic_file.h"
#include "base/cleanup.h"
#include "base/escape.h"
#include "base/memory.h"
#include "profile/path.h"

#define LIST_BYTES_MAX (16UL << 20)

/* Makes path and what is missing above it, each for the user alone. */
static int make_directories(const char *path, struct error *err)
{
	scoped_free char *partial = duplicate(path);

	for (char *slash = strchr(partial + 1, '/');; slash = strchr(slash + 1, '/')) {
		if (slash)
			*slash = '\0';
		if (mkdir(partial, 0700) < 0 && errno != EEXIST)
			return error_set(
				err, errno,
				"cannot make the directory %s: %s: set XDG_STATE_HOME to a directory where you "
				"may write",
				partial, strerror(errno));
		if (!slash)
			return 0;
		*slash = '/';
	}
}

/* An XDG variable that is not absolute is to be ignored, says its specification. */
int state_directory(bool make, char **path, struct error *err)
{
	const char *state = getenv("XDG_STATE_HOME"), *home = getenv("HOME");
	scoped_free char *directory = NULL, *clean = NULL;

	if (state && *state == '/')
		directory = format_text("%s/trace-learn", state);
	else if (home && *home == '/')
		directory = format_text("%s/.local/state/trace-learn", home);
	else
		return error_set(
			err, EINVAL,
			"no state directory: neither XDG_STATE_HOME nor HOME is an absolute path: set one of them");
	clean = path_clean(directory);
	if (!clean)
		return error_set(err, EINVAL, "no state directory: %s has a .. part: set XDG_STATE_HOME without",
				 directory);
	if (make && make_directories(clean, err) < 0)
		return -err->number;
	*path = steal_pointer(&clean);
	return 0;
}

/* The line of the list; the caller frees it. NULL with err for what is no hash. */
static char *entry(const char *sha256, const char *path, struct error *err)
{
	scoped_buffer line = {0};

	if (!hash_is_text(sha256)) {
		error_set(err, EINVAL, "not a SHA-256: %s", sha256);
		return NULL;
	}
	buffer_format(&line, "%s ", sha256);
	escape_value(&line, path);
	return buffer_steal(&line);
}

/* Only a list that nobody else can have written says what this user let in. */
static int check_list(int fd, const char *path, struct error *err)
{
	struct stat status;

	if (fstat(fd, &status) < 0)
		return error_set_errno(err, errno, "%s", path);
	if (!S_ISREG(status.st_mode))
		return error_set(err, EINVAL, "%s: not a file", path);
	if (status.st_uid != geteuid() || status.st_mode & (S_IWGRP | S_IWOTH))
		return error_set(err, EPERM, "%s: another user can write it; look at it, then chown and chmod 600 it",
				 path);
	if (status.st_nlink > 1) /* what may be granted is changed by any of its names */
		return error_set(
			err, EPERM,
			"%s: it has %lu names (hard links), and may be changed by each: look at it, then have a "
			"copy take its place (cp -p, mv)",
			path, (unsigned long)status.st_nlink);
	return 0;
}

/* Opens the list, locked; its descriptor, or -errno. */
static int open_list(bool write, struct error *err)
{
	scoped_free char *directory = NULL, *path = NULL;
	int flags = (write ? O_RDWR | O_CREAT | O_APPEND : O_RDONLY) | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC;
	scoped_fd fd = -1;

	if (state_directory(write, &directory, err) < 0)
		return -err->number;
	path = format_text("%s/trusted", directory);
	fd = open(path, flags, 0600);
	if (fd < 0)
		return error_set_errno(err, errno, "%s", path);
	if (check_list(fd, path, err) < 0)
		return -err->number;
	while (flock(fd, write ? LOCK_EX : LOCK_SH) < 0)
		if (errno != EINTR)
			return error_set_errno(err, errno, "%s: cannot lock", path);
	return steal_fd(&fd);
}

static bool has_line(const char *text, const char *line)
{
	size_t length = strlen(line);

	for (const char *at = strstr(text, line); at; at = strstr(at + 1, line))
		if ((at == text || at[-1] == '\n') && at[length] == '\n')
			return true;
	return false;
}

static int append_line(int fd, const char *text, size_t length, const char *entry_line, struct error *err)
{
	/* a line that was cut off (a full disk) must not swallow this one */
	const char *start = length && text[length - 1] != '\n' ? "\n" : "";
	scoped_free char *line = format_text("%s%s\n", start, entry_line);
	ssize_t written = write(fd, line, strlen(line));

	if (written >= 0 && written < (ssize_t)strlen(line))
		return error_set_errno(err, ENOSPC, "cannot write the list of trusted files");
	if (written < 0 || fsync(fd) < 0)
		return error_set_errno(err, errno, "cannot write the list of trusted files");
	return 0;
}

int trust_add(const char *sha256, const char *path, struct error *err)
{
	scoped_fd fd = -1;
	scoped_free char *line = entry(sha256, path, err), *text = NULL;
	size_t length;

	if (!line)
		return -err->number;
	fd = open_list(true, err);
	if (fd < 0)
		return -err->number;
	if (read_file(fd, LIST_BYTES_MAX, &text, &length, err) < 0)
		return error_context(err, "list of trusted files");
	return has_line(text, line) ? 0 : append_line(fd, text, length, line, err);
}

int trust_has(const char *sha256, const char *path, struct error *err)
{
	scoped_fd fd = -1;
	scoped_free char *line = entry(sha256, path, err), *text = NULL;
	size_t length;

	if (!line)
		return -err->number;
	fd = open_list(false, err);
	if (fd == -ENOENT) {
		error_finish(err);
		return 0;
	}
	if (fd < 0)
		return -err->number;
	if (read_file(fd, LIST_BYTES_MAX, &text, &length, err) < 0)
		return error_context(err, "list of trusted files");
	return has_line(text, line);
}

bool trust_is_writable(const struct profile *profile, const char *path, const struct grant **grant)
{
	for (size_t i = 0; i < profile->grant_count; i++) {
		const struct grant *candidate = &profile->grants[i];
		rights_t rights = candidate->rights;

		if (!grant_is_enforced(candidate) || !path_is_beneath(path, candidate->path))
			continue;
		if (!(rights & RIGHTS_ON_CONTENTS) &&
		    !(rights & RIGHTS_ON_NAMES && path_is_strictly_beneath(path, candidate->path)))
			continue;
		if (grant)
			*grant = candidate;
		return true;
	}
	return false;
}
