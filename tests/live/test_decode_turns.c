/*
 * Sockets of two tasks whose exit stops are handled in another order than the calls were done: a call that is in
 * progress, as far as the decoder knows, may have done its work. The stops are told to it here; the calls are real.
 */
#include <criterion/criterion.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/live/stage.h"

TestSuite(decode_turns, .init = stage_set_up, .fini = stage_tear_down, .timeout = 60);

struct at {
	union {
		struct sockaddr any;
		struct sockaddr_un name;
		struct sockaddr_in port;
	};
	socklen_t length;
};

static struct at at_name(const char *name, size_t length)
{
	struct at at = {.name.sun_family = AF_UNIX};

	memcpy(at.name.sun_path, name, length);
	at.length = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + length);
	return at;
}

static struct at at_port_of(int fd)
{
	struct at at = {.length = sizeof at.port};

	cr_assert_eq(getsockname(fd, &at.any, &at.length), 0);
	return at;
}

static void enters(struct task *task, int number, int fd, const struct at *at)
{
	if (number == SYS_sendto)
		ENTERS(task, number, (uint64_t)fd, 0, 0, 0, (uintptr_t)at, at->length);
	else
		ENTERS(task, number, (uint64_t)fd, (uintptr_t)at, at->length);
}

/* The whole call of the client, done by ourselves. */
static void client_calls(int number, int fd, const struct at *at, int error)
{
	long result = number == SYS_sendto ? sendto(fd, "x", 1, 0, &at->any, at->length)
					   : syscall(number, fd, &at->any, at->length);

	cr_assert_eq(result < 0 ? errno : 0, error, "%s", strerror(errno));
	enters(stage.client, number, fd, at);
	stage_leaves(stage.client, -error);
}

static int make_socket(int family, int type)
{
	int fd = socket(family, type | SOCK_CLOEXEC, 0);

	cr_assert_geq(fd, 0);
	return fd;
}

/* Between bind(2) and listen(2) a client is refused, after Landlock was asked about the session's own socket. */
Test(decode_turns, bound_and_deaf)
{
	struct at at = at_name("s", 2);
	int bound = make_socket(AF_UNIX, SOCK_STREAM), fd = make_socket(AF_UNIX, SOCK_STREAM);

	stage_start_client();
	enters(stage.server, SYS_bind, bound, &at);
	cr_assert_eq(bind(bound, &at.any, at.length), 0);
	client_calls(SYS_connect, fd, &at, ECONNREFUSED);
	stage_leaves(stage.server, 0);
	client_calls(SYS_connect, fd, &at, ECONNREFUSED);
	stage_expect("");
}

/* One of somebody else, in whose place the session's own call in progress cannot put one. */
Test(decode_turns, bound_by_another)
{
	struct at at = at_name("s", 2);
	int other = make_socket(AF_UNIX, SOCK_STREAM), bound = make_socket(AF_UNIX, SOCK_STREAM);
	int fd = make_socket(AF_UNIX, SOCK_STREAM);

	stage_start_client();
	cr_assert_eq(bind(other, &at.any, at.length), 0);
	enters(stage.server, SYS_bind, bound, &at);
	cr_assert_eq(bind(bound, &at.any, at.length), -1);
	client_calls(SYS_connect, fd, &at, ECONNREFUSED);
	stage_leaves(stage.server, -EADDRINUSE);
	stage_expect("use type=socket path=$D/s rights=resolve_unix asked=yes error=ECONNREFUSED call=connect\n");
}

/* No hook is reached where nothing is bound any more. */
Test(decode_turns, left_behind)
{
	struct at at = at_name("s", 2);
	int other = make_socket(AF_UNIX, SOCK_STREAM), fd = make_socket(AF_UNIX, SOCK_STREAM);

	cr_assert_eq(bind(other, &at.any, at.length), 0);
	close(other);
	stage_start_client();
	client_calls(SYS_connect, fd, &at, ECONNREFUSED);
	stage_expect("");
}

/* Datagrams need nobody who listens. */
Test(decode_turns, datagrams)
{
	struct at at = at_name("s", 2);
	int bound = make_socket(AF_UNIX, SOCK_DGRAM), fd = make_socket(AF_UNIX, SOCK_DGRAM);
	int stream = make_socket(AF_UNIX, SOCK_STREAM);

	stage_start_client();
	enters(stage.server, SYS_bind, bound, &at);
	cr_assert_eq(bind(bound, &at.any, at.length), 0);
	client_calls(SYS_sendto, fd, &at, 0);
	client_calls(SYS_connect, fd, &at, 0);
	client_calls(SYS_connect, stream, &at, EPROTOTYPE);
	stage_leaves(stage.server, 0);
	stage_expect("");
}

