/* One component after the other, as fs/namei.c does it, but with magic links and /proc/self as the task has them. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/magic.h>
#include <linux/openat2.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/memory.h"
#include "profile/path.h"
#include "tracer/resolve_parts.h"

#define LINK_LIMIT	40
#define PROC_ROOT_INODE 1

struct walk {
	const struct resolver *resolver;
	const struct task *task;
	const struct name *name;
	int root;
	int current;
	char *pending; /* owned: what is still to be walked */
	const char *next;
	int links;
};

static void walk_finish(struct walk *walk)
{
	free(walk->pending);
	if (walk->root >= 0)
		close(walk->root);
	if (walk->current >= 0)
		close(walk->current);
}

#define scoped_walk __attribute__((cleanup(walk_finish))) struct walk

static void move_to(struct walk *walk, int fd)
{
	close(walk->current);
	walk->current = fd;
}

static int start_walk(struct walk *walk)
{
	struct name root = {.directory = AT_FDCWD, .text = "/"};
	bool inside = walk->name->scope & RESOLVE_IN_ROOT;

	walk->current =
		open_start(walk->task, inside ? &(struct name){walk->name->directory, ".", false, 0} : walk->name);
	if (walk->current < 0)
		return walk->current;
	walk->root = inside ? fcntl(walk->current, F_DUPFD_CLOEXEC, 0) : open_start(walk->task, &root);
	if (walk->root < 0)
		return inside ? -EMFILE : walk->root;
	walk->pending = duplicate_bytes(walk->name->text, strlen(walk->name->text));
	walk->next = walk->pending;
	return 0;
}

static bool is_same_directory(int one, int other)
{
	struct stat a, b;

	return fstat(one, &a) == 0 && fstat(other, &b) == 0 && a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

static int go_up(struct walk *walk)
{
	int fd;

	if (is_same_directory(walk->current, walk->root))
		return 0;
	fd = openat(walk->current, "..", O_PATH | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	move_to(walk, fd);
	return 0;
}

static bool is_procfs(int fd)
{
	struct statfs status;

	return fstatfs(fd, &status) == 0 && status.f_type == PROC_SUPER_MAGIC;
}

static bool is_procfs_root(int fd)
{
	struct stat status;

	return fstat(fd, &status) == 0 && status.st_ino == PROC_ROOT_INODE;
}

/* Where the link leads, NULL when it cannot be read. /proc/self tells its reader, which is us. */
static char *read_link(const struct walk *walk, int link, const char *name)
{
	char text[PATH_MAX];
	ssize_t length;

	if (is_procfs(link) && is_procfs_root(walk->current)) {
		if (strcmp(name, "self") == 0)
			return format_text("%d", (int)walk->task->pid);
		if (strcmp(name, "thread-self") == 0)
			return format_text("%d/task/%d", (int)walk->task->pid, (int)walk->task->tid);
	}
	length = readlinkat(link, "", text, sizeof text);
	return length < 0 || length == sizeof text ? NULL : duplicate_bytes(text, (size_t)length);
}

/* A magic link: the kernel knows where it goes. O_PATH does not open what is there. */
static int jump(struct walk *walk, const char *name)
{
	int fd = openat(walk->current, name, O_PATH | O_CLOEXEC);

	if (fd < 0)
		return -errno;
	move_to(walk, fd);
	return 0;
}

static int follow_link(struct walk *walk, int link, const char *name)
{
	scoped_free char *target = NULL;
	char *pending;

	if (++walk->links > LINK_LIMIT)
		return -ELOOP;
	if (is_procfs(link) && !is_procfs_root(walk->current))
		return jump(walk, name);
	target = read_link(walk, link, name);
	if (!target)
		return -errno;
	pending = format_text("%s/%s", target, walk->next);
	free(walk->pending);
	walk->pending = pending;
	walk->next = pending;
	if (target[0] == '/')
		move_to(walk, fcntl(walk->root, F_DUPFD_CLOEXEC, 0));
	return walk->current < 0 ? -EMFILE : 0;
}

/* A part of the name is not there: nor is what comes after it. */
static int end_missing(struct walk *walk, const char *name, struct object *object)
{
	scoped_free char *rest = format_text("/%s/%s", name, walk->next);
	scoped_free char *clean = path_clean(rest);
	int result;

	if (!clean)
		return -ENOENT;
	result = describe_own(walk->resolver, walk->task, walk->current, object);
	if (result)
		return result;
	object->type = OBJECT_NONE;
	if (object->place != PLACE_PATH || object->gone)
		return object->place == PLACE_FOREIGN || object->place == PLACE_PRIVATE ? 0 : -ENOENT;
	describe_beneath(walk->resolver, walk->task, clean + 1, object);
	return 0;
}

/* The last part is a link that is not followed. */
static int end_link(struct walk *walk, int link, const char *name, struct object *object)
{
	struct stat status;
	int result = describe_own(walk->resolver, walk->task, walk->current, object);

	if (result || object->place != PLACE_PATH)
		return result;
	if (fstat(link, &status) != 0)
		return -errno;
	object->gone = false;
	object_take_status(object, &status);
	describe_beneath(walk->resolver, walk->task, name, object);
	return 0;
}

/* Takes the next part off the name; NULL when there is none. */
static char *next_part(struct walk *walk)
{
	size_t length;
	char *part;

	walk->next += strspn(walk->next, "/");
	length = strcspn(walk->next, "/");
	if (!length)
		return NULL;
	part = duplicate_bytes(walk->next, length);
	walk->next += length;
	return part;
}

/* Walks into one part. 1 when it ended the walk, with *object filled; 0 to go on; -errno. */
static int step(struct walk *walk, const char *part, struct object *object)
{
	scoped_fd fd = -1;
	struct stat status;
	int result;

	if (strcmp(part, ".") == 0)
		return 0;
	if (strcmp(part, "..") == 0)
		return go_up(walk);
	fd = openat(walk->current, part, O_PATH | O_NOFOLLOW | O_CLOEXEC);
	if (fd < 0 && errno != ENOENT)
		return -errno;
	if (fd < 0) {
		result = end_missing(walk, part, object);
		return result ? result : 1;
	}
	if (fstat(fd, &status) != 0)
		return -errno;
	if (!S_ISLNK(status.st_mode)) {
		move_to(walk, steal_fd(&fd));
		return 0;
	}
	if (*walk->next || walk->name->follow)
		return follow_link(walk, fd, part);
	result = end_link(walk, fd, part, object);
	return result ? result : 1;
}

int resolve_walk(const struct resolver *resolver, const struct task *task, const struct name *name,
		 struct object *object)
{
	scoped_walk walk = {.resolver = resolver, .task = task, .name = name, .root = -1, .current = -1};
	int result = start_walk(&walk);
	char *part;

	while (!result && (part = next_part(&walk))) {
		result = step(&walk, part, object);
		free(part);
	}
	if (result)
		return result < 0 ? result : 0;
	return describe_own(resolver, task, walk.current, object);
}
