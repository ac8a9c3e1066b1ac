/* Sockets: ports, socket paths, and the border around abstract names. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>

#include "base/cleanup.h"
#include "base/memory.h"
#include "profile/profile.h"
#include "tracer/decoder.h"

#define MESSAGES 64 /* of one sendmmsg(2) that are looked at */

static void read_address(const struct decoder *decoder, const struct task *task, uint64_t at, uint64_t length,
			 struct address *address)
{
	struct sockaddr_storage storage;

	*address = (struct address){0};
	if (at && length <= sizeof storage && memory_read(&decoder->memory, task->tid, at, &storage, length) == 0)
		address_parse(&storage, length, address);
}

static int descriptor(const struct call *call)
{
	return (int)call_argument(call, call->row->directory);
}

/* Whether any address is of a kind that may matter; then the socket is looked at. */
static bool take_socket(struct decoder *decoder, const struct task *task, struct call *call)
{
	bool ports = false, any = false;
	int result;
	size_t i;

	for (i = 0; i < call->address_count; i++) {
		ports |= call->addresses[i].kind == ADDRESS_PORT;
		any |= call->addresses[i].kind != ADDRESS_NONE;
	}
	if (!ports)
		return any;
	result = socket_look(task, descriptor(call), &call->socket);
	if (result && result != -ENOTSOCK && result != -EBADF && !task_is_ending(task))
		decoder_incomplete(decoder, "what kind of socket was used could not be told");
	if (result)
		return false;
	return call->socket.bind || call->socket.connect;
}

/* Each message has its own. */
static size_t read_messages(struct decoder *decoder, const struct task *task, const struct call *call, size_t count,
			    struct address *addresses)
{
	const struct foreign foreign = call_memory(decoder, task, call);
	uint64_t at = call_argument(call, call->row->path);
	struct socket_message message;
	size_t i;

	for (i = 0; i < count; i++, at += socket_message_stride(foreign.is_64_bit)) {
		if (socket_message_read(&foreign, at, &message) != 0)
			break;
		read_address(decoder, task, message.name, message.name_length, &addresses[i]);
		if (!call->addresses)
			received_remember_sent(decoder, task, call, &message);
	}
	return i;
}

/* The caller frees them. bind, connect, sendto: address, then its length; sendmmsg: array, then its length. */
static struct address *read_addresses(struct decoder *decoder, const struct task *task, const struct call *call,
				      size_t *count)
{
	uint64_t after = (uint32_t)call_argument(call, call->row->path + 1);
	struct address *addresses;

	*count = call->row->class != CALL_SEND_MESSAGES ? 1 : after < MESSAGES ? after : MESSAGES;
	addresses = allocate_array(*count, sizeof *addresses);
	if (call->row->class == CALL_SEND_MESSAGE || call->row->class == CALL_SEND_MESSAGES)
		*count = read_messages(decoder, task, call, *count, addresses);
	else
		read_address(decoder, task, call_argument(call, call->row->path), after, addresses);
	return addresses;
}

static bool is_same(const struct address *one, const struct address *other)
{
	return one->kind == other->kind && one->port == other->port && one->length == other->length &&
	       memcmp(one->name, other->name, sizeof one->name) == 0;
}

/* As decode_changed.c does with names. */
static bool has_changed(struct decoder *decoder, const struct task *task, const struct call *call)
{
	scoped_free struct address *now = NULL;
	size_t i, count;

	if (!call_may_change(decoder))
		return false;
	now = read_addresses(decoder, task, call, &count);
	if (count != call->address_count || sockets_has_changed(decoder, task, call))
		return true;
	for (i = 0; i < count; i++)
		if (!is_same(&now[i], &call->addresses[i]))
			return true;
	return false;
}

