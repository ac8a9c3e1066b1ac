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
#include <sys/vfs.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/memory.h"
#include "profile/proc_path.h"
#include "profile/way.h"
#include "runner/open_beneath.h"
#include "runner/supervisor_name.h"
#include "runner/supervisor_namespace.h"
#include "runner/supervisor_socket.h"

#define PROC		"/proc"
#define PROC_ROOT_INODE 1

/* What keeps a name where it starts. */
#define WITHIN (RESOLVE_BENEATH | RESOLVE_IN_ROOT | RESOLVE_NO_XDEV)

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
		return caller->call->resolve & RESOLVE_IN_ROOT ? error_set(err, EXDEV, "%s may lead up", link->name)
							       : 0;
	if (fstat(link->directory_fd, &status) < 0 || status.st_ino != PROC_ROOT_INODE)
		return error_set(err, ELOOP, "%s is a link below a process", link->name);
	if (strcmp(link->name, "self") == 0)
		*instead = format_text("%d", (int)caller->pid);
	else if (strcmp(link->name, "thread-self") == 0)
		*instead = format_text("%d/task/%d", (int)caller->pid, (int)caller->call->tid);
	else if (caller->call->resolve & RESOLVE_CACHED)
		return error_set(err, EAGAIN, "%s is never cached", link->name);
	return 0;
}

/* Where a relative name starts; 0 for an absolute one, -errno. */
static int open_start(const struct opener *opener, const struct caller *caller, int *fd)
{
	char name[NAME_START_SIZE];

	name_write_start(caller->call, name);
	*fd = *name ? way_open(opener->proc_fd, name, 0, 0) : -1;
	return *name && *fd < 0 ? *fd : 0;
}

/*
 * 0, or -errno where it is for the kernel to say what becomes of a name that is to stay where it starts. Whether it
 * does is asked with our own self, which lies as deep; but in a root of its own, what leads up or away ends elsewhere
 * than for the way that we go.
 */
static int stay_within(const struct open_call *call, int start)
{
	uint64_t within = call->resolve & WITHIN;
	scoped_fd fd = -1;

	if (!within)
		return 0;
	if (within & RESOLVE_IN_ROOT && !name_stays_beneath(call))
		return -EXDEV;
	fd = way_open(start < 0 ? AT_FDCWD : start, call->path, (int)call->flags & O_NOFOLLOW, within);
	return fd == -EXDEV || fd == -EINVAL ? fd : 0;
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
	int result = open_start(opener, caller, &way.fd);

	if (!result)
		result = stay_within(caller->call, way.fd);
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

/* What an open says that is made as the caller's would be, and not of us: our descriptors, and how we resolve. */
static bool is_callers(int error)
{
	return error != EMFILE && error != ENFILE && error != ENOMEM && error != EINTR && error != ELOOP &&
	       error != EXDEV;
}

/*
 * As the caller, which may have dropped root's rights, or some. Where its namespace of users cannot be entered, ids are
 * told as they are in ours.
 */
static int open_as(const struct opener *opener, const struct caller *caller, const struct beneath *entry,
		   bool *is_answer)
{
	uint64_t on_oneself = credentials_on_oneself(entry->name);
	struct credentials credentials = caller->credentials;
	int fd = -1, result;

	if (caller->namespace_fd != -ENOENT)
		credentials.effective = 0; /* they count there */
	result = credentials_take(&opener->own, &credentials, on_oneself);
	if (result == 0 && caller->namespace_fd >= 0 && namespace_counts_for(entry->name))
		fd = namespace_open_beneath(caller->namespace_fd, &opener->own,
					    caller->credentials.effective | on_oneself, opener->ends, entry);
	if (result == 0 && fd < 0)
		fd = open_beneath(entry);
	credentials_give_back(&opener->own);
	*is_answer = result == 0 && fd < 0 && is_callers(-fd);
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
	fd = open_beneath(&(struct beneath){opener->proc_fd, number, O_PATH | O_DIRECTORY, 0});
	if (fd < 0)
		return fd;
	if (!is_waiting(opener, id))
		return -ESRCH;
	if (owner != caller->pid && credentials_process(fd) != caller->pid)
		return -EACCES;
	return steal_fd(&fd);
}

/* /proc/ID/REST, below a descriptor of /proc/ID. A slash at the end asks for a directory, and is no flag. */
static int open_entry(const struct opener *opener, const struct caller *caller, int owner_fd, const char *name,
		      bool *is_answer)
{
	const struct open_call *call = caller->call;
	const char *rest = strchr(name + strlen(PROC "/"), '/');
	bool has_slash = call->path[strlen(call->path) - 1] == '/';
	scoped_free char *slashed = format_text("%s%s", rest ? rest + 1 : ".", has_slash ? "/" : "");

	return open_as(opener, caller,
		       &(struct beneath){owner_fd, slashed, call->flags, call->resolve & RESOLVE_CACHED}, is_answer);
}

int opener_open(const struct opener *opener, uint64_t id, const struct open_call *call, unsigned *flags,
		bool *is_answer)
{
	struct caller caller = {.call = call};
	UNCLEARED char name[PATH_MAX];
	scoped_fd found = -1;
	scoped_fd owner = -1;
	scoped_fd namespace = -1;
	int result;

	*is_answer = false;
	if (!name_leads_into(opener->proc_fd, &opener->proc, call))
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
	return open_entry(opener, &caller, owner, name, is_answer);
}
