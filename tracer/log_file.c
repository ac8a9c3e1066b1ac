#include "tracer/log_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/atomic_file.h"
#include "base/cleanup.h"
#include "base/memory.h"
#include "profile/trust.h"

#define PROGRAM_MAX 40 /* characters of its name in the log's */

static int create_at(struct log_file *file, int directory, const char *name)
{
	int fd = openat(directory, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_NOCTTY | O_CLOEXEC, 0600);

	if (fd < 0)
		return -errno;
	fchmod(fd, 0600); /* whatever the umask took */
	file->fd = fd;
	file->hash = log_hash_create();
	return 0;
}

int log_file_create(struct log_file *file, const char *name, struct error *err)
{
	const char *advice;
	int result;

	if (strcmp(name, "-") == 0)
		return error_set(err, EINVAL,
				 "-l -: a log is a new file, never standard output: name it (./- if it shall be -)");
	result = create_at(file, AT_FDCWD, name);
	advice = atomic_file_advice(-result);
	if (result == -EEXIST)
		return error_set(err, EEXIST, "the log %s exists already: name another with -l LOG", name);
	if (result < 0)
		return error_set(err, -result, "cannot make the log %s: %s%s%s", name, strerror(-result),
				 advice ? ": " : "", advice ? advice : "");
	file->name = duplicate(name);
	return 0;
}

static void add_program(struct buffer *name, const char *program)
{
	const char *slash = strrchr(program, '/');
	const char *at = slash ? slash + 1 : program;

	for (size_t i = 0; i < PROGRAM_MAX && at[i]; i++) {
		char byte = at[i];

		if (!strchr("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._", byte))
			byte = '_';
		buffer_add_byte(name, byte);
	}
}

/* When, what, and 64 bits that nobody can know beforehand. */
static char *fresh_name(const char *program)
{
	scoped_buffer name = {0};
	time_t now = time(NULL);
	uint64_t random = 0;
	struct tm utc;
	char stamp[32];

	strftime(stamp, sizeof stamp, "%Y%m%dT%H%M%SZ", gmtime_r(&now, &utc));
	while (getrandom(&random, sizeof random, 0) != sizeof random)
		;
	buffer_format(&name, "%s-", stamp);
	add_program(&name, program);
	buffer_format(&name, "-%016llx.jsonl", (unsigned long long)random);
	return buffer_steal(&name);
}

/* A directory in which nobody else can take the log away, or put another in its place. */
static int open_state_directory(char **path, struct error *err)
{
	scoped_fd fd = -1;
	struct stat status;

	if (state_directory(true, path, err) < 0)
		return -err->number;
	fd = open(*path, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (fd < 0 || fstat(fd, &status) < 0)
		return error_set_errno(err, errno, "%s", *path);
	if (status.st_uid != geteuid() || status.st_mode & (S_IWGRP | S_IWOTH))
		return error_set(err, EPERM, "%s: another user can write there", *path);
	return steal_fd(&fd);
}

static int create_in_state(struct log_file *file, const char *name, struct error *err)
{
	scoped_free char *path = NULL;
	scoped_fd directory = open_state_directory(&path, err);
	int result;

	if (directory < 0)
		return directory;
	result = create_at(file, directory, name);
	if (result < 0)
		return error_set_errno(err, -result, "cannot make a log in %s", path);
	file->name = format_text("%s/%s", path, name);
	return 0;
}

int log_file_create_fresh(struct log_file *file, const char *program, const char *beside, struct error *why,
			  struct error *err)
{
	scoped_free char *name = fresh_name(program), *path = NULL;

	if (create_in_state(file, name, why) == 0)
		return 0;
	path = format_text("%s%s", beside, name);
	if (log_file_create(file, path, err) < 0)
		return error_context(err, "%s; and beside the profile (-l LOG names a log, --no-log leaves it out)",
				     why->message);
	return 0;
}

void log_file_add(struct log_file *file, const struct json *record)
{
	if (file->error)
		return;
	json_write(record, false, &file->pending);
	buffer_add_byte(&file->pending, '\n');
}

/* How much of it was written; errno says why not all. */
static size_t write_all(int fd, const char *data, size_t length)
{
	size_t done = 0;

	while (done < length) {
		ssize_t written = write(fd, data + done, length - done);

		if (written > 0)
			done += (size_t)written;
		else if (written == 0 || errno != EINTR)
			break;
	}
	return done;
}

/* Takes back what was written of a line that did not fit. */
static size_t cut_to_lines(struct log_file *file, size_t done)
{
	const char *end = memrchr(file->pending.data, '\n', done);
	size_t whole = end ? (size_t)(end + 1 - file->pending.data) : 0;

	return whole == done || ftruncate(file->fd, (off_t)(file->length + whole)) == 0 ? whole : done;
}

int log_file_flush(struct log_file *file)
{
	size_t done;

	if (file->error || !file->pending.length)
		return -file->error;
	errno = 0;
	done = write_all(file->fd, file->pending.data, file->pending.length);
	if (done < file->pending.length) {
		file->error = errno ? errno : ENOSPC;
		done = cut_to_lines(file, done);
	}
	log_hash_add(file->hash, file->pending.data, done);
	file->length += done;
	buffer_clear(&file->pending);
	return -file->error;
}

int log_file_close(struct log_file *file, char hash[HASH_TEXT_SIZE])
{
	log_file_flush(file);
	log_hash_end(steal_pointer(&file->hash), hash);
	if (fsync(file->fd) < 0 && !file->error)
		file->error = errno;
	if (close(steal_fd(&file->fd)) < 0 && !file->error)
		file->error = errno;
	return -file->error;
}

void log_file_remove(struct log_file *file)
{
	struct stat ours, there;

	if (file->fd >= 0 && fstat(file->fd, &ours) == 0 && lstat(file->name, &there) == 0 &&
	    ours.st_dev == there.st_dev && ours.st_ino == there.st_ino)
		unlink(file->name);
}

void log_file_finish(struct log_file *file)
{
	char hash[HASH_TEXT_SIZE];

	if (file->hash)
		log_hash_end(file->hash, hash);
	if (file->fd >= 0)
		close(file->fd);
	buffer_finish(&file->pending);
	free(file->name);
	*file = LOG_FILE_NONE;
}
