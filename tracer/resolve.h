/*
 * Names as a task means them, and as a profile writes them: canonical, from outside any chroot, without process ids.
 * Whatever is looked at is opened with O_PATH at most, so nothing blocks and no device acts.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <time.h>

#include "base/buffer.h"
#include "profile/access.h"
#include "tracer/task.h"

enum place {
	PLACE_UNKNOWN,
	PLACE_PATH,    /* `path` names it */
	PLACE_NOWHERE, /* no path leads to it: a pipe, a socket, a memfd */
	PLACE_FOREIGN, /* another process's entry in /proc */
	PLACE_PRIVATE, /* on a mount of another namespace, or of none: no path leads to it from here; see `inside` */
};

struct object {
	enum place place;
	char *path;	       /* owned; NULL unless PLACE_PATH */
	char *inside;	       /* owned; what PLACE_PRIVATE is called there, and PLACE_FOREIGN here; NULL otherwise */
	enum object_type type; /* of the object; OBJECT_NONE: nothing is there */
	dev_t device;	       /* these when something is there */
	ino_t inode;
	nlink_t links;
	struct timespec changed; /* its time of change */
	uid_t owner;
	mode_t mode;
	bool special;	 /* the name ends in `.`, `..` or is the root */
	bool slash;	 /* the name ends in a slash */
	bool gone;	 /* it was deleted; path is where it was */
	bool processors; /* it shows what processors a process may use: /proc/PID/status, of whichever */
	bool own;	 /* an entry of the task's own process in /proc */
	bool widened;	 /* path is the lasting directory that it is in (profile/proc_path.h) */
};

void object_finish(struct object *object);
bool object_is_same(const struct object *one, const struct object *other); /* both are there, and one inode */

struct name {
	int directory; /* AT_FDCWD, or a descriptor of the task */
	const char *text;
	bool follow;	/* a symbolic link at the end */
	uint64_t scope; /* RESOLVE_* of openat2 */
};

struct resolver;

/* looks: resolve_as_named() will be asked, so it has to be cheap. Looks at the tasks while it lives. */
struct resolver *resolver_create(bool looks, const struct task_table *tasks);
void resolver_destroy(struct resolver *resolver);
/* At the end of a task. */
void resolver_forget(struct resolver *resolver, const struct task *task);

/* Some task may have another root directory, or other mounts, now than the tool has. */
void resolver_root_changed(struct resolver *resolver);

/* From now on some task may have a directory that lies on a mount which is not ours. */
void resolver_mounts_differ(struct resolver *resolver);

/* Whether the task has our root directory and our mounts. */
bool resolver_is_ours(const struct resolver *resolver, const struct task *task);

/*
 * All four fill *object, for object_finish(); 0, or -errno with PLACE_UNKNOWN. -ENAMETOOLONG: what it is is known, but
 * its path is longer than the kernel tells, and it is no directory, which is found all the same.
 */
int resolve_descriptor(const struct resolver *resolver, const struct task *task, int fd, struct object *object);

/* What an entry of the task's own /proc directory links to: "exe", "cwd". */
int resolve_link(const struct resolver *resolver, const struct task *task, const char *entry, struct object *object);

/* lstat(2) of a canonical path of any length, as we see it; 0 or -errno. */
int stat_deep(const char *path, struct stat *status);

/* A path that the kernel wrote for us: from outside, canonical, with " (deleted)" where it was; of this inode. */
int resolve_known(const struct resolver *resolver, const struct task *task, const char *path, ino_t inode,
		  struct object *object);

/*
 * The name made absolute, and nothing of it followed: links and `..` stay, and nothing says whether it is there. That
 * is the name's own text, or what was written to *path. Looks at the directory that it starts from at most. NULL: no
 * path leads there.
 */
const char *resolve_as_named(const struct resolver *resolver, struct task *task, const struct name *name,
			     struct buffer *path);

/*
 * Writes where the name would lead if no link were on its way; false: that cannot be said so simply. For what
 * resolve_is_free() then says: that there is none, and all is on mounts of ours, and nothing is there. Only while no
 * task has another root or other mounts than we have.
 */
bool resolve_as_plain(const struct resolver *resolver, const struct task *task, const struct name *name,
		      struct buffer *path);
bool resolve_is_free(const struct resolver *resolver, const struct task *task, const struct name *name,
		     const char *path);

/* A name need not exist: then type is OBJECT_NONE and path is where it would be; -ENOENT when `..` leads out of what
 * does not exist. */
int resolve_name(const struct resolver *resolver, const struct task *task, const struct name *name,
		 struct object *object);
