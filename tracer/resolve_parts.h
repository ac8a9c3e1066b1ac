/* What the short way (resolve.c), the walk of single components (resolve_walk.c) and naming (resolve_name.c) share. */
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>

#include "tracer/fd_directory.h"
#include "tracer/proc_name.h"
#include "tracer/resolve.h"
#include "tracer/start_links.h"
#include "tracer/start_shared.h"

struct resolver {
	const struct task_table *tasks;
	bool roots_differ;  /* some task may have another root than the tool */
	bool mounts_differ; /* resolver_mounts_differ() */
	dev_t root_device;
	ino_t root_inode;
	ino_t mounts_inode; /* our mount namespace's */
	uint64_t *mounts;   /* sorted ids of our mounts, as they were when the session began */
	size_t mount_count, mount_capacity;
	struct fd_directory *descriptors;
	struct start_links *starts;
	struct start_shared *shared;
	char **proc_mounts; /* where a procfs is mounted */
	size_t proc_count, proc_capacity;
};

bool is_our_mount(const struct resolver *resolver, uint64_t id);

/* Fills *object from a magic link (/proc/TID/fd/N and the like) of ours or the task's. */
int describe_descriptor(const struct resolver *resolver, const struct task *task, int fd, struct object *object);
int describe_link(const struct resolver *resolver, const struct task *task, const char *link, struct object *object);
int describe_own(const struct resolver *resolver, const struct task *task, int fd, struct object *object);

/* Whether the text, which the kernel wrote of a link, may be no plain name: of what was deleted, or has none. */
bool is_odd_name(const char *text, size_t length);

/* Whether "/" and what is mounted beneath are to the task what they are to us. */
bool sees_as_we_do(const struct resolver *resolver, const struct task *task);

/* The same of a directory whose path is longer than a link tells; its status is not set. */
int describe_deep(const struct resolver *resolver, const struct task *task, const char *link, struct object *object);

void object_take_status(struct object *object, const struct stat *status);

/* Takes a path that has no links in it. */
void take_path(const struct resolver *resolver, const struct task *task, const char *text, struct object *object);

/* object->path becomes path/rest (less what is doubled), or stays where a lasting directory stands for it. */
void describe_beneath(const struct resolver *resolver, const struct task *task, const char *rest,
		      struct object *object);

/* The magic link to the directory that the name starts from. */
void start_link(const struct task *task, const struct name *name, char link[PROC_NAME_SIZE]);

/* O_PATH descriptor of the directory that the name starts from, or -errno. */
int open_start(const struct task *task, const struct name *name);

/* The slow way, which knows magic links, other roots, and what /proc/self means to the task. */
int resolve_walk(const struct resolver *resolver, const struct task *task, const struct name *name,
		 struct object *object);
