#include "tracer/proc_lines.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

#include "tracer/proc_name.h"

#define BLOCK 4096 /* the kernel gives a page at once */

int proc_lines_open(struct proc_lines *lines, pid_t pid, const char *entry)
{
	char name[PROC_NAME_SIZE];

	*lines = (struct proc_lines){.fd = open(proc_name(name, pid, entry), O_RDONLY | O_CLOEXEC)};
	return lines->fd < 0 ? -errno : 0;
}

static bool read_more(struct proc_lines *lines)
{
	char *block = buffer_extend(&lines->text, BLOCK);
	ssize_t length = lines->fd < 0 ? -1 : read(lines->fd, block, BLOCK);

	buffer_shorten(&lines->text, length < 0 ? BLOCK : BLOCK - (size_t)length);
	return length > 0;
}

char *proc_lines_next(struct proc_lines *lines)
{
	size_t from = lines->next, seen = from;
	char *end;

	while (!(end = memchr(buffer_text(&lines->text) + seen, '\n', lines->text.length - seen))) {
		seen = lines->text.length;
		if (!read_more(lines))
			return NULL;
	}
	*end = '\0';
	lines->next = (size_t)(end - lines->text.data) + 1;
	return lines->text.data + from;
}

void proc_lines_finish(struct proc_lines *lines)
{
	if (lines->fd >= 0)
		close(lines->fd);
	buffer_finish(&lines->text);
}