/* Not where the error says that nothing was found, or comes before any address is looked at. */
static bool say_changed(struct decoder *decoder, const struct task *task, const struct call *call)
{
	if (call->error == ENOENT || !decoder_asked(decoder, ORDER_INTERNET, call->error, 0) ||
	    !has_changed(decoder, task, call) || task_is_ending(task))
		return false;
	decoder_incomplete(decoder, "the address of a call could not be told (%s)", call->row->name);
	return true;
}

static bool address_entry(struct decoder *decoder, struct task *task, struct call *call, const struct event *event)
{
	(void)event;
	call->addresses = read_addresses(decoder, task, call, &call->address_count);
	return take_socket(decoder, task, call);
}
static bool is_chosen(struct decoder *decoder, int port)
{
	scoped_file range = NULL;

	if (!decoder->chosen_first) {
		range = fopen("/proc/sys/net/ipv4/ip_local_port_range", "re");
		if (!range || fscanf(range, "%d %d", &decoder->chosen_first, &decoder->chosen_last) != 2)
			decoder->chosen_first = decoder->chosen_last = -1;
	}
	return port >= decoder->chosen_first && port <= decoder->chosen_last;
}

/* From a port that the program chose to one that kernels choose: the answer of a server of datagrams to its client. */
static bool is_answer(struct decoder *decoder, const struct call *call, int port)
{
	int own = call->socket.address.port;

	return call->socket.connect == RIGHT_CONNECT_SEND_UDP && own && !bound_has_port(decoder, own) &&
	       is_chosen(decoder, port);
}

/*
 * A port that the kernel chose, for a socket of the session or for its peer's, is another one next time: no number can
 * be granted.
 */
static int lasting_port(struct decoder *decoder, const struct call *call, int port)
{
	if (!bound_has_port(decoder, port) && !is_answer(decoder, call, port))
		return port;
	decoder_notice(decoder, "a port that the kernel chose was used again (%s): every port is granted",
		       call->row->name);
	return PORT_ANY;
}

static void report_port(struct decoder *decoder, struct task *task, const struct call *call, rights_t rights, int port)
{
	struct access access = {.kind = ACCESS_PORT, .rights = rights, .port = port};

	access.asked = decoder_asked(decoder, ORDER_INTERNET, call->error, 0);
	decoder_report_plain(decoder, task, call, &access);
}

/* A datagram socket without a port gets one first, which is a bind to port 0 to Landlock (ABI 10). */
static void report_remote_port(struct decoder *decoder, struct task *task, const struct call *call,
			       const struct address *address)
{
	if (call->socket.connect == RIGHT_CONNECT_SEND_UDP && !call->socket.address.port) {
		report_port(decoder, task, call, RIGHT_BIND_UDP, 0);
		bound_look(decoder, task, call);
	}
	report_port(decoder, task, call, call->socket.connect, lasting_port(decoder, call, address->port));
}

static bool is_connecting(const struct call *call)
{
	return call->row->class == CALL_CONNECT;
}

/* Of a connected socket that keeps packets in order the kernel passes over the address of a send. */
static bool takes_address(const struct task *task, const struct call *call)
{
	struct socket_facts facts;

	return is_connecting(call) || socket_look(task, descriptor(call), &facts) != 0 || !facts.in_order;
}

static void report_socket_path(struct decoder *decoder, struct task *task, struct call *call,
			       const struct address *address)
{
	struct access access = {.kind = ACCESS_USE, .rights = RIGHT_RESOLVE_UNIX};
	struct name name = {.directory = AT_FDCWD, .text = address->name, .follow = true};
	unsigned connecting = is_connecting(call) ? FACT_CONNECTING : 0;
	struct object object;

	if (!takes_address(task, call) ||
	    !decoder_asked(decoder, ORDER_SOCKET_PATH, call->error, connecting | FACT_BOUND))
		return;
	resolve_name(decoder->resolver, task, &name, &object);
	access.asked = decoder_asked(decoder, ORDER_SOCKET_PATH, call->error, connecting) ||
		       (object.path && socket_is_bound(object.path));
	/* A socket of the session's own is inside its domain. */
	if (access.asked && !bound_has_object(decoder, &object))
		decoder_report(decoder, task, call, &access, &object);
	object_finish(&object);
}

