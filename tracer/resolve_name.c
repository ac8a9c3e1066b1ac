/* How an object that the kernel led us to is written. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/digits.h"
#include "base/memory.h"
#include "profile/path.h"
#include "profile/proc_path.h"
#include "tracer/resolve_parts.h"

static const char deleted_suffix[] = " (deleted)";

void object_finish(struct object *object)
{
	free(object->path);
	free(object->inside);
	*object = (struct object){0};
}

bool object_is_same(const struct object *one, const struct object *other)
{
	return one->type != OBJECT_NONE && other->type != OBJECT_NONE && one->device == other->device &&
	       one->inode == other->inode;
}

void object_take_status(struct object *object, const struct stat *status)
{
	object->type = object_type_of_mode(status->st_mode);
	object->mode = status->st_mode;
	object->owner = status->st_uid;
	object->device = status->st_dev;
	object->inode = status->st_ino;
	object->links = status->st_nlink;
	object->changed = status->st_ctim;
}

static bool ends_in(const char *text, size_t length, const char *suffix)
{
	size_t suffix_length = strlen(suffix);

	return length > suffix_length && strcmp(text + length - suffix_length, suffix) == 0;
}

/* The kernel adds a suffix to the name of what was deleted; but a file may really be called so. */
static void strip_deleted(char *text, size_t length, struct object *object)
{
	struct stat status;

	if (!length || text[length - 1] != ')' || !ends_in(text, length, deleted_suffix))
		return;
	if (lstat(text, &status) == 0 && status.st_dev == object->device && status.st_ino == object->inode)
		return;
	object->gone = true;
	text[length - strlen(deleted_suffix)] = '\0';
}

/* Files of the kernel's own mounts have names that look like paths. The text begins with a slash. */
static bool is_kernels_name(const char *text)
{
	static const char *const prefixes[] = {"/memfd:", "/secretmem", "/dmabuf:", "/SYSV", "/anon_hugepage"};

	for (size_t i = 0; i < ARRAY_LENGTH(prefixes); i++)
		if (text[1] == prefixes[i][1] && strncmp(text, prefixes[i], strlen(prefixes[i])) == 0)
			return true;
	return false;
}

static bool is_nameless(const struct resolver *resolver, const char *text, const struct object *object)
{
	return text[0] != '/' || (object->device != resolver->root_device && is_kernels_name(text));
}

bool is_odd_name(const char *text, size_t length)
{
	return text[0] != '/' || is_kernels_name(text) || ends_in(text, length, deleted_suffix);
}

/* The kernel finds a thread under its own id too, though it does not list it: that is of its process. */
static enum proc_owner owner_on(const char *text, const char *mount, const struct task *task, struct object *object,
				char **own)
{
	enum proc_owner owner = proc_path_owner(text, mount, task->pid, own, &object->widened);
	pid_t thread = owner == PROC_FOREIGN ? proc_path_id(text, mount) : 0;

	if (thread && (tgkill(task->pid, thread, 0) == 0 || errno == EPERM))
		return proc_path_owner(text, mount, thread, own, &object->widened);
	return owner;
}

void take_path(const struct resolver *resolver, const struct task *task, const char *text, struct object *object)
{
	enum proc_owner owner = PROC_COMMON;
	char *own = NULL;
	size_t i;

	for (i = 0; i < resolver->proc_count && owner == PROC_COMMON; i++)
		owner = owner_on(text, resolver->proc_mounts[i], task, object, &own);
	object->own = owner == PROC_OWN;
	object->processors = owner != PROC_COMMON && ends_in(text, strlen(text), "/status");
	if (owner == PROC_FOREIGN) {
		object->place = PLACE_FOREIGN;
		object->inside = duplicate(text);
		return;
	}
	object->place = PLACE_PATH;
	object->path = own ? own : duplicate(text);
}

/*
 * The name that the kernel writes is one within a mount namespace, and not always ours: that of an inherited directory,
 * of a task that has entered another, of what is mounted nowhere. What lies on a mount that is not ours by its id is
 * looked for under that name, since a copy of our namespace has the same names on other mounts.
 */
static bool is_private(const struct resolver *resolver, const char *text, const struct object *object, uint64_t mount)
{
	scoped_free char *parent = NULL;
	struct stat found;

	if (!mount || is_our_mount(resolver, mount))
		return false;
	if (!object->gone)
		return lstat(text, &found) != 0 || found.st_dev != object->device || found.st_ino != object->inode;
	parent = path_parent(text);
	return !parent || lstat(parent, &found) != 0 || found.st_dev != object->device;
}

/* A magic link. */
struct magic {
	const char *name;
	int fd;	       /* ours on the object that it leads to, or -1 */
	int directory; /* AT_FDCWD, or ours on the directory that it is in: then it is no more than a try */
};

static ssize_t read_magic(const struct magic *magic, char *text, size_t size)
{
	return readlinkat(magic->directory, magic->name, text, size);
}

static int ask(const struct magic *magic, struct statx *facts)
{
	const unsigned wanted = STATX_BASIC_STATS | STATX_MNT_ID;

	if (magic->fd >= 0)
		return statx(magic->fd, "", AT_EMPTY_PATH, wanted, facts);
	return statx(magic->directory, magic->name, 0, wanted, facts);
}

