/*
 * The sockets that the session itself bound: both ends are in one domain then, and Landlock asks for nothing. A call
 * has done its work before its exit stop is handled, and the stops of several tasks are handled in any order: a client
 * may be told of a socket whose bind(2) is still in progress here. So what calls in progress have bound is looked at
 * too.
 */
#include <string.h>

#include "tracer/decoder.h"

void bound_resolve(const struct decoder *decoder, const struct task *task, const struct address *address,
		   struct object *object)
{
	struct name name = {.directory = AT_FDCWD, .text = address->name};

	resolve_name(decoder->resolver, task, &name, object);
}

/* By its path too: the name may be gone before anyone comes to ask for it. */
void bound_add_object(struct decoder *decoder, const struct object *object)
{
	if (object->path)
		seen_add(&decoder->sockets, object->path, strlen(object->path));
	if (object->type == OBJECT_SOCKET)
		seen_add(&decoder->socket_inodes, &(struct inode){object->device, object->inode}, sizeof(struct inode));
}

/* Five digits, as the kernel chooses them. */
static bool is_chosen(const struct address *address)
{
	return address->length == 6 && strspn(address->name + 1, "0123456789abcdef") == 5;
}

/*
 * Of a bind(2) to a path, the kernel names the socket before anybody can find it there. Other calls bind only to what
 * the kernel chooses: a name that was there may be of a socket from before the session.
 */
void bound_look(struct decoder *decoder, const struct task *task, const struct call *call)
{
	bool binds = call->class == &bind_class;
	struct socket_facts now;
	struct object object;

	if (socket_look(task, (int)call_argument(call, call->row->directory), &now) != 0)
		return;
	switch (now.address.kind) {
	case ADDRESS_PORT:
		if (now.address.port)
			seen_add(&decoder->loose_ports, &now.address.port, sizeof now.address.port);
		break;
	case ADDRESS_PATH:
		if (!binds)
			break;
		bound_resolve(decoder, task, &now.address, &object);
		bound_add_object(decoder, &object);
		object_finish(&object);
		break;
	case ADDRESS_ABSTRACT:
		if (binds || is_chosen(&now.address))
			seen_add(&decoder->sockets, now.address.name, now.address.length);
		break;
	default:
		break;
	}
}

/* A socket that is to pass credentials (SO_PASSCRED) is given a name when it first goes to another one. */
bool bound_may_be_named(const struct call *call)
{
	return call->class != &bind_class && call->address_count &&
	       (call->addresses->kind == ADDRESS_PATH || call->addresses->kind == ADDRESS_ABSTRACT);
}

/* Whether its name or port is to be looked at: not a port that the program chose. */
static bool may_bind(const struct call *call)
{
	if (call->class == &bind_class)
		return call->addresses->kind != ADDRESS_PORT || !call->addresses->port;
	if (bound_may_be_named(call))
		return true;
	if (call->socket.address.port)
		return false;
	return call->class == &listen_class || call->socket.connect == RIGHT_CONNECT_SEND_UDP;
}

static bool is_in_progress(struct decoder *decoder, struct seen *const *set, const void *key, size_t length)
{
	for (const struct task *task = decoder->tasks->tasks; task; task = task->hh.next)
		if (task->call && task->call->class && may_bind(task->call))
			bound_look(decoder, task, task->call);
	return seen_has(*set, key, length);
}

static bool has(struct decoder *decoder, struct seen *const *set, const void *key, size_t length)
{
	return seen_has(*set, key, length) || is_in_progress(decoder, set, key, length);
}

bool bound_has_name(struct decoder *decoder, const char *name, size_t length)
{
	return has(decoder, &decoder->sockets, name, length);
}

bool bound_has_object(struct decoder *decoder, const struct object *object)
{
	struct inode inode = {object->device, object->inode};

	return (object->path && bound_has_name(decoder, object->path, strlen(object->path))) ||
	       (object->type == OBJECT_SOCKET && has(decoder, &decoder->socket_inodes, &inode, sizeof inode));
}

/*
 * Whatever kind of socket it was chosen for: getaddrinfo(3) connects a UDP socket to a server of TCP, to learn the way,
 * and a server may bind the same number for both.
 */
bool bound_has_port(struct decoder *decoder, int port)
{
	return has(decoder, &decoder->loose_ports, &port, sizeof port);
}
