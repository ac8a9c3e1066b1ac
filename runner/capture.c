#include "runner/capture.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>

#define BLOCK 65536

/* Not what a terminal sends to all: the program may write on, and everything it wrote is to arrive. */
static void ignore_signals(void)
{
	static const int signals[] = {SIGINT, SIGQUIT, SIGHUP, SIGTERM, SIGTSTP, SIGTTIN, SIGTTOU, SIGPIPE};

	for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
		signal(signals[i], SIG_IGN);
}

/* False when nobody reads any more. */
static bool write_all(int fd, const char *bytes, size_t length)
{
	while (length) {
		ssize_t written = write(fd, bytes, length);

		if (written < 0 && errno == EINTR)
			continue;
		if (written <= 0)
			return false;
		bytes += written;
		length -= (size_t)written;
	}
	return true;
}

/* A reader that is gone is gone for the program as well. */
static _Noreturn void pass(int from, int to, uint64_t limit, int report)
{
	static char block[BLOCK];
	struct hash *hash = hash_create();
	struct captured captured = {0};
	ssize_t got;

	ignore_signals();
	while ((got = read(from, block, sizeof block)) > 0 || (got < 0 && errno == EINTR)) {
		if (got < 0)
			continue;
		captured.length += (uint64_t)got;
		hash_add(hash, block, (size_t)got);
		if ((to >= 0 && !write_all(to, block, (size_t)got)) || captured.length > limit)
			break;
	}
	hash_end(hash, captured.hash);
	_exit(write_all(report, (const char *)&captured, sizeof captured) ? 0 : 1);
}

static void keep_only(int from, int to, int report)
{
	int top = from > report ? from : report;

	for (int fd = 0; fd <= top; fd++)
		if (fd != from && fd != to && fd != report)
			close(fd);
	close_range((unsigned)top + 1, ~0U, 0);
}

static int start_one(struct capture *capture, int index, const struct captured *like, struct error *err)
{
	int data[2], report[2];
	pid_t child;

	if (pipe2(data, O_CLOEXEC) < 0)
		return error_set_errno(err, errno, "no pipe can be made for the program's output");
	if (pipe2(report, O_CLOEXEC) < 0) {
		close(data[0]);
		close(data[1]);
		return error_set_errno(err, errno, "no pipe can be made for the program's output");
	}
	child = fork();
	if (child == 0) {
		keep_only(data[0], like ? -1 : index + 1, report[1]);
		pass(data[0], like ? -1 : index + 1, like ? like[index].length + BLOCK : UINT64_MAX, report[1]);
	}
	close(data[0]);
	close(report[1]);
	capture->pipe[index] = data[1];
	capture->report[index] = report[0];
	return child < 0 ? error_set_errno(err, errno, "no process can be made for the program's output") : 0;
}

static bool are_one(const struct stat *one, const struct stat *other)
{
	return one->st_dev == other->st_dev && one->st_ino == other->st_ino;
}

int capture_start(struct capture *capture, const struct captured *like, struct error *err)
{
	struct stat status[2];
	int result = 0;

	*capture = CAPTURE_NONE;
	for (int i = 0; i < 2 && result == 0; i++) {
		if (isatty(i + 1) || fstat(i + 1, &status[i]) < 0)
			continue;
		if (i == 1 && capture->pipe[0] >= 0 && are_one(&status[0], &status[1]))
			capture->shared = true;
		else
			result = start_one(capture, i, like, err);
	}
	return result;
}

void capture_take_place(const struct capture *capture)
{
	for (int i = 0; i < 2; i++) {
		int pipe = capture->pipe[i == 1 && capture->shared ? 0 : i];

		if (pipe >= 0)
			dup2(pipe, i + 1);
	}
}

static void close_one(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

void capture_end(struct capture *capture, struct captured captured[2])
{
	for (int i = 0; i < 2; i++) {
		captured[i] = (struct captured){0};
		close_one(&capture->pipe[i]);
		if (capture->report[i] >= 0 &&
		    read(capture->report[i], &captured[i], sizeof captured[i]) != sizeof captured[i])
			captured[i] = (struct captured){0};
		close_one(&capture->report[i]);
	}
}

void capture_finish(struct capture *capture)
{
	for (int i = 0; i < 2; i++) {
		close_one(&capture->pipe[i]);
		close_one(&capture->report[i]);
	}
}

bool capture_is_taken(const struct capture *capture, int index)
{
	return capture->report[index] >= 0 || (index == 1 && capture->shared);
}