/* What the link leads to, and the id of its mount; 0 where the kernel (before 5.8) or a container does not tell. */
static int take_followed(struct object *object, const struct magic *magic, uint64_t *mount)
{
	struct statx facts;
	struct stat status;

	if (ask(magic, &facts) != 0) {
		if (fstatat(magic->directory, magic->name, &status, 0) != 0)
			return -1;
		object_take_status(object, &status);
		return 0;
	}
	object->type = object_type_of_mode(facts.stx_mode);
	object->mode = facts.stx_mode;
	object->owner = facts.stx_uid;
	object->device = makedev(facts.stx_dev_major, facts.stx_dev_minor);
	object->inode = facts.stx_ino;
	object->links = facts.stx_nlink;
	object->changed = (struct timespec){facts.stx_ctime.tv_sec, facts.stx_ctime.tv_nsec};
	*mount = facts.stx_mask & STATX_MNT_ID ? facts.stx_mnt_id : 0;
	return 0;
}

/* The kernel has no room for the path: what is there is known all the same, and a directory can be found from above. */
static int describe_beyond(const struct resolver *resolver, const struct task *task, const struct magic *magic,
			   struct object *object)
{
	struct object what = {0};
	uint64_t mount;
	int result;

	if (take_followed(&what, magic, &mount) != 0)
		return -errno;
	result = what.type == OBJECT_DIRECTORY ? describe_deep(resolver, task, magic->name, object) : -ENAMETOOLONG;
	if (result)
		object_finish(object);
	what.place = object->place;
	what.path = object->path;
	what.inside = object->inside;
	*object = what;
	return result;
}

/* What the link says; `length` as readlink(2) gave it. */
static int describe_text(const struct resolver *resolver, const struct task *task, const struct magic *magic,
			 char *text, ssize_t length, struct object *object)
{
	uint64_t mount = 0;

	*object = (struct object){0};
	if (length < 0 && errno == ENAMETOOLONG && magic->directory == AT_FDCWD)
		return describe_beyond(resolver, task, magic, object);
	if (length < 0 || take_followed(object, magic, &mount) != 0)
		return -errno;
	text[length] = '\0';
	strip_deleted(text, (size_t)length, object);
	if (is_nameless(resolver, text, object)) {
		object->place = PLACE_NOWHERE;
	} else if (is_private(resolver, text, object, mount)) {
		object->place = PLACE_PRIVATE;
		object->inside = duplicate(text);
	} else {
		take_path(resolver, task, text, object);
	}
	return 0;
}

static int describe_long(const struct resolver *resolver, const struct task *task, const struct magic *magic,
			 struct object *object)
{
	char text[PATH_MAX + sizeof deleted_suffix];
	ssize_t length = read_magic(magic, text, sizeof text - 1);

	return describe_text(resolver, task, magic, text, length, object);
}

/* Most paths are short, and each array that is declared is cleared (the compiler sees to that). */
static int describe(const struct resolver *resolver, const struct task *task, const struct magic *magic,
		    struct object *object)
{
	char text[256];
	ssize_t length = read_magic(magic, text, sizeof text - 1);

	if (length == sizeof text - 1)
		return describe_long(resolver, task, magic, object);
	return describe_text(resolver, task, magic, text, length, object);
}

int describe_link(const struct resolver *resolver, const struct task *task, const char *link, struct object *object)
{
	return describe(resolver, task, &(struct magic){.name = link, .fd = -1, .directory = AT_FDCWD}, object);
}

int describe_descriptor(const struct resolver *resolver, const struct task *task, int fd, struct object *object)
{
	char link[PROC_NAME_SIZE], digits[DIGITS_SIZE];
	struct magic magic = {.fd = -1, .directory = fd_directory_of(resolver->descriptors, task->tid)};

	if (magic.directory >= 0) {
		magic.name = digits_of(digits, fd);
		if (describe(resolver, task, &magic, object) == 0)
			return 0;
		object_finish(object);
	}
	return describe_link(resolver, task, proc_name_fd(link, task->tid, fd), object);
}

int resolve_known(const struct resolver *resolver, const struct task *task, const char *path, ino_t inode,
		  struct object *object)
{
	scoped_free char *text = duplicate(path);
	struct stat status;

	*object = (struct object){0};
	if (stat_deep(text, &status) == 0)
		object_take_status(object, &status);
	strip_deleted(text, strlen(text), object);
	if (is_nameless(resolver, text, object)) {
		object->place = PLACE_NOWHERE;
	} else if (!object->gone &&
		   (object->type == OBJECT_NONE || (object->inode != inode && !sees_as_we_do(resolver, task)))) {
		object->place = PLACE_PRIVATE;
		object->inside = duplicate(text);
	} else {
		take_path(resolver, task, text, object);
	}
	return 0;
}

int describe_own(const struct resolver *resolver, const struct task *task, int fd, struct object *object)
{
	char link[PROC_NAME_SIZE];

	return describe(resolver, task,
			&(struct magic){.name = proc_name_own_fd(link, fd), .fd = fd, .directory = AT_FDCWD}, object);
}

void describe_beneath(const struct resolver *resolver, const struct task *task, const char *rest, struct object *object)
{
	scoped_free char *directory = steal_pointer(&object->path);
	scoped_free char *path = NULL;

	if (object->widened) {
		object->path = steal_pointer(&directory);
		return;
	}
	path = format_text("%s/%s", strcmp(directory, "/") == 0 ? "" : directory, rest);
	take_path(resolver, task, path, object);
}
