/* Which calls ask for the scope of abstract names, proved against the running kernel. */
#include <errno.h>
#include <signal.h>
#include <stddef.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

#include "tests/live/prove.h"

TestSuite(order_sockets, .timeout = 60);

static pid_t owner; /* of the names outside */
static int held[16], held_count;

struct at {
	struct sockaddr_un address;
	socklen_t length;
};

static struct at named(const char *name, pid_t of)
{
	struct at at = {.address.sun_family = AF_UNIX};
	char *text = at.address.sun_path + 1;
	int length = snprintf(text, sizeof at.address.sun_path - 1, "trace-learn order %d %s", (int)of, name);

	at.length = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + (size_t)length);
	return at;
}

static int hold(int type)
{
	int fd = socket(AF_UNIX, type | SOCK_CLOEXEC, 0);

	must(fd >= 0 && held_count < 16);
	return held[held_count++] = fd;
}

static int bound_at(int type, const char *name, pid_t of)
{
	struct at at = named(name, of);
	int fd = hold(type);

	must(bind(fd, (struct sockaddr *)&at.address, at.length) == 0);
	return fd;
}

static long connects(int fd, const char *name, pid_t of)
{
	struct at at = named(name, of);

	return connect(fd, (struct sockaddr *)&at.address, at.length);
}

static long sends(int fd, const char *name, pid_t of, size_t size, int flags)
{
	static char data[1 << 20];
	struct at at = named(name, of);

	return sendto(fd, data, size, flags, (struct sockaddr *)&at.address, at.length);
}

/* Of datagrams: open, full, deaf (it reads no more) and busy (it talks to another). Of streams: ears, crowd (it
 * listens, and its queue is full) and idle (it does not listen). */
static void furnish(void)
{
	int fd;

	while (held_count)
		close(held[--held_count]);
	owner = getpid();
	bound_at(SOCK_DGRAM, "open", owner);
	bound_at(SOCK_DGRAM, "full", owner);
	fd = hold(SOCK_DGRAM);
	while (sends(fd, "full", owner, 1, MSG_DONTWAIT) == 1)
		;
	must(errno == EAGAIN);
	must(shutdown(bound_at(SOCK_DGRAM, "deaf", owner), SHUT_RD) == 0);
	must(connects(bound_at(SOCK_DGRAM, "busy", owner), "open", owner) == 0);
	bound_at(SOCK_STREAM, "idle", owner);
	must(listen(bound_at(SOCK_STREAM, "ears", owner), 8) == 0);
	must(listen(bound_at(SOCK_STREAM, "crowd", owner), 0) == 0);
	while (connects(hold(SOCK_STREAM | SOCK_NONBLOCK), "crowd", owner) == 0)
		;
	must(errno == EAGAIN);
}

#define SCENARIO(name, call) PROVE(order_sockets, furnish, name, call)

/* Again and again, as the first one may come before a call waits; each from here on, since on a busy machine the tracer
 * takes so long for a signal that ones with an interval would leave no time for anything else. */
static void on_alarm(int signal)
{
	const struct itimerval soon = {.it_value.tv_usec = 20000};

	(void)signal;
	setitimer(ITIMER_REAL, &soon, NULL);
}

/* Calls that wait end with EINTR. */
static void interrupt(void)
{
	const struct sigaction action = {.sa_handler = on_alarm};

	sigaction(SIGALRM, &action, NULL);
	on_alarm(SIGALRM);
}

/* Those with a limit of time of their own with EAGAIN. */
static int impatient(int type)
{
	const struct timeval limit = {.tv_usec = 20000};
	int fd = socket(AF_UNIX, type | SOCK_CLOEXEC, 0);

	setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof limit);
	return fd;
}

static int datagram(void)
{
	return socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
}

static int stream(int flags)
{
	return socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | flags, 0);
}

