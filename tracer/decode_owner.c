/*
 * Whom the kernel signals for a descriptor: input that is ready, a lease that ends, a change in a directory (fcntl(2)).
 * The call that names the owner is never refused; the signals are dropped later, each without a word, where the domain
 * of who named it may not send them. No call and no stop shows those, so naming an owner outside counts as sending.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/sockios.h>
#include <signal.h>
#include <sys/ioctl.h>

#include "tracer/decoder.h"

/* As kill(2) has it: a negative one is a group. 0 for none, or where it cannot be read: then the call fails. */
static pid_t read_owner(const struct decoder *decoder, const struct task *task, const struct call *call)
{
	uint64_t argument = call->arguments[2];
	struct f_owner_ex owner;
	int pid;

	switch ((uint32_t)call->arguments[1]) {
	case F_SETOWN:
		return (pid_t)argument;
	case F_SETOWN_EX:
		if (memory_read(&decoder->memory, task->tid, argument, &owner, sizeof owner) != 0 || owner.pid <= 0)
			return 0;
		return owner.type == F_OWNER_PGRP ? -owner.pid : owner.pid;
	case FIOSETOWN:
	case SIOCSPGRP:
		return memory_read(&decoder->memory, task->tid, argument, &pid, sizeof pid) == 0 ? pid : 0;
	default:
		return 0;
	}
}

/* One that we may not signal does not get the program's signals either. */
static bool owner_entry(struct decoder *decoder, struct task *task, struct call *call, const struct event *event)
{
	pid_t owner = read_owner(decoder, task, call);

	(void)event;
	if (!decoder_is_to_outside(task, owner))
		return false;
	return kill(owner, 0) == 0;
}

static void owner_exit(struct decoder *decoder, struct task *task, struct call *call)
{
	struct access access = {.kind = ACCESS_SCOPE, .rights = RIGHT_SIGNAL, .asked = true, .silent = true};

	if (!call->error)
		decoder_report_plain(decoder, task, call, &access);
}

const struct call_class owner_class = {owner_entry, owner_exit};
