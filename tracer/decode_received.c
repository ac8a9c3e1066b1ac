/*
 * Descriptors that come in a message (SCM_RIGHTS). What one process of the session sends to another is nothing new;
 * what comes from outside was not opened in the session, and nobody limits what is done with it.
 *
 * Only memory says whether a receive has room for a descriptor, so each one stops at its entry; its exit is needed only
 * where it has. pidfd_getfd(2) is not here: Landlock refuses it outside of the domain, while learning too.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/cleanup.h"
#include "tracer/decoder.h"
#include "tracer/inherited.h"

#define MESSAGES 64 /* of one recvmmsg(2) that are looked at */
#define TOLD	 10 /* descriptors that are named */

static void link_of(char *link, size_t size, const struct task *task, int fd)
{
	snprintf(link, size, "/proc/%d/fd/%d", (int)task->tid, fd);
}

static bool inode_of(const char *link, struct inode *inode)
{
	struct stat status;

	if (stat(link, &status) != 0)
		return false;
	memset(inode, 0, sizeof *inode); /* it is compared as bytes */
	inode->device = status.st_dev;
	inode->inode = status.st_ino;
	return true;
}

void received_remember_sent(struct decoder *decoder, const struct task *task, const struct call *call,
			    const struct socket_message *message)
{
	const struct foreign foreign = call_memory(decoder, task, call);
	int fds[SOCKET_MESSAGE_DESCRIPTORS];
	size_t count = socket_message_descriptors(&foreign, message, fds);
	struct inode inode;
	char link[64];

	for (size_t i = 0; i < count; i++) {
		link_of(link, sizeof link, task, fds[i]);
		if (inode_of(link, &inode))
			seen_add(&decoder->sent, &inode, sizeof inode);
	}
}

static void tell(struct decoder *decoder, struct task *task, const char *link)
{
	scoped_free char *name = inherited_name(link);

	if (decoder->received_count++ < TOLD)
		decoder_notice(decoder, "%s received a descriptor from outside, which no profile limits: %s",
			       task_image(decoder, task), name);
	else
		decoder_notice(decoder, "more than %d descriptors were received from outside", TOLD);
}

static void look_at(struct decoder *decoder, struct task *task, int fd)
{
	struct inode inode;
	char link[64];

	link_of(link, sizeof link, task, fd);
	if (inode_of(link, &inode) && seen_add(&decoder->sent, &inode, sizeof inode))
		tell(decoder, task, link);
}

static bool has_room(const struct decoder *decoder, const struct task *task, const struct call *call, uint64_t count)
{
	const struct foreign foreign = call_memory(decoder, task, call);
	uint64_t at = call_argument(call, call->row->path);
	struct socket_message message;

	for (uint64_t i = 0; i < count && i < MESSAGES; i++, at += socket_message_stride(foreign.is_64_bit)) {
		if (socket_message_read(&foreign, at, &message) != 0)
			break;
		if (socket_message_has_room(&foreign, &message))
			return true;
	}
	return false;
}

static void take(struct decoder *decoder, struct task *task, const struct call *call, uint64_t count)
{
	const struct foreign foreign = call_memory(decoder, task, call);
	uint64_t at = call_argument(call, call->row->path);
	struct socket_message message;
	int fds[SOCKET_MESSAGE_DESCRIPTORS];

	for (uint64_t i = 0; i < count && i < MESSAGES; i++, at += socket_message_stride(foreign.is_64_bit)) {
		size_t received;

		if (socket_message_read(&foreign, at, &message) != 0)
			break;
		received = socket_message_descriptors(&foreign, &message, fds);
		for (size_t j = 0; j < received; j++)
			look_at(decoder, task, fds[j]);
	}
}

/* Another thread may use what comes before the exit is handled. */
static bool takes(const struct decoder *decoder, bool has_room)
{
	if (has_room)
		resolver_mounts_differ(decoder->resolver);
	return has_room;
}

static bool receive_entry(struct decoder *decoder, struct task *task, struct call *call, const struct event *event)
{
	(void)event;
	return takes(decoder, has_room(decoder, task, call, 1));
}

static void receive_exit(struct decoder *decoder, struct task *task, struct call *call)
{
	if (!call->error)
		take(decoder, task, call, 1);
}

const struct call_class receive_class = {receive_entry, receive_exit};

static bool receive_many_entry(struct decoder *decoder, struct task *task, struct call *call, const struct event *event)
{
	(void)event;
	return takes(decoder, has_room(decoder, task, call, (uint32_t)call_argument(call, call->row->path + 1)));
}

static void receive_many_exit(struct decoder *decoder, struct task *task, struct call *call)
{
	if (!call->error)
		take(decoder, task, call, (uint64_t)call->result);
}

const struct call_class receive_many_class = {receive_many_entry, receive_many_exit};
