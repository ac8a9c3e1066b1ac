#include "tracer/resolve.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/openat2.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/memory.h"
#include "profile/path.h"
#include "tracer/resolve_parts.h"

void resolver_root_changed(struct resolver *resolver)
{
	resolver->roots_differ = true;
}

void resolver_mounts_differ(struct resolver *resolver)
{
	resolver->mounts_differ = true;
}

bool sees_as_we_do(const struct resolver *resolver, const struct task *task)
{
	return !resolver->roots_differ || resolver_is_ours(resolver, task);
}

bool resolver_is_ours(const struct resolver *resolver, const struct task *task)
{
	char link[PROC_NAME_SIZE];
	struct stat status;

	if (stat(proc_name(link, task->tid, "ns/mnt"), &status) != 0 || status.st_ino != resolver->mounts_inode)
		return false;
	return stat(proc_name(link, task->tid, "root"), &status) == 0 && status.st_dev == resolver->root_device &&
	       status.st_ino == resolver->root_inode;
}

int resolve_descriptor(const struct resolver *resolver, const struct task *task, int fd, struct object *object)
{
	return describe_descriptor(resolver, task, fd, object);
}

int resolve_link(const struct resolver *resolver, const struct task *task, const char *entry, struct object *object)
{
	char link[PROC_NAME_SIZE];

	return describe_link(resolver, task, proc_name(link, task->tid, entry), object);
}

void start_link(const struct task *task, const struct name *name, char link[PROC_NAME_SIZE])
{
	if (name->text[0] == '/')
		proc_name(link, task->tid, "root");
	else if (name->directory == AT_FDCWD)
		proc_name(link, task->tid, "cwd");
	else
		proc_name_fd(link, task->tid, name->directory);
}

int open_start(const struct task *task, const struct name *name)
{
	char link[PROC_NAME_SIZE];
	int fd;

	start_link(task, name, link);
	fd = open(link, O_PATH | O_CLOEXEC);
	return fd < 0 ? -errno : fd;
}

/* Opens the name the short way: magic links, and /proc/self, lead to an error or to PLACE_FOREIGN, and then the walk
 * decides. */
static int open_plainly(const struct task *task, const struct name *name, const char *text, int flags)
{
	struct open_how how = {.flags = (unsigned)(flags | O_PATH | O_CLOEXEC), .resolve = RESOLVE_NO_MAGICLINKS};
	scoped_fd start = AT_FDCWD;
	int fd;

	if (text[0] != '/') {
		start = open_start(task, name);
		if (start < 0)
			return start;
	}
	fd = (int)syscall(SYS_openat2, start, text, &how, sizeof how);
	return fd < 0 ? -errno : fd;
}

static int describe_plainly(const struct resolver *resolver, const struct task *task, const struct name *name,
			    struct object *object)
{
	scoped_fd fd = open_plainly(task, name, name->text, name->follow ? 0 : O_NOFOLLOW);

	return fd < 0 ? fd : describe_own(resolver, task, fd, object);
}

/*
 * The shortest way: a clean absolute name with no link on it is canonical itself, and what it leads to, or that there
 * is nothing, is one question. Nothing is found by it but by our own root, so it is never on a mount of others. -ELOOP
 * when that is not enough: there is a link, or an error that another way has to tell of. *follows: all that it takes is
 * to follow the one at the end.
 */
static int resolve_straight(const struct resolver *resolver, const struct task *task, const struct name *name,
			    bool *follows, struct object *object)
{
	struct open_how how = {.flags = O_PATH | O_CLOEXEC | O_NOFOLLOW, .resolve = RESOLVE_NO_SYMLINKS};
	struct stat status = {0};
	scoped_fd fd = -1;

	if (!path_is_clean(name->text))
		return -ELOOP;
	fd = (int)syscall(SYS_openat2, AT_FDCWD, name->text, &how, sizeof how);
	if (fd < 0 ? errno != ENOENT : fstat(fd, &status) != 0)
		return -ELOOP;
	*follows = name->follow && S_ISLNK(status.st_mode);
	if (*follows)
		return -ELOOP;
	object_take_status(object, &status);
	take_path(resolver, task, name->text, object);
	return 0;
}

/* The directory that the last part of the name stands in, and the status of what it has there: type 0 for nothing. */
static int describe_parent(const struct resolver *resolver, const struct task *task, const struct name *name,
			   size_t parent, const char *last, struct object *object, struct stat *status)
{
	scoped_free char *text = duplicate_bytes(name->text, parent);
	scoped_fd directory = open_plainly(task, name, text, O_DIRECTORY);
	int result = directory < 0 ? directory : describe_own(resolver, task, directory, object);

	if (!result && fstatat(directory, last, status, AT_SYMLINK_NOFOLLOW) != 0)
		status->st_mode = 0;
	return result;
}

/* The same for a name of one part: the directory need not be opened. */
static int describe_start(const struct resolver *resolver, const struct task *task, const struct name *name,
			  const char *last, struct object *object, struct stat *status)
{
	scoped_free char *path = NULL;
	char link[PROC_NAME_SIZE];
	int result;

	start_link(task, name, link);
	path = format_text("%s/%s", link, last);
	result = describe_link(resolver, task, link, object);
	if (!result && lstat(path, status) != 0)
		status->st_mode = 0;
	return result;
}

