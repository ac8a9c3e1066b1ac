#include "runner/verify_sockets.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <arpa/inet.h>
#include <netinet/in.h>

#include "base/cleanup.h"
#include "base/memory.h"
#include "profile/rights.h"

#define MOST_TRIES 20

static struct sockaddr_in loopback(uint16_t port)
{
	return (struct sockaddr_in){
		.sin_family = AF_INET, .sin_port = htons(port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
}

static int type_of(rights_t right)
{
	return right & (RIGHT_BIND_UDP | RIGHT_CONNECT_SEND_UDP) ? SOCK_DGRAM : SOCK_STREAM;
}

/* A port of ours, held by a socket that stays open until this process ends; 0 for none. */
static uint16_t hold_port(rights_t right)
{
	struct sockaddr_in address = loopback(0);
	socklen_t size = sizeof address;
	scoped_fd fd = socket(AF_INET, type_of(right) | SOCK_CLOEXEC, 0);

	if (fd < 0 || bind(fd, (struct sockaddr *)&address, size) < 0 ||
	    getsockname(fd, (struct sockaddr *)&address, &size) < 0 ||
	    (type_of(right) == SOCK_STREAM && listen(fd, 4) < 0))
		return 0;
	steal_fd(&fd);
	return ntohs(address.sin_port);
}

static bool is_granted(const struct ruleset *ruleset, uint16_t port, rights_t right)
{
	for (size_t i = 0; i < ruleset->port_count; i++)
		if (ruleset->ports[i].port == port && ruleset->ports[i].rights & right)
			return true;
	return false;
}

static uint16_t hold_refused_port(const struct ruleset *ruleset, rights_t right)
{
	for (int i = 0; i < MOST_TRIES; i++) {
		uint16_t port = hold_port(right);

		if (!port || !is_granted(ruleset, port, right))
			return port;
	}
	return 0;
}

static void make_port(struct verify_port *probe, struct ruleset *ruleset)
{
	rights_t right = probe->right->bit;

	probe->refused = hold_refused_port(ruleset, right);
	probe->granted = hold_port(right);
	if (!probe->granted || !probe->refused)
		probe->granted = probe->refused = 0;
	else if (!is_granted(ruleset, probe->granted, right))
		*ARRAY_APPEND(ruleset->ports, ruleset->port_count, ruleset->port_capacity) =
			(struct ruleset_port){.port = probe->granted, .rights = right};
}

void verify_sockets_make(struct verify_sockets *sockets, struct ruleset *ruleset)
{
	size_t count = 0;

	*sockets =
		(struct verify_sockets){.scopes = ruleset->handled & RIGHTS_SCOPE, .outsider = getpid(), .client = -1};
	for (const struct right *right = right_table; right->name; right++) {
		if (right->class != RIGHT_CLASS_NETWORK || !(right->bit & ruleset->handled))
			continue;
		sockets->ports[count].right = right;
		make_port(&sockets->ports[count++], ruleset);
	}
}

/* A bind finds the port taken (EADDRINUSE), after Landlock's check. */
static int try_port(rights_t right, uint16_t port)
{
	struct sockaddr_in address = loopback(port);
	scoped_fd fd = socket(AF_INET, type_of(right) | SOCK_CLOEXEC, 0);
	int result;

	if (fd < 0)
		return errno;
	result = right & (RIGHT_BIND_TCP | RIGHT_BIND_UDP) ? bind(fd, (struct sockaddr *)&address, sizeof address)
							   : connect(fd, (struct sockaddr *)&address, sizeof address);
	return result < 0 ? errno : 0;
}

static int connect_abstract(const struct verify_sockets *sockets, int fd)
{
	return connect(fd, (const struct sockaddr *)sockets->name, (socklen_t)sockets->name_size) < 0 ? errno : 0;
}

/* The kernel gives the name. The sockets stay open until the probe ends. */
static void make_abstract(struct verify_sockets *sockets)
{
	struct sockaddr_un address = {.sun_family = AF_UNIX};
	socklen_t size = sizeof address;
	int server = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	scoped_fd client = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

	_Static_assert(sizeof address <= sizeof sockets->name, "it has room");
	sockets->client = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (server < 0 || client < 0 || sockets->client < 0 ||
	    bind(server, (struct sockaddr *)&address, sizeof address.sun_family) < 0 || listen(server, 4) < 0 ||
	    getsockname(server, (struct sockaddr *)&address, &size) < 0)
		return;
	memcpy(sockets->name, &address, size);
	sockets->name_size = size;
	sockets->abstract_outside = connect_abstract(sockets, client);
}

static int signal_to(pid_t pid)
{
	return kill(pid, 0) < 0 ? errno : 0;
}

void verify_sockets_try_outside(struct verify_sockets *sockets)
{
	for (size_t i = 0; i < VERIFY_PORT_PROBES && sockets->ports[i].right; i++)
		if (sockets->ports[i].refused)
			sockets->ports[i].outside = try_port(sockets->ports[i].right->bit, sockets->ports[i].refused);
	make_abstract(sockets);
	sockets->signal_outside = signal_to(sockets->outsider);
}

static void try_ports_inside(const struct verify_sockets *sockets, struct verify_sheet *sheet)
{
	for (size_t i = 0; i < VERIFY_PORT_PROBES && sockets->ports[i].right; i++) {
		const struct verify_port *probe = &sockets->ports[i];
		struct verify_tried tried = {.outside = probe->outside, .denial = EACCES};

		if (!probe->refused)
			tried.unprovable = "no socket can be made here";
		tried.granted = try_port(probe->right->bit, probe->granted);
		tried.refused = try_port(probe->right->bit, probe->refused);
		verify_access(sheet, probe->right->name, &tried);
	}
}

void verify_sockets_try_inside(const struct verify_sockets *sockets, struct verify_sheet *sheet)
{
	struct verify_tried signal = {.outside = sockets->signal_outside, .denial = EPERM};
	struct verify_tried abstract = {.outside = sockets->abstract_outside, .denial = EPERM, .nothing_granted = true};

	try_ports_inside(sockets, sheet);
	signal.granted = signal_to(getpid());
	signal.refused = signal_to(sockets->outsider);
	if (!sockets->name_size)
		abstract.unprovable = "no unix socket can be made here";
	else
		abstract.refused = connect_abstract(sockets, sockets->client);
	if (sockets->scopes & RIGHT_ABSTRACT_UNIX_SOCKET)
		verify_access(sheet, "abstract_unix_socket", &abstract);
	if (sockets->scopes & RIGHT_SIGNAL)
		verify_access(sheet, "signal", &signal);
}
