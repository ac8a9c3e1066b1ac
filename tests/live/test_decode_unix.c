/* What calls on unix sockets say: paths, abstract names, descriptors in messages; with a peer outside of the session.
 */
#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "tests/live/recording.h"

static int listener = -1; /* outside */

static void set_up(void)
{
	cr_assert_eq(chdir(fresh_directory()), 0);
}

static void tear_down(void)
{
	close(listener);
	remove_fresh_directory();
}

TestSuite(decode_unix, .init = set_up, .fini = tear_down, .timeout = 60);

static struct sockaddr_un unix_address(const char *name, size_t length)
{
	struct sockaddr_un address = {.sun_family = AF_UNIX};

	memcpy(address.sun_path, name, length);
	return address;
}

static int with_name(int (*call)(int, const struct sockaddr *, socklen_t), int fd, const char *name, size_t length)
{
	struct sockaddr_un address = unix_address(name, length);

	return call(fd, (struct sockaddr *)&address, (socklen_t)(offsetof(struct sockaddr_un, sun_path) + length));
}

static int unix_socket(void)
{
	return socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
}

static void listen_outside_at(const char *name, size_t length)
{
	listener = unix_socket();
	cr_assert_eq(with_name(bind, listener, name, length), 0);
	cr_assert_eq(listen(listener, 5), 0);
}

static int uses_paths(void)
{
	int server = unix_socket();

	with_name(bind, server, "inside", 6);
	listen(server, 1);
	with_name(connect, unix_socket(), "inside", 7);
	with_name(connect, unix_socket(), "outside", 8);
	with_name(connect, unix_socket(), "nowhere", 8);
	with_name(bind, unix_socket(), "inside", 6);
	return 0;
}

Test(decode_unix, socket_paths)
{
	listen_outside_at("outside", 8);
	expect_complete(uses_paths, "create type=socket path=$D/inside asked=yes call=bind\n"
				    "use type=socket path=$D/outside rights=resolve_unix asked=yes call=connect\n");
}

static int unix_datagram(void)
{
	return socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
}

/* Sockets that are there and refuse: one does not listen, one talks to another; and what only was a socket. */
static void refuse_outside(void)
{
	int busy = unix_datagram();

	with_name(bind, unix_socket(), "deaf", 4);
	with_name(bind, unix_datagram(), "friend", 6);
	with_name(bind, busy, "busy", 4);
	cr_assert_eq(with_name(connect, busy, "friend", 6), 0);
	listener = unix_socket();
	with_name(bind, listener, "left", 4);
	close(listener);
	listen_outside_at("ears", 4);
}

static void expect_refusal(int fd, const char *name, int error)
{
	cr_assert_eq(with_name(connect, fd, name, strlen(name)), -1);
	cr_assert_eq(errno, error, "%s: %s", name, strerror(errno));
	close(fd);
}

static int is_refused(void)
{
	int pair[2];

	expect_refusal(unix_socket(), "deaf", ECONNREFUSED);
	expect_refusal(unix_datagram(), "deaf", EPROTOTYPE);
	expect_refusal(unix_datagram(), "busy", EPERM);
	expect_refusal(unix_socket(), "left", ECONNREFUSED);
	cr_assert_eq(socketpair(AF_UNIX, SOCK_STREAM, 0, pair), 0);
	expect_refusal(pair[0], "ears", EISCONN);
	return 0;
}

/* The kernel asks as soon as it has found the socket (unix_find_bsd()). */
Test(decode_unix, socket_paths_that_refuse)
{
	refuse_outside();
	expect_complete(is_refused,
			"use type=socket path=$D/deaf rights=resolve_unix asked=yes error=ECONNREFUSED call=connect\n"
			"use type=socket path=$D/deaf rights=resolve_unix asked=yes error=EPROTOTYPE call=connect\n"
			"use type=socket path=$D/busy rights=resolve_unix asked=yes error=EPERM call=connect\n"
			"use type=socket path=$D/ears rights=resolve_unix asked=yes error=EISCONN call=connect\n");
}

/* Abstract: names that no other test has, padded with NULs. */
static char outside_name[64], inside_name[64];

