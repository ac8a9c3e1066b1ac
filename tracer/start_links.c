#include "tracer/start_links.h"

#include <fcntl.h>
#include <stdbool.h>
#include <sys/resource.h>
#include <unistd.h>

#include "tracer/proc_name.h"

#define STREAK 8 /* questions about one link: opening and closing it take as long as six of them save */

static const char *name_of(char name[PROC_NAME_SIZE], pid_t tid, int descriptor)
{
	return descriptor == AT_FDCWD ? proc_name(name, tid, "cwd") : proc_name_fd(name, tid, descriptor);
}

static void drop(struct start_link *link)
{
	if (link->fd)
		close(link->fd);
	*link = (struct start_link){0};
}

/* Where descriptors are few, they are for other things. */
static bool is_spare(int fd)
{
	struct rlimit limit;

	return fd > 0 && getrlimit(RLIMIT_NOFILE, &limit) == 0 && (rlim_t)fd < limit.rlim_cur / 4;
}

static void keep(struct start_link *link)
{
	char name[PROC_NAME_SIZE];
	int fd = open(name_of(name, link->tid, link->descriptor), O_PATH | O_NOFOLLOW | O_CLOEXEC);

	if (is_spare(fd))
		link->fd = fd;
	else if (fd >= 0)
		close(fd);
}

static struct start_link *ask(struct start_links *links, pid_t tid, int descriptor)
{
	struct start_link *link = &links->links[((unsigned)tid + (unsigned)descriptor) % START_LINKS];

	if (link->tid != tid || link->descriptor != descriptor) {
		drop(link);
		link->tid = tid;
		link->descriptor = descriptor;
	}
	if (++link->asked == STREAK)
		keep(link);
	return link;
}

ssize_t start_links_read(struct start_links *links, pid_t tid, int descriptor, char *text, size_t size)
{
	const struct start_link *link = ask(links, tid, descriptor);
	ssize_t length = link->fd ? readlinkat(link->fd, "", text, size) : -1;
	char name[PROC_NAME_SIZE];

	return length < 0 ? readlink(name_of(name, tid, descriptor), text, size) : length;
}

void start_links_forget(struct start_links *links, pid_t tid)
{
	for (struct start_link *link = links->links; link < links->links + START_LINKS; link++)
		if (link->tid == tid)
			drop(link);
}

void start_links_finish(struct start_links *links)
{
	for (struct start_link *link = links->links; link < links->links + START_LINKS; link++)
		drop(link);
}
