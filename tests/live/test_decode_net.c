/* What calls on sockets with ports say, with a peer outside of the session. */
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
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
