/* What kind of socket a task's descriptor is. The tracer borrows it (pidfd_getfd(2)) for the look. */
#pragma once

#include <stdbool.h>

#include "profile/rights.h"
#include "tracer/address.h"
#include "tracer/task.h"

struct socket_facts {
	rights_t bind;		/* the right that binding it to a port asks for; 0 for none */
	rights_t connect;	/* the right that connecting it, or sending, asks for; 0 for none */
	bool in_order;		/* SOCK_SEQPACKET */
	struct address address; /* its own; port 0 when it is not bound yet */
};

/* 0, or -errno: not a socket, or not to be had. */
int socket_look(const struct task *task, int fd, struct socket_facts *facts);

/* Whether a socket is bound to the path, which is seen from here. Nothing of it is used, or disturbed. */
bool socket_is_bound(const char *path);