static void report_abstract(struct decoder *decoder, struct task *task, struct call *call,
			    const struct address *address)
{
	struct access access = {.kind = ACCESS_SCOPE, .rights = RIGHT_ABSTRACT_UNIX_SOCKET};
	unsigned facts = is_connecting(call) ? FACT_CONNECTING : FACT_SENDING;

	access.asked = order_asked(ORDER_ABSTRACT, call->error, facts) || (decoder->confined && call->error == EPERM);
	if (access.asked && takes_address(task, call) && !bound_has_name(decoder, address->name, address->length))
		decoder_report_plain(decoder, task, call, &access);
}

/* Of many messages: those that were sent, or the first one, which failed. */
static size_t done(const struct call *call)
{
	size_t sent = call->error ? 1 : (size_t)call->result;

	return call->row->class == CALL_SEND_MESSAGES && sent < call->address_count ? sent : call->address_count;
}

static void remote_exit(struct decoder *decoder, struct task *task, struct call *call)
{
	size_t i;

	if (say_changed(decoder, task, call))
		return;
	for (i = 0; i < done(call); i++) {
		const struct address *address = &call->addresses[i];

		if (address->kind == ADDRESS_PORT && call->socket.connect)
			report_remote_port(decoder, task, call, address);
		else if (address->kind == ADDRESS_PATH)
			report_socket_path(decoder, task, call, address);
		else if (address->kind == ADDRESS_ABSTRACT)
			report_abstract(decoder, task, call, address);
	}
	if (!call->error && bound_may_be_named(call))
		bound_look(decoder, task, call);
}

static void bind_path(struct decoder *decoder, struct task *task, struct call *call, const struct address *address)
{
	struct access access = {.kind = ACCESS_CREATE, .type = OBJECT_SOCKET};
	struct object object;

	access.asked = decoder_asked(decoder, ORDER_BIND_PATH, call->error, 0);
	if (!access.asked)
		return;
	bound_resolve(decoder, task, address, &object);
	if (!call->error) {
		bound_add_object(decoder, &object);
		met_tell_made(decoder, task, &object, access.type);
	}
	decoder_report(decoder, task, call, &access, &object);
	object.type = access.type;
	if (!call->error)
		met_report(decoder, task, call, &call->met, &object);
	object_finish(&object);
}

static void bind_exit(struct decoder *decoder, struct task *task, struct call *call)
{
	const struct address *address = call->addresses;

	if (say_changed(decoder, task, call))
		return;
	if (address->kind == ADDRESS_PORT && call->socket.bind) {
		report_port(decoder, task, call, call->socket.bind, lasting_port(decoder, call, address->port));
		if (!call->error && !address->port)
			bound_look(decoder, task, call);
	} else if (address->kind == ADDRESS_PATH) {
		bind_path(decoder, task, call, address);
	} else if (!call->error && address->kind != ADDRESS_PORT) {
		bound_look(decoder, task, call);
	}
}

const struct call_class bind_class = {address_entry, bind_exit};
const struct call_class connect_class = {address_entry, remote_exit};
const struct call_class send_class = {address_entry, remote_exit};
const struct call_class send_message_class = {address_entry, remote_exit};
const struct call_class send_messages_class = {address_entry, remote_exit};

/* Listening gives a port to a socket that has none. */
static bool listen_entry(struct decoder *decoder, struct task *task, struct call *call, const struct event *event)
{
	(void)decoder, (void)event;
	return socket_look(task, descriptor(call), &call->socket) == 0 && call->socket.bind &&
	       !call->socket.address.port;
}

static void listen_exit(struct decoder *decoder, struct task *task, struct call *call)
{
	if (!call->error)
		bound_look(decoder, task, call);
}

const struct call_class listen_class = {listen_entry, listen_exit};