SCENARIO(sent, sends(datagram(), "open", owner, 1, 0))
SCENARIO(sent_to_nobody, sends(datagram(), "none", owner, 1, 0))
SCENARIO(sent_to_full, sends(datagram(), "full", owner, 1, MSG_DONTWAIT))
SCENARIO(sent_to_full_for_a_while, sends(impatient(SOCK_DGRAM), "full", owner, 1, 0))
SCENARIO(sent_until_interrupted, (interrupt(), sends(datagram(), "full", owner, 1, 0)))
SCENARIO(sent_to_deaf, sends(datagram(), "deaf", owner, 1, MSG_NOSIGNAL))
SCENARIO(sent_to_busy, sends(datagram(), "busy", owner, 1, 0))
SCENARIO(sent_to_a_stream, sends(datagram(), "ears", owner, 1, 0))
SCENARIO(sent_too_much, sends(datagram(), "open", owner, 1 << 20, 0))
SCENARIO(sent_out_of_band, sends(datagram(), "open", owner, 1, MSG_OOB))
SCENARIO(sent_by_a_stream, sends(stream(0), "ears", owner, 1, 0))

SCENARIO(connected, connects(datagram(), "open", owner))
SCENARIO(connected_to_full, connects(datagram(), "full", owner))
SCENARIO(connected_to_busy, connects(datagram(), "busy", owner))
SCENARIO(connected_stream, connects(stream(0), "ears", owner))
SCENARIO(connected_to_idle, connects(stream(0), "idle", owner))
SCENARIO(connected_to_crowd, connects(stream(SOCK_NONBLOCK), "crowd", owner))
SCENARIO(connected_to_crowd_for_a_while, connects(impatient(SOCK_STREAM), "crowd", owner))
SCENARIO(connected_until_interrupted, (interrupt(), connects(stream(0), "crowd", owner)))
SCENARIO(connected_to_a_datagram, connects(stream(0), "open", owner))

static long own_end(int type, int used)
{
	int pair[2], fd = socketpair(AF_UNIX, type | SOCK_CLOEXEC, 0, pair) == 0 ? pair[0] : -1;

	return used ? sends(fd, "open", owner, 1, 0) : connects(fd, "ears", owner);
}

SCENARIO(connected_again, own_end(SOCK_STREAM, 0))
SCENARIO(sent_by_a_connected_stream, own_end(SOCK_STREAM, 1))
SCENARIO(sent_by_connected_packets, own_end(SOCK_SEQPACKET, 1)) /* the address is passed over */
SCENARIO(sent_by_a_connected_datagram, own_end(SOCK_DGRAM, 1))

/* Several messages: the first one inside. Fails when not so many were sent. */
static long sends_many(const char *const *names, unsigned count, int wanted)
{
	struct mmsghdr messages[4] = {0};
	struct at at[4];
	struct iovec byte = {at, 1};
	int sent;

	bound_at(SOCK_DGRAM, "inside", getpid());
	for (unsigned i = 0; i < count; i++) {
		at[i] = named(names[i], strcmp(names[i], "inside") == 0 ? getpid() : owner);
		messages[i].msg_hdr = (struct msghdr){
			.msg_name = &at[i].address, .msg_namelen = at[i].length, .msg_iov = &byte, .msg_iovlen = 1};
	}
	sent = sendmmsg(datagram(), messages, count, MSG_DONTWAIT);
	return sent == wanted ? 0 : sent < 0 ? -1 : (errno = EPERM, -1);
}

#define MANY(wanted, ...)                                                                                              \
	sends_many((const char *const[]){__VA_ARGS__}, sizeof((const char *const[]){__VA_ARGS__}) / sizeof(char *),    \
		   wanted)

SCENARIO(many_sent, MANY(2, "inside", "open"))
SCENARIO(many_until_nobody, MANY(1, "inside", "none", "open"))
SCENARIO(many_of_which_the_first_fails, MANY(2, "none", "open"))
SCENARIO(many_inside, MANY(2, "inside", "inside"))
