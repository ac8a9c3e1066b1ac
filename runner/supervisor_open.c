#include "runner/supervisor_open.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <linux/openat2.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/digits.h"
#include "base/memory.h"
#include "profile/path.h"
#include "profile/proc_path.h"
#include "profile/way.h"
#include "runner/open_beneath.h"
#include "runner/supervisor_namespace.h"
#include "runner/supervisor_socket.h"

#define PROC		"/proc"
#define PROC_ROOT_INODE 1

/* What of an open's flags reaches the opened file. The rest is said when the descriptor is put in place, or is not
 * ours. */
#define OPEN_FLAGS (O_ACCMODE | O_APPEND | O_NONBLOCK | O_SYNC | O_ASYNC | O_DIRECT | O_NOATIME | O_DIRECTORY | O_TRUNC)

struct caller {
	const struct open_call *call;
	pid_t pid;
	struct credentials credentials;
	int namespace_fd; /* of users, where that is not ours; -ENOENT where it is, else another -errno */
};

static bool is_procfs(int fd)
{
	struct statfs status;

	return fstatfs(fd, &status) == 0 && status.f_type == PROC_SUPER_MAGIC;
}

static bool is_same(const struct stat *one, const struct stat *other)
{
	return one->st_dev == other->st_dev && one->st_ino == other->st_ino;
}

int opener_init(struct opener *opener, const struct reach *reach, rights_t handled, struct error *err)
{
	char self[16] = "";

	*opener = (struct opener){.reach = reach, .handled = handled, .listener = -1, .ends = {-1, -1}};
	opener->proc_fd = way_open(AT_FDCWD, PROC, O_DIRECTORY, 0);
	if (opener->proc_fd < 0)
		return way_error(err, -opener->proc_fd, PROC);
	if (fstat(opener->proc_fd, &opener->proc) < 0 || stat("/", &opener->root) < 0 ||
	    fstatat(opener->proc_fd, "self/ns/mnt", &opener->mounts, 0) < 0 ||
	    fstatat(opener->proc_fd, "self/ns/user", &opener->users, 0) < 0 || credentials_own(&opener->own) < 0)
		return error_set_errno(err, errno, "our own place cannot be found in %s", PROC);
	if (supervisor_socket(opener->ends, err) < 0)
		return -err->number;
	if (!is_procfs(opener->proc_fd) || readlinkat(opener->proc_fd, "self", self, sizeof self - 1) < 0 ||
	    strtol(self, NULL, 10) != getpid())
		return error_set(err, ENOTSUP,
				 "%s is not that of this process's namespace, so its lines cannot be served", PROC);
	return 0;
}

void opener_finish(struct opener *opener)
{
	if (opener->proc_fd >= 0)
		close(opener->proc_fd);
	if (opener->listener >= 0)
		close(opener->listener);
	for (size_t i = 0; i < 2; i++)
		if (opener->ends[i] >= 0)
			close(opener->ends[i]);
}

/* Returns its end. */
static char *put_number(char *to, int number)
{
	char digits[DIGITS_SIZE];

	return stpcpy(to, digits_of(digits, number));
}

#define START_SIZE 64

/* Where the name starts, as a name below /proc, "" for the root; returns its end. It takes less than START_SIZE. */
static char *write_start(const struct open_call *call, char *text)
{
	*text = '\0';
	if (*call->path == '/')
		return text;
	text = put_number(text, (int)call->tid);
	if (call->directory == AT_FDCWD)
		return stpcpy(text, "/cwd");
	return put_number(stpcpy(text, "/fd/"), call->directory);
}

/* Cuts the last part off, down to `least` bytes; false when nothing is left to cut. */
static bool cut_part(char *text, size_t least)
{
	size_t length = strlen(text);

	while (length > least && text[length - 1] == '/')
		length--;
	while (length > least && text[length - 1] != '/')
		length--;
	text[length] = '\0';
	return length > least;
}

/* Whether the name leads into our procfs, in one call that no other file system is asked in: 1, 0 or -errno. */
static int leads_into_proc(const struct opener *opener, const char *name, int flags)
{
	struct statx status;

	if (statx(opener->proc_fd, name, flags | AT_NO_AUTOMOUNT | AT_STATX_DONT_SYNC, 0, &status) < 0)
		return -errno;
	return makedev(status.stx_dev_major, status.stx_dev_minor) == opener->proc.st_dev;
}

