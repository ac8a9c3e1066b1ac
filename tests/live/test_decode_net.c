/* What calls on sockets and signals say, with a peer outside of the session. */
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/live/recording.h"

static int listener = -1; /* outside */
static int outside_port;

static void set_up(void)
{
	cr_assert_eq(chdir(fresh_directory()), 0);
}

static void tear_down(void)
{
	close(listener);
	remove_fresh_directory();
}

TestSuite(decode_net, .init = set_up, .fini = tear_down, .timeout = 60);

static struct sockaddr_in at_port(int port)
{
	return (struct sockaddr_in){
		.sin_family = AF_INET, .sin_port = htons((uint16_t)port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
}

static int port_of(int fd)
{
	struct sockaddr_in address;
	socklen_t length = sizeof address;

	cr_assert_eq(getsockname(fd, (struct sockaddr *)&address, &length), 0);
	return ntohs(address.sin_port);
}

static int make_socket(int type)
{
	return socket(AF_INET, type | SOCK_CLOEXEC, 0);
}

static int connect_to(int fd, int port)
{
	struct sockaddr_in address = at_port(port);

	return connect(fd, (struct sockaddr *)&address, sizeof address);
}

static int bind_to(int fd, int port)
{
	struct sockaddr_in address = at_port(port);

	return bind(fd, (struct sockaddr *)&address, sizeof address);
}

static void listen_outside(int type)
{
	listener = make_socket(type);
	cr_assert_eq(bind_to(listener, 0), 0);
	if (type == SOCK_STREAM)
		cr_assert_eq(listen(listener, 5), 0);
	outside_port = port_of(listener);
}

/* The lines with the port of the outside as $P. */
static void expect_calls(scenario_fn *scenario, const char *want)
{
	struct recording recording;
	char port[32];
	char *at;

	record(&recording, scenario, TRACE_CALLS_ENFORCED);
	snprintf(port, sizeof port, "port=%d ", outside_port);
	while (outside_port && (at = strstr(buffer_text(&recording.accesses), port))) {
		at += strlen("port=");
		memmove(at + 2, at + strlen(port) - 6, strlen(at + strlen(port) - 6) + 1);
		memcpy(at, "$P", 2);
	}
	cr_expect_str_eq(buffer_text(&recording.accesses), want, "\n%sinstead of\n%s", buffer_text(&recording.accesses),
			 want);
	cr_expect_str_eq(buffer_text(&recording.incomplete), "");
	recording_finish(&recording);
}

static int connects(void)
{
	int fd = make_socket(SOCK_STREAM);
	int result = connect_to(fd, outside_port);

	close(fd);
	close(socket(AF_UNIX, SOCK_STREAM, 0));
	connect_to(fd, outside_port); /* no socket any more */
	return result;
}

Test(decode_net, connect_stream)
{
	listen_outside(SOCK_STREAM);
	expect_calls(connects, "port port=$P rights=connect_tcp asked=yes call=connect\n");
}

static void wait_for_leaders_end(void)
{
	int fd = open("/proc/self/stat", O_RDONLY | O_CLOEXEC);
	char line[256] = "";

	while (!strstr(line, ") Z ") && pread(fd, line, sizeof line - 1, 0) > 0)
		sched_yield();
}

static void *connects_as_the_last(void *data)
{
	wait_for_leaders_end();
	connects();
	execl("/bin/true", "true", (char *)NULL);
	return data;
}

static int leader_ends(void)
{
	pthread_t thread;

	pthread_create(&thread, NULL, connects_as_the_last, NULL);
	return (int)syscall(SYS_exit, 0);
}

/* A thread whose leader has ended has the process's sockets alone. */
Test(decode_net, connect_by_a_thread_alone)
{
	listen_outside(SOCK_STREAM);
	expect_calls(leader_ends, "use type=file path=/proc/self/stat rights=read_file asked=yes call=openat\n"
				  "port port=$P rights=connect_tcp asked=yes call=connect\n");
}

static int connects_to_nobody(void)
{
	return connect_to(make_socket(SOCK_STREAM), 1) ? errno : 0;
}

Test(decode_net, connect_refused)
{
	expect_calls(connects_to_nobody, "port port=1 rights=connect_tcp asked=yes error=ECONNREFUSED call=connect\n");
}

static int uses_ipv6(void)
{
	struct sockaddr_in6 address = {
		.sin6_family = AF_INET6, .sin6_port = htons(1), .sin6_addr = IN6ADDR_LOOPBACK_INIT};
	const struct sockaddr *at = (struct sockaddr *)&address;
	int stream = socket(AF_INET6, SOCK_STREAM | SOCK_CLOEXEC, 0);

	if (connect(stream, at, sizeof address) == 0 || errno != ECONNREFUSED)
		return errno;
	sendto(socket(AF_INET6, SOCK_DGRAM | SOCK_CLOEXEC, 0), "x", 1, 0, at, sizeof address);
	address.sin6_port = 0;
	return bind(socket(AF_INET6, SOCK_STREAM | SOCK_CLOEXEC, 0), at, sizeof address) == 0 ? 0 : errno;
}

Test(decode_net, ports_of_ipv6)
{
	struct recording recording;

	record(&recording, uses_ipv6, TRACE_CALLS_ENFORCED);
	if (recording.result)
		cr_skip_test("%s: there is no IPv6 here", strerrorname_np(recording.result));
	cr_expect_str_eq(buffer_text(&recording.accesses),
			 "port port=1 rights=connect_tcp asked=yes error=ECONNREFUSED call=connect\n"
			 "port port=0 rights=bind_udp asked=yes call=sendto\n"
			 "port port=1 rights=connect_send_udp asked=yes call=sendto\n"
			 "port port=0 rights=bind_tcp asked=yes call=bind\n");
	recording_finish(&recording);
}

/* A port that the kernel chose for one of the session's own sockets is no port to be written down: any, PORT_ANY. */
static int talks_to_itself(void)
{
	int server = make_socket(SOCK_STREAM), other = make_socket(SOCK_STREAM);

	bind_to(server, 0);
	listen(server, 1);
	connect_to(make_socket(SOCK_STREAM), port_of(server));
	listen(other, 1); /* binds as well */
	connect_to(make_socket(SOCK_STREAM), port_of(other));
	bind_to(make_socket(SOCK_STREAM), port_of(other));
	bind_to(make_socket(SOCK_DGRAM), port_of(other)); /* and of the other kind, as getaddrinfo(3) does */
	connect_to(make_socket(SOCK_DGRAM), port_of(server));
	return 0;
}

Test(decode_net, own_ports)
{
	expect_calls(talks_to_itself, "port port=0 rights=bind_tcp asked=yes call=bind\n"
				      "port port=-1 rights=connect_tcp asked=yes call=connect\n"
				      "port port=-1 rights=connect_tcp asked=yes call=connect\n"
				      "port port=-1 rights=bind_tcp asked=yes error=EADDRINUSE call=bind\n"
				      "port port=-1 rights=bind_udp asked=yes call=bind\n"
				      "port port=0 rights=bind_udp asked=yes call=connect\n"
				      "port port=-1 rights=connect_send_udp asked=yes call=connect\n");
}

static int sends(void)
{
	struct sockaddr_in address = at_port(outside_port);
	struct iovec data = {(void *)"x", 1};
	struct msghdr message = {
		.msg_name = &address, .msg_namelen = sizeof address, .msg_iov = &data, .msg_iovlen = 1};
	struct mmsghdr messages[2] = {{.msg_hdr = message}, {.msg_hdr = message}};
	int fd = make_socket(SOCK_DGRAM);

	sendto(fd, "x", 1, 0, (struct sockaddr *)&address, sizeof address);
	sendmsg(fd, &message, 0);
	sendmmsg(fd, messages, 2, 0);
	connect_to(fd, outside_port);
	send(fd, "x", 1, 0);
	message.msg_name = NULL;
	message.msg_namelen = 0;
	sendmsg(fd, &message, 0);
	return 0;
}

#define SENDS(call) "port port=$P rights=connect_send_udp asked=yes call=" call "\n"

Test(decode_net, datagrams)
{
	listen_outside(SOCK_DGRAM);
	expect_calls(sends, "port port=0 rights=bind_udp asked=yes call=sendto\n" SENDS("sendto") SENDS("sendmsg")
				    SENDS("sendmmsg") SENDS("sendmmsg") SENDS("connect"));
}

static void send_to(int fd, int port)
{
	struct sockaddr_in address = at_port(port);

	cr_assert_eq(sendto(fd, "x", 1, 0, (struct sockaddr *)&address, sizeof address), 1);
}

/* A server that answers its client, one inside and one outside; and a client, whose server has a port of its own. */
static int answers(void)
{
	int server = make_socket(SOCK_DGRAM), client = make_socket(SOCK_DGRAM);
	int status, yes = 1;

	setsockopt(server, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes); /* another test may run */
	status = bind_to(server, 20123) ? errno : 0;

	send_to(client, 20123);
	send_to(server, port_of(client));
	send_to(server, outside_port);
	send_to(client, outside_port);
	send_to(client, 20123);
	return status;
}

Test(decode_net, answers_to_datagrams)
{
	listen_outside(SOCK_DGRAM);
	expect_calls(answers, "port port=20123 rights=bind_udp asked=yes call=bind\n"
			      "port port=0 rights=bind_udp asked=yes call=sendto\n"
			      "port port=20123 rights=connect_send_udp asked=yes call=sendto\n"
			      "port port=-1 rights=connect_send_udp asked=yes call=sendto\n"
			      "port port=-1 rights=connect_send_udp asked=yes call=sendto\n"
			      "port port=$P rights=connect_send_udp asked=yes call=sendto\n"
			      "port port=20123 rights=connect_send_udp asked=yes call=sendto\n");
}

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

Test(decode_net, socket_paths)
{
	listen_outside_at("outside", 8);
	expect_calls(uses_paths, "create type=socket path=$D/inside asked=yes call=bind\n"
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
Test(decode_net, socket_paths_that_refuse)
{
	refuse_outside();
	expect_calls(is_refused,
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

Test(decode_net, abstract_names)
{
	snprintf(outside_name + 1, sizeof outside_name - 1, "outside %d", (int)getpid());
	snprintf(inside_name + 1, sizeof inside_name - 1, "inside %d", (int)getpid());
	listen_outside_at(outside_name, sizeof outside_name);
	expect_calls(uses_abstract_names, "scope rights=abstract_unix_socket asked=yes call=connect\n");
}

static int signals_inside(void)
{
	pid_t child = fork();
	int pidfd;

	if (child == 0)
		_exit(pause());
	pidfd = (int)syscall(SYS_pidfd_open, child, 0);
	kill(getpid(), 0);
	kill(0, 0);
	raise(SIGCONT);
	syscall(SYS_pidfd_send_signal, pidfd, 0, NULL, 0);
	kill(child, SIGKILL);
	waitpid(child, NULL, 0);
	kill(child, 0);
	return close(pidfd);
}

Test(decode_net, signals_inside)
{
	expect_calls(signals_inside, "");
}

static void wait_for_end(pid_t child)
{
	siginfo_t info;

	waitid(P_PID, (id_t)child, &info, WEXITED | WNOWAIT);
}

/* Ended and not waited for: signals still arrive, in the same domain. */
static int signals_ended(void)
{
	pid_t child = fork();
	int pidfd;

	if (child == 0)
		_exit(0);
	pidfd = (int)syscall(SYS_pidfd_open, child, 0);
	wait_for_end(child);
	kill(child, SIGTERM);
	syscall(SYS_pidfd_send_signal, pidfd, 0, NULL, 0);
	waitpid(child, NULL, 0);
	return close(pidfd);
}

Test(decode_net, signals_ended)
{
	expect_calls(signals_ended, "");
}

/* A group whose leader has ended, and was waited for. */
static int signals_left_behind(void)
{
	int fds[2];
	pid_t leader, member = 0;

	if (pipe(fds) != 0)
		return errno;
	leader = fork();
	if (leader == 0) {
		setpgid(0, 0);
		member = fork();
		if (member == 0)
			_exit(pause());
		_exit(write(fds[1], &member, sizeof member) != sizeof member);
	}
	if (read(fds[0], &member, sizeof member) != sizeof member)
		return EIO;
	waitpid(leader, NULL, 0);
	return kill(-leader, SIGKILL) ? errno : 0;
}

Test(decode_net, signals_left_behind)
{
	expect_calls(signals_left_behind, "");
}

static int signals_outside(void)
{
	int pidfd = (int)syscall(SYS_pidfd_open, getppid(), 0);

	kill(getppid(), 0);
	syscall(SYS_pidfd_send_signal, pidfd, 0, NULL, 0);
	return close(pidfd);
}

Test(decode_net, signals_outside)
{
	expect_calls(signals_outside, "scope rights=signal asked=yes call=kill\n"
				      "scope rights=signal asked=yes call=pidfd_send_signal\n");
}

/* Whom the kernel signals for a descriptor: what comes of it later shows in no call. */
static int owners(void)
{
	struct f_owner_ex group = {F_OWNER_PGRP, getpgid(getppid())}, own = {F_OWNER_TID, (pid_t)syscall(SYS_gettid)};
	int pair[2], outside = getppid(), inside = getpid(), result;

	setpgid(0, 0);
	result = socketpair(AF_UNIX, SOCK_STREAM, 0, pair);
	result |= fcntl(pair[0], F_SETOWN, inside) | fcntl(pair[0], F_SETOWN, 0) | fcntl(pair[0], F_SETOWN_EX, &own);
	result |= ioctl(pair[0], FIOSETOWN, &inside);
	result |= fcntl(pair[0], F_SETOWN, outside) | fcntl(pair[0], F_SETOWN_EX, &group);
	result |= ioctl(pair[0], FIOSETOWN, &outside) | ioctl(pair[0], SIOCSPGRP, &outside);
	return result || !fcntl(-1, F_SETOWN, outside);
}

Test(decode_net, owners_of_descriptors)
{
	expect_calls(owners, "scope rights=signal asked=yes call=fcntl\n"
			     "scope rights=signal asked=yes call=fcntl\n"
			     "scope rights=signal asked=yes call=ioctl\n"
			     "scope rights=signal asked=yes call=ioctl\n");
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

Test(decode_net, descriptors_in_messages)
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

#ifdef __x86_64__
/* socketcall(2), as 32-bit programs of old libraries use it: number, and an array of arguments. */
static long socketcall_i386(long which, const uint32_t *arguments)
{
	long result;

	__asm__ volatile("int $0x80" : "=a"(result) : "a"(102), "b"(which), "c"((long)arguments) : "memory");
	return result;
}

static int uses_socketcall(void)
{
	uint32_t *low = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_32BIT, -1, 0);
	struct sockaddr_in *address = (struct sockaddr_in *)&low[16];

	*address = at_port(outside_port);
	low[0] = (uint32_t)make_socket(SOCK_STREAM);
	low[1] = (uint32_t)(uintptr_t)address;
	low[2] = sizeof *address;
	return socketcall_i386(3, low) == -ENOSYS ? ENOSYS : 0;
}

Test(decode_net, socketcall)
{
	struct recording recording;

	listen_outside(SOCK_STREAM);
	record(&recording, uses_socketcall, TRACE_CALLS_ENFORCED);
	if (recording.result == ENOSYS)
		cr_skip_test("this kernel runs no 32-bit programs");
	cr_expect_eq(strncmp(buffer_text(&recording.accesses), "port port=", 10), 0, "%s",
		     buffer_text(&recording.accesses));
	recording_finish(&recording);
}
#endif
