/*
 * Answers a caller's open where it leads to an entry of its own in /proc that the profile grants.
 *
 * Nothing but such an entry is ever opened, by its name below /proc/<caller> and without following a link. So wherever
 * the way there is judged wrongly, the worst is that a caller gets an entry of its own that it may have.
 */
#pragma once

#include <sys/stat.h>

#include "profile/reach.h"
#include "runner/credentials.h"
#include "runner/supervisor_call.h"

struct opener {
	const struct reach *reach; /* of the profile that is enforced */
	rights_t handled;	   /* by the domain */
	int proc_fd;		   /* the root of /proc */
	int listener;
	struct own_credentials own;
	int ends[2];			       /* of a socket for who opens in another user namespace */
	struct stat proc, root, mounts, users; /* /proc, the root directory and the namespaces that are ours */
};

/* Opens /proc, which must be that of our own processes. opener_finish() also after a failure. */
int opener_init(struct opener *opener, const struct reach *reach, rights_t handled, struct error *err);
void opener_finish(struct opener *opener);

/* Keeps no capability but what it takes to look at a caller that has none: callers are then served with no other. */
int opener_drop_caps(struct opener *opener, struct error *err);

/*
 * The descriptor for the caller of that notification, with O_CLOEXEC or 0 in *flags; -errno when the call is to go on
 * to the kernel: -EPERM when that is because the caller is closed to us. With *is_answer, -errno is what the open of a
 * granted entry said, made as the caller's own: then it is told that, where Landlock would refuse what is granted.
 */
int opener_open(const struct opener *opener, uint64_t id, const struct open_call *call, unsigned *flags,
		bool *is_answer);
