/* bpf(2), where it makes a name. */
#include <linux/bpf.h>

#include "tracer/decoder.h"

#ifndef BPF_F_PATH_FD
#define BPF_F_PATH_FD (1U << 14) /* Linux 6.5 */
#endif

/* The beginning of union bpf_attr, of the commands that pin (linux/bpf.h). */
struct pin {
	uint64_t path;
	uint32_t object;
	uint32_t flags;
	int32_t directory; /* with BPF_F_PATH_FD */
};

static bool read_pin(const struct decoder *decoder, const struct task *task, const struct call *call, struct pin *pin)
{
	size_t size = (uint32_t)call->arguments[2];

	*pin = (struct pin){0};
	size = size < sizeof *pin ? size : sizeof *pin;
	return memory_read(&decoder->memory, task->tid, call_argument(call, call->row->flags), pin, size) == 0;
}

static int directory_of(const struct pin *pin)
{
	return pin->flags & BPF_F_PATH_FD ? pin->directory : AT_FDCWD;
}

/* A name in bpffs for a program or map. In the call's arguments the directory stands where its row says. */
static bool pin_entry(struct decoder *decoder, struct task *task, struct call *call, const struct event *event)
{
	struct pin pin;

	(void)event;
	if ((uint32_t)call->arguments[0] != BPF_OBJ_PIN || !read_pin(decoder, task, call, &pin))
		return false;
	call->arguments[3] = (uint64_t)directory_of(&pin);
	call->path_at = pin.path;
	return memory_read_path(&decoder->memory, task->tid, pin.path, &call->path) == 0;
}

/* As decode_changed.c does with names. */
static bool has_changed(const struct decoder *decoder, const struct task *task, const struct call *call)
{
	struct pin pin;

	if (!call_may_change(decoder))
		return false;
	if (!read_pin(decoder, task, call, &pin))
		return !task_is_ending(task);
	return pin.path != call->path_at || directory_of(&pin) != (int)call->arguments[3];
}

static void pin_exit(struct decoder *decoder, struct task *task, struct call *call)
{
	struct access access = {.kind = ACCESS_CREATE, .type = OBJECT_FILE};
	struct name name = call_name(call, false);
	struct object object;

	access.asked = decoder_asked(decoder, ORDER_MAKE_NODE, call->error, 0);
	if (!access.asked)
		return;
	if (has_changed(decoder, task, call)) {
		decoder_incomplete(decoder, "the path of a call could not be told (%s)", call->row->name);
		return;
	}
	resolve_name(decoder->resolver, task, &name, &object);
	decoder_report(decoder, task, call, &access, &object);
	object_finish(&object);
}

const struct call_class pin_class = {pin_entry, pin_exit};