/* parent: length of the name's beginning that names the directory; `last` is looked for in it. */
static int describe_directory(const struct resolver *resolver, const struct task *task, const struct name *name,
			      size_t parent, const char *last, struct object *object, struct stat *status)
{
	return parent ? describe_parent(resolver, task, name, parent, last, object, status)
		      : describe_start(resolver, task, name, last, object, status);
}

/*
 * The short way for a name whose last part is taken literally, or is not there. 0; -ELOOP when that is not enough:
 * there is a link at the end, and it is to be followed.
 */
static int resolve_last(const struct resolver *resolver, const struct task *task, const struct name *name,
			size_t parent, const char *last, struct object *object)
{
	struct stat status = {0};
	int result = describe_directory(resolver, task, name, parent, last, object, &status);

	if (result)
		return result;
	if (object->place != PLACE_PATH || (name->follow && S_ISLNK(status.st_mode)))
		return -ELOOP;
	if (!status.st_mode && object->gone)
		return -ENOENT; /* nothing can come to be in a deleted directory */
	object_take_status(object, &status);
	object->gone = false;
	describe_beneath(resolver, task, last, object);
	return 0;
}

/* The length of text's first bytes without slashes at their end and the part before them. */
static size_t without_part(const char *text, size_t length)
{
	while (length && text[length - 1] == '/')
		length--;
	while (length && text[length - 1] != '/')
		length--;
	return length;
}

/*
 * The short way where the directory is missing too: from the end on, one that is there is looked for, and then the part
 * behind it must be missing (it may be a link that leads to nothing). -ENOENT when the walk has to tell.
 */
static int resolve_missing(const struct resolver *resolver, const struct task *task, const struct name *name,
			   size_t parent, struct object *object)
{
	struct stat status = {0};
	int result = -ENOENT;

	while (result == -ENOENT && parent > 1) {
		scoped_free char *part = NULL, *rest = NULL, *clean = NULL;

		parent = without_part(name->text, parent);
		part = duplicate_bytes(name->text + parent, strcspn(name->text + parent, "/"));
		result = describe_directory(resolver, task, name, parent, part, object, &status);
		if (result)
			continue;
		rest = format_text("/%s", name->text + parent);
		clean = path_clean(rest);
		if (!clean || status.st_mode || object->place != PLACE_PATH || object->gone)
			return -ENOENT;
		object->type = OBJECT_NONE;
		describe_beneath(resolver, task, clean + 1, object);
	}
	return result;
}

/* The name without slashes at the end, split before its last part. */
struct split {
	char *text;
	size_t parent;
	const char *last;
	bool special;
	bool slash;
};

static void split_name(const char *text, struct split *split)
{
	size_t length = strlen(text);
	const char *slash;

	split->slash = length && text[length - 1] == '/';
	while (length && text[length - 1] == '/')
		length--;
	split->text = duplicate_bytes(text, length);
	slash = strrchr(split->text, '/');
	split->last = slash ? slash + 1 : split->text;
	split->parent = (size_t)(split->last - split->text);
	split->special = !*split->last || strcmp(split->last, ".") == 0 || strcmp(split->last, "..") == 0;
}

/* What is at the end is mostly no link, so its directory is looked at first: that also tells where it would be. */
static int resolve_short(const struct resolver *resolver, const struct task *task, const struct name *name,
			 const struct split *split, struct object *object)
{
	struct name literal = *name;
	bool follows = split->special;
	int result = -ELOOP;

	literal.text = split->text;
	if (!follows && resolve_straight(resolver, task, &literal, &follows, object) == 0)
		return 0;
	if (!follows)
		result = resolve_last(resolver, task, &literal, split->parent, split->last, object);
	if (result == -ENOENT && !split->special) {
		object_finish(object);
		result = resolve_missing(resolver, task, &literal, split->parent, object);
	}
	if (result == -ELOOP && (name->follow || split->special)) {
		object_finish(object);
		result = describe_plainly(resolver, task, name, object);
	}
	return result;
}

static int resolve_any(const struct resolver *resolver, const struct task *task, const struct name *name,
		       const struct split *split, struct object *object)
{
	struct name literal = *name;

	if (!name->scope && sees_as_we_do(resolver, task)) {
		int result = resolve_short(resolver, task, name, split, object);

		if (!result && object->place != PLACE_FOREIGN)
			return 0;
		object_finish(object);
	}
	if (!name->follow && !split->special)
		literal.text = split->text;
	return resolve_walk(resolver, task, &literal, object);
}

int resolve_name(const struct resolver *resolver, const struct task *task, const struct name *name,
		 struct object *object)
{
	struct split split;
	int result;

	*object = (struct object){0};
	if (!*name->text)
		return -ENOENT;
	split_name(name->text, &split);
	result = resolve_any(resolver, task, name, &split, object);
	if (result)
		object_finish(object);
	object->special = split.special;
	object->slash = split.slash;
	free(split.text);
	return result;
}
