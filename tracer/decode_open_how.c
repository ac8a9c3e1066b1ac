/* openat2(2), whose flags are in memory: like a name, another thread may change them. */
#include <linux/openat2.h>

#include "tracer/decoder.h"

static bool read_how(const struct decoder *decoder, const struct task *task, const struct call *call,
		     struct open_how *how)
{
	return memory_read(&decoder->memory, task->tid, call_argument(call, call->row->flags), how, sizeof *how) == 0;
}

static bool open_how_entry(struct decoder *decoder, struct task *task, struct call *call, const struct event *event)
{
	struct open_how how;

	(void)event;
	if (!read_how(decoder, task, call, &how))
		return false; /* EFAULT then */
	call->flags = how.flags;
	call->scope = how.resolve;
	return open_enter(decoder, task, call);
}

static void open_how_exit(struct decoder *decoder, struct task *task, struct call *call)
{
	struct open_how how;

	if (call_may_change(decoder) && read_how(decoder, task, call, &how) &&
	    (how.flags != call->flags || how.resolve != call->scope))
		decoder_incomplete(decoder, "how a file was opened could not be told (%s)", call->row->name);
	else
		open_exit(decoder, task, call);
}

const struct call_class open_how_class = {open_how_entry, open_how_exit};