static int uses_abstract_names(void)
{
	struct sockaddr_un address;
	socklen_t length = sizeof address;
	int server = unix_socket(), other = unix_socket();

	with_name(bind, server, inside_name, sizeof inside_name);
	listen(server, 1);
	with_name(connect, unix_socket(), inside_name, sizeof inside_name);
	with_name(bind, other, "", 0); /* the kernel chooses */
	listen(other, 1);
	getsockname(other, (struct sockaddr *)&address, &length);
	(void)connect(unix_socket(), (struct sockaddr *)&address, length);
	return with_name(connect, unix_socket(), outside_name, sizeof outside_name) ? errno : 0;
}

Test(decode_unix, abstract_names)
{
	snprintf(outside_name + 1, sizeof outside_name - 1, "outside %d", (int)getpid());
	snprintf(inside_name + 1, sizeof inside_name - 1, "inside %d", (int)getpid());
	listen_outside_at(outside_name, sizeof outside_name);
	expect_complete(uses_abstract_names, "scope rights=abstract_unix_socket asked=yes call=connect\n");
}

/* Descriptors in messages: of the session's own making, and from outside. */
static int outside_end = -1;

static int pass(int end, int fd)
{
	union {
		char bytes[CMSG_SPACE(sizeof(int))];
		struct cmsghdr head;
	} control = {.head = {.cmsg_level = SOL_SOCKET, .cmsg_type = SCM_RIGHTS, .cmsg_len = CMSG_LEN(sizeof(int))}};
	struct iovec data = {(void *)"x", 1};
	struct msghdr message = {
		.msg_iov = &data, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control};

	memcpy(CMSG_DATA(&control.head), &fd, sizeof fd);
	return sendmsg(end, &message, 0) == 1 ? 0 : errno;
}

static void receive_two(int end)
{
	char bytes[2][CMSG_SPACE(4 * sizeof(int))], data[2];
	struct iovec parts[2] = {{&data[0], 1}, {&data[1], 1}};
	struct mmsghdr messages[2];

	memset(messages, 0, sizeof messages);
	for (int i = 0; i < 2; i++) {
		messages[i].msg_hdr.msg_iov = &parts[i];
		messages[i].msg_hdr.msg_iovlen = 1;
		messages[i].msg_hdr.msg_control = bytes[i];
		messages[i].msg_hdr.msg_controllen = sizeof bytes[i];
	}
	cr_assert_eq(recvmmsg(end, messages, 2, MSG_WAITFORONE, NULL), 2);
}

static int receives(void)
{
	int pair[2];

	receive_two(outside_end);
	cr_assert_eq(socketpair(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0, pair), 0);
	cr_assert_eq(pass(pair[0], open("own", O_WRONLY | O_CREAT | O_CLOEXEC, 0600)), 0);
	cr_assert_eq(pass(pair[0], pair[1]), 0);
	receive_two(pair[1]);
	return 0;
}

Test(decode_unix, descriptors_in_messages)
{
	struct recording recording;
	char directory[4096], want[5000];
	int pair[2], file = open("theirs", O_WRONLY | O_CREAT | O_CLOEXEC, 0600);

	cr_assert_eq(socketpair(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0, pair), 0);
	cr_assert_not_null(getcwd(directory, sizeof directory));
	outside_end = pair[1];
	cr_assert_eq(pass(pair[0], file), 0);
	cr_assert_eq(pass(pair[0], pair[0]), 0);
	record(&recording, receives, TRACE_CALLS_ALL);
	snprintf(want, sizeof want, " received a descriptor from outside, which no profile limits: %s/theirs\n",
		 directory);
	cr_expect(strstr(buffer_text(&recording.notices), want), "%s", buffer_text(&recording.notices));
	cr_expect(strstr(buffer_text(&recording.notices), "no profile limits: a socket\n"));
	cr_expect_null(strstr(buffer_text(&recording.notices), "/own"), "%s", buffer_text(&recording.notices));
	cr_expect_str_eq(buffer_text(&recording.incomplete), "");
	recording_finish(&recording);
}
