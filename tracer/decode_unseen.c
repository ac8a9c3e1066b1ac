/* What leads around the tracer, or is refused: rings, filters of the program's own, unknown ABIs. What cannot be seen
 * is said. */
#include <errno.h>
#include <linux/seccomp.h>
#include <string.h>

#include "tracer/decoder.h"
#include "tracer/rewrite.h"

/* What goes through a ring is seen by no filter and no tracer; programs fall back to calls when there is none. */
static bool ring_entry(struct decoder *decoder, struct task *task, struct call *call, const struct event *event)
{
	int result;

	(void)task, (void)call;
	if (decoder->confined || decoder->allow_rings)
		return true;
	result = rewrite_skip(event);
	if (result == -ESRCH)
		return false; /* killed before it was made */
	if (result)
		decoder_incomplete(decoder, "io_uring was used, and could not be refused");
	else
		decoder_incomplete(decoder, "io_uring was refused while learning");
	return false;
}

static void ring_exit(struct decoder *decoder, struct task *task, struct call *call)
{
	if (call->error)
		return;
	if (decoder->confined) {
		decoder_incomplete(decoder, "%s uses io_uring: what is refused through it is not seen",
				   task_image(decoder, task));
		return;
	}
	decoder_incomplete(decoder, "io_uring was allowed while learning, and what went through it was not seen");
}

const struct call_class ring_class = {ring_entry, ring_exit};

/*
 * A filter of the program's own that answers by itself (KILL, TRAP, ERRNO) answers the same in a confined run. But a
 * listener is asked before us: a call that it lets go on (SECCOMP_USER_NOTIF_FLAG_CONTINUE) is made unseen.
 */
static bool is_strict(const struct call *call)
{
	return call->row->fixed ? call->arguments[1] == SECCOMP_MODE_STRICT
				: (uint32_t)call->arguments[0] == SECCOMP_SET_MODE_STRICT;
}

static bool has_listener(const struct call *call)
{
	return !call->row->fixed && (uint32_t)call->arguments[0] == SECCOMP_SET_MODE_FILTER &&
	       call->arguments[1] & SECCOMP_FILTER_FLAG_NEW_LISTENER;
}

static bool seccomp_entry(struct decoder *decoder, struct task *task, struct call *call, const struct event *event)
{
	(void)decoder, (void)task, (void)event;
	return is_strict(call) || has_listener(call);
}

static void seccomp_exit(struct decoder *decoder, struct task *task, struct call *call)
{
	if (is_strict(call) && call->error == EINVAL)
		decoder_notice(decoder,
			       "%s wants seccomp's strict mode, which was refused: there is a filter already, as under "
			       "trace-run",
			       task_image(decoder, task));
	if (is_strict(call) || call->error)
		return;
	resolver_mounts_differ(decoder->resolver); /* unshare(2) and its like among them */
	decoder_incomplete(decoder, "a seccomp listener of the program's own can let calls go on that are not seen");
}

const struct call_class seccomp_class = {seccomp_entry, seccomp_exit};

/* Under a profile it fails the same, but natively it may have done what it was made for. */
void decoder_say_refused(struct decoder *decoder, struct task *task, const struct call *call)
{
	decoder_incomplete(decoder, "%s was refused while learning, as it is under every profile", call->name);
	decoder_notice(decoder, "%s by %s: %s; " SECCOMP_ALWAYS_REASON ": what depends on it has to be done outside",
		       call->name, task_image(decoder, task), strerrorname_np(call->error));
}

/* An ABI that no table knows; where the kernel does not know it either, nothing happened. */
static bool unknown_entry(struct decoder *decoder, struct task *task, struct call *call, const struct event *event)
{
	(void)decoder, (void)task, (void)call, (void)event;
	return true;
}

static void unknown_exit(struct decoder *decoder, struct task *task, struct call *call)
{
	(void)task;
	if (call->error != ENOSYS)
		decoder_incomplete(decoder, "calls of an unknown ABI were made, and not seen");
}

const struct call_class unknown_class = {unknown_entry, unknown_exit};