/*
 * The first look, at each open of the program: does it lead into a procfs? Here alone do we stand in for the caller,
 * and our /proc/self for its own; what is not there for us (a thread of the caller's) is looked for where it would be.
 */
static bool may_be_own(const struct opener *opener, const struct open_call *call)
{
	UNCLEARED char text[START_SIZE + PATH_MAX];
	int flags = call->flags & O_NOFOLLOW ? AT_SYMLINK_NOFOLLOW : 0;
	char *end = write_start(call, text);
	size_t start = (size_t)(end - text);
	int result;

	memcpy(start ? stpcpy(end, "/") : end, call->path, strlen(call->path) + 1);
	do {
		result = leads_into_proc(opener, text, flags);
		flags = 0;
	} while ((result == -ENOENT || result == -ENOTDIR || result == -EACCES) && cut_part(text, start));
	return result > 0;
}

/* Whether names mean to it what they mean to us; -EPERM when it does not let us look. */
static int has_our_names(const struct opener *opener, pid_t tid)
{
	char root[32], mounts[32];
	struct stat status;

	snprintf(root, sizeof root, "%d/root", (int)tid);
	snprintf(mounts, sizeof mounts, "%d/ns/mnt", (int)tid);
	if (fstatat(opener->proc_fd, root, &status, 0) < 0)
		return errno == EACCES ? -EPERM : -errno;
	if (!is_same(&status, &opener->root))
		return -EXDEV;
	if (fstatat(opener->proc_fd, mounts, &status, 0) < 0)
		return errno == EACCES ? -EPERM : -errno;
	return is_same(&status, &opener->mounts) ? 0 : -EXDEV;
}

/* Links in the root of a procfs are texts, and self is the caller; beneath, they are magic. */
static int follow(void *data, const struct way_link *link, char **instead, struct error *err)
{
	const struct caller *caller = data;
	struct stat status;

	if (caller->call->resolve & RESOLVE_NO_SYMLINKS)
		return error_set(err, ELOOP, "%s is a symbolic link", link->name);
	if (!is_procfs(link->directory_fd))
		return 0;
	if (fstat(link->directory_fd, &status) < 0 || status.st_ino != PROC_ROOT_INODE)
		return error_set(err, ELOOP, "%s is a link below a process", link->name);
	if (strcmp(link->name, "self") == 0)
		*instead = format_text("%d", (int)caller->pid);
	else if (strcmp(link->name, "thread-self") == 0)
		*instead = format_text("%d/task/%d", (int)caller->pid, (int)caller->call->tid);
	return 0;
}

/* Finds what the name leads to for the caller, with an O_PATH descriptor. */
static int find(const struct opener *opener, struct caller *caller)
{
	struct way way = {
		.fd = -1,
		.follow = follow,
		.data = caller,
		.literal = caller->call->flags & O_NOFOLLOW,
	};
	scoped_error err = {0};
	char start[START_SIZE];
	int result = 0;

	write_start(caller->call, start);
	if (*start) {
		way.fd = way_open(opener->proc_fd, start, 0, 0);
		result = way.fd < 0 ? way.fd : 0;
	}
	if (!result)
		result = way_go(&way, caller->call->path, &err);
	if (!result)
		result = steal_fd(&way.fd);
	way_finish(&way);
	return result;
}

/* The canonical name of what an O_PATH descriptor of ours is on. */
static int name_of(const struct opener *opener, int fd, char *name, size_t size)
{
	char link[32];
	ssize_t length;

	snprintf(link, sizeof link, "self/fd/%d", fd);
	length = readlinkat(opener->proc_fd, link, name, size - 1);
	if (length < 0)
		return -errno;
	name[length] = '\0';
	return 0;
}

/*
 * The profile's rights on one of the caller's own entries, by its own id or a thread's. A line on /proc/self/maps is
 * also for each thread's maps, and one on /proc/self/task for all that lies there.
 */
static rights_t granted_rights(const struct opener *opener, const char *name)
{
	pid_t id = proc_path_id(name, PROC);
	scoped_free char *literal = NULL;
	scoped_free char *own = NULL;
	bool widened;

	if (proc_path_owner(name, PROC, id, &own, &widened) != PROC_OWN)
		return 0;
	literal = format_text(PROC "/self%s", name + strlen(PROC "/") + strcspn(name + strlen(PROC "/"), "/"));
	return reach_rights_by_name(opener->reach, own) | reach_rights_by_name(opener->reach, literal);
}

