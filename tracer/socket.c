#include "tracer/socket.h"

#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <stdio.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/cleanup.h"

#ifndef PIDFD_THREAD
#define PIDFD_THREAD O_EXCL /* Linux 6.9 */
#endif

static int borrow_from(pid_t id, unsigned flags, int fd)
{
	scoped_fd owner = (int)syscall(SYS_pidfd_open, id, flags);
	int copy;

	if (owner < 0)
		return -errno;
	copy = (int)syscall(SYS_pidfd_getfd, owner, fd, 0);
	return copy < 0 ? -errno : copy;
}

/* A process whose first thread has ended has no descriptors by its own id. */
static int borrow(const struct task *task, int fd)
{
	int copy = borrow_from(task->pid, 0, fd);

	return copy == -ESRCH && task->tid != task->pid ? borrow_from(task->tid, PIDFD_THREAD, fd) : copy;
}

static int option(int fd, int name)
{
	int value = -1;
	socklen_t length = sizeof value;

	return getsockopt(fd, SOL_SOCKET, name, &value, &length) == 0 ? value : -1;
}

/* As sk_is_tcp() and sk_is_udp() have it: MPTCP, SCTP and raw sockets are not checked. */
static void take_kind(int fd, struct socket_facts *facts)
{
	int domain = option(fd, SO_DOMAIN), type = option(fd, SO_TYPE), protocol = option(fd, SO_PROTOCOL);

	facts->in_order = type == SOCK_SEQPACKET;
	if (domain != AF_INET && domain != AF_INET6)
		return;
	if (type == SOCK_STREAM && protocol == IPPROTO_TCP) {
		facts->bind = RIGHT_BIND_TCP;
		facts->connect = RIGHT_CONNECT_TCP;
	} else if (type == SOCK_DGRAM && protocol == IPPROTO_UDP) {
		facts->bind = RIGHT_BIND_UDP;
		facts->connect = RIGHT_CONNECT_SEND_UDP;
	}
}

int socket_look(const struct task *task, int fd, struct socket_facts *facts)
{
	struct sockaddr_storage storage;
	socklen_t length = sizeof storage;
	scoped_fd copy = borrow(task, fd);

	*facts = (struct socket_facts){0};
	if (copy < 0)
		return copy;
	if (getsockname(copy, (struct sockaddr *)&storage, &length) != 0)
		return -errno;
	address_parse(&storage, length, &facts->address);
	take_kind(copy, facts);
	return 0;
}

/*
 * A datagram socket of ours connects to it, which tells the other side nothing: one of another kind answers EPROTOTYPE,
 * one that talks to another EPERM. Through a descriptor, since a path may be longer than an address.
 */
bool socket_is_bound(const char *path)
{
	struct sockaddr_un address = {.sun_family = AF_UNIX};
	scoped_fd at = open(path, O_PATH | O_CLOEXEC);
	scoped_fd probe = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);

	if (at < 0 || probe < 0)
		return false;
	snprintf(address.sun_path, sizeof address.sun_path, "/proc/self/fd/%d", at);
	return connect(probe, (struct sockaddr *)&address, sizeof address) == 0 || errno == EPROTOTYPE ||
	       errno == EPERM;
}