Test(decode_turns, abstract_names)
{
	static const char own[] = "\0trace-learn turns own", others[] = "\0trace-learn turns others";
	struct at at = at_name(own, sizeof own), outside = at_name(others, sizeof others);
	int bound = make_socket(AF_UNIX, SOCK_DGRAM), fd = make_socket(AF_UNIX, SOCK_DGRAM);
	int other = make_socket(AF_UNIX, SOCK_DGRAM);

	stage_start_client();
	cr_assert_eq(bind(other, &outside.any, outside.length), 0);
	enters(stage.server, SYS_bind, bound, &at);
	cr_assert_eq(bind(bound, &at.any, at.length), 0);
	client_calls(SYS_sendto, fd, &at, 0);
	stage_expect("");
	client_calls(SYS_sendto, fd, &outside, 0);
	stage_expect("scope rights=abstract_unix_socket asked=yes call=sendto\n");
	stage_leaves(stage.server, 0);
}

static int make_credential_socket(void)
{
	int fd = make_socket(AF_UNIX, SOCK_DGRAM), yes = 1;

	cr_assert_eq(setsockopt(fd, SOL_SOCKET, SO_PASSCRED, &yes, sizeof yes), 0);
	return fd;
}

static struct at at_chosen(int fd)
{
	struct at at = {.length = sizeof at.name};

	cr_assert_eq(getsockname(fd, &at.any, &at.length), 0);
	cr_assert_gt(at.length, offsetof(struct sockaddr_un, sun_path), "the kernel has chosen no name");
	return at;
}

/* Who wants credentials is given a name at its first datagram, and the answer to that may be heard of first. */
static void answer(int number, bool in_order)
{
	struct at at = at_name("s", 2), chosen;
	int bound = make_socket(AF_UNIX, SOCK_DGRAM), asking = make_credential_socket();
	long result;

	enters(stage.server, SYS_bind, bound, &at);
	cr_assert_eq(bind(bound, &at.any, at.length), 0);
	stage_leaves(stage.server, 0);
	enters(stage.server, number, asking, &at);
	result = number == SYS_sendto ? sendto(asking, "x", 1, 0, &at.any, at.length)
				      : connect(asking, &at.any, at.length);
	cr_assert_geq(result, 0);
	chosen = at_chosen(asking);
	stage_start_client();
	if (in_order)
		stage_leaves(stage.server, result);
	client_calls(SYS_sendto, bound, &chosen, 0);
	if (!in_order)
		stage_leaves(stage.server, result);
	stage_expect("");
}

Test(decode_turns, name_chosen_at_a_send)
{
	answer(SYS_sendto, true);
}

Test(decode_turns, name_chosen_at_a_send_that_is_heard_later)
{
	answer(SYS_sendto, false);
}

Test(decode_turns, name_chosen_at_a_connect)
{
	answer(SYS_connect, true);
}

Test(decode_turns, name_chosen_at_a_connect_that_is_heard_later)
{
	answer(SYS_connect, false);
}

/* A socket keeps its inode when its name is another one. */
Test(decode_turns, renamed)
{
	struct at at = at_name("s", 2), moved = at_name("t", 2);
	int bound = make_socket(AF_UNIX, SOCK_STREAM), fd = make_socket(AF_UNIX, SOCK_STREAM);

	stage_start_client();
	enters(stage.server, SYS_bind, bound, &at);
	cr_assert_eq(bind(bound, &at.any, at.length), 0);
	stage_leaves(stage.server, 0);
	cr_assert_eq(listen(bound, 1), 0);
	cr_assert_eq(rename("s", "t"), 0);
	client_calls(SYS_connect, fd, &moved, 0);
	stage_expect("");
}

static struct at loopback(void)
{
	return (struct at){.port = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)},
			   .length = sizeof(struct sockaddr_in)};
}

/* The kernel has chosen a port for a datagram that is being sent, and its answer comes first. */
Test(decode_turns, port_of_a_datagram)
{
	struct at at = loopback(), sender, receiver;
	int fd = make_socket(AF_INET, SOCK_DGRAM), sending = make_socket(AF_INET, SOCK_DGRAM);

	cr_assert_eq(bind(fd, &at.any, at.length), 0);
	receiver = at_port_of(fd);
	enters(stage.server, SYS_bind, fd, &at);
	stage_leaves(stage.server, 0);
	enters(stage.server, SYS_sendto, sending, &receiver);
	cr_assert_eq(sendto(sending, "x", 1, 0, &receiver.any, receiver.length), 1);
	sender = at_port_of(sending);
	sender.port.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	stage_start_client();
	client_calls(SYS_sendto, fd, &sender, 0);
	stage_leaves(stage.server, 1);
	stage_expect("port port=0 rights=bind_udp asked=yes call=bind\n"
		     "port port=-1 rights=connect_send_udp asked=yes call=sendto\n"
		     "port port=0 rights=bind_udp asked=yes call=sendto\n"
		     "port port=-1 rights=connect_send_udp asked=yes call=sendto\n");
}