static bool is_granted(const struct opener *opener, const struct caller *caller, int fd, const char *name)
{
	struct stat status;
	rights_t asked;

	if (fstat(fd, &status) < 0 || status.st_dev != opener->proc.st_dev)
		return false;
	asked = open_call_rights(caller->call, status.st_mode) & opener->handled;
	return asked && !(asked & ~granted_rights(opener, name));
}

static bool is_waiting(const struct opener *opener, uint64_t id)
{
	return ioctl(opener->listener, SECCOMP_IOCTL_NOTIF_ID_VALID, &id) == 0;
}

int opener_drop_caps(struct opener *opener, struct error *err)
{
	int result = credentials_keep(&opener->own, CREDENTIALS_TO_LOOK);

	return result < 0 ? error_set_errno(err, -result, "the supervisor's capabilities cannot be dropped") : 0;
}

/*
 * As the caller, which may have dropped root's rights, or some. Where its namespace of users cannot be entered, ids are
 * told as they are in ours.
 */
static int open_as(const struct opener *opener, const struct caller *caller, int directory_fd, const char *name,
		   uint64_t flags)
{
	uint64_t on_oneself = credentials_on_oneself(name);
	struct credentials credentials = caller->credentials;
	int fd = -1, result;

	if (caller->namespace_fd != -ENOENT)
		credentials.effective = 0; /* they count there */
	result = credentials_take(&opener->own, &credentials, on_oneself);
	if (result == 0 && caller->namespace_fd >= 0 && namespace_counts_for(name))
		fd = namespace_open_beneath(caller->namespace_fd, &opener->own,
					    caller->credentials.effective | on_oneself, opener->ends, directory_fd,
					    name, flags);
	if (result == 0 && fd < 0)
		fd = open_beneath(directory_fd, name, flags);
	credentials_give_back(&opener->own);
	return result < 0 ? result : fd;
}

/*
 * The directory of the process or thread that the name is below, where that is the caller's. A descriptor of it stays
 * with that one, whoever gets its number: so it is asked whose it is, and all is opened below it. That the caller still
 * waits proves that its own number is not another's yet.
 */
static int open_owner(const struct opener *opener, uint64_t id, const struct caller *caller, const char *name)
{
	pid_t owner = proc_path_id(name, PROC);
	char number[16];
	scoped_fd fd = -1;

	if (!owner)
		return -EACCES;
	snprintf(number, sizeof number, "%d", (int)owner);
	fd = open_beneath(opener->proc_fd, number, O_PATH | O_DIRECTORY);
	if (fd < 0)
		return fd;
	if (!is_waiting(opener, id))
		return -ESRCH;
	if (owner != caller->pid && credentials_process(fd) != caller->pid)
		return -EACCES;
	return steal_fd(&fd);
}

/* /proc/ID/REST, below a descriptor of /proc/ID. */
static int open_entry(const struct opener *opener, const struct caller *caller, int owner_fd, const char *name)
{
	const struct open_call *call = caller->call;
	const char *rest = strchr(name + strlen(PROC "/"), '/');
	uint64_t flags = call->flags & OPEN_FLAGS;

	if (call->path[strlen(call->path) - 1] == '/')
		flags |= O_DIRECTORY;
	return open_as(opener, caller, owner_fd, rest ? rest + 1 : ".", flags);
}

int opener_open(const struct opener *opener, uint64_t id, const struct open_call *call, unsigned *flags)
{
	struct caller caller = {.call = call};
	UNCLEARED char name[PATH_MAX];
	scoped_fd found = -1;
	scoped_fd owner = -1;
	scoped_fd namespace = -1;
	int result;

	if (!may_be_own(opener, call))
		return -ENOENT;
	result = has_our_names(opener, call->tid);
	if (result < 0)
		return result;
	caller.pid = credentials_read(opener->proc_fd, call->tid, &caller.credentials);
	namespace = namespace_open_other(opener->proc_fd, call->tid, &opener->users);
	caller.namespace_fd = namespace;
	found = caller.pid ? find(opener, &caller) : -ESRCH;
	if (found < 0)
		return found;
	if (name_of(opener, found, name, sizeof name) < 0)
		return -EACCES;
	owner = open_owner(opener, id, &caller, name);
	if (owner < 0)
		return owner;
	if (!is_granted(opener, &caller, found, name))
		return -EACCES;
	*flags = call->flags & O_CLOEXEC;
	return open_entry(opener, &caller, owner, name);
}
