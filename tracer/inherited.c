#include "tracer/inherited.h"

#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buffer.h"
#include "base/cleanup.h"
#include "base/memory.h"

#define NAMED 10 /* in the notice */

char *inherited_name(const char *link)
{
	char text[PATH_MAX];
	ssize_t length = readlink(link, text, sizeof text);

	if (length < 0)
		return duplicate("unknown");
	if (length > 5 && strncmp(text, "pipe:", 5) == 0)
		return duplicate("a pipe");
	if (length > 7 && strncmp(text, "socket:", 7) == 0)
		return duplicate("a socket");
	return duplicate_bytes(text, (size_t)length);
}

static bool is_inherited(int fd)
{
	int flags = fd > STDERR_FILENO ? fcntl(fd, F_GETFD) : -1;

	return flags >= 0 && !(flags & FD_CLOEXEC);
}

static void add(struct buffer *text, struct buffer *closing, int fd)
{
	char link[64];
	scoped_free char *name = NULL;

	snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
	name = inherited_name(link);
	buffer_format(text, "%s%d (%s)", text->length ? ", " : "", fd, name);
	buffer_format(closing, "%s%d>&-", closing->length ? " " : "", fd);
}

/* Other shells than bash know descriptors of one digit, and make an argument of 10 in "10>&-". */
static const char *shell_for(int highest)
{
	return highest < 10 ? "a shell" : "bash";
}

void inherited_tell(const struct trace_observer *observer)
{
	scoped_directory directory = opendir("/proc/self/fd");
	scoped_buffer text = {0}, closing = {0};
	const struct dirent *entry;
	scoped_free char *notice = NULL;
	size_t count = 0;
	int highest = 0;

	while (directory && (entry = readdir(directory))) {
		int fd = atoi(entry->d_name);

		if (!is_inherited(fd) || count++ >= NAMED)
			continue;
		add(&text, &closing, fd);
		if (fd > highest)
			highest = fd;
	}
	if (!count)
		return;
	if (count > NAMED)
		buffer_format(&text, " and %zu more", count - NAMED);
	notice = format_text("the program inherits descriptors that no profile limits: %s; %s leaves them out with %s "
			     "behind the command",
			     buffer_text(&text), shell_for(highest), buffer_text(&closing));
	observer->notice(observer->data, notice);
}
