/*
 * A way through the file system, part by part, as the kernel goes it, where each symbolic link is somebody's to judge.
 * All is opened with O_PATH, so that nothing blocks and no device acts.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/buffer.h"
#include "base/error.h"

struct way_link {
	int directory_fd;
	const char *directory; /* canonical, for a way that began at the root */
	const char *name;
	const char *target;
};

/*
 * Asked at each link (but magic ones, which are never followed). 0: follow it, or rather the text in *instead if that
 * is set (the caller's from then on). -errno, err set: the way ends.
 */
typedef int way_follow_fn(void *data, const struct way_link *link, char **instead, struct error *err);

struct way {
	int fd;		  /* where it has come to; before: where a relative path begins, or -1 */
	struct buffer at; /* the canonical name of that, for a way that began at the root; empty for "/" */
	way_follow_fn *follow;
	void *data;
	bool literal; /* a link at the end is an error: -ELOOP */
	char *rest;   /* private, like what follows: parts to go, from `done` on */
	size_t done;
	unsigned links;
};

/*
 * Goes the path from the root, or, a relative one, from way->fd. 0, or -errno with err set: -ELOOP for a link that must
 * not be followed or too many of them, else what the kernel said.
 */
int way_go(struct way *way, const char *path, struct error *err);
void way_finish(struct way *way);

/* openat2(2) with O_PATH; `flags` may add to that. A descriptor (close on exec), or -errno. */
int way_open(int directory_fd, const char *name, int flags, uint64_t resolve);

/* Sets err for what opening path by openat2(2) said. */
int way_error(struct error *err, int number, const char *path);
