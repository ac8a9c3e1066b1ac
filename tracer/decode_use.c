/* Calls that do one thing with an object that exists: truncate, ftruncate, and files that the kernel opens for itself.
 */
#include <errno.h>

#include "base/memory.h"
#include "tracer/decoder.h"

static bool use_entry(struct decoder *decoder, struct task *task, struct call *call, const struct event *event)
{
	(void)event;
	if (!call_argument(call, call->row->path))
		return false; /* acct(NULL) */
	call_read_paths(decoder, task, call);
	return true;
}

static void use_exit(struct decoder *decoder, struct task *task, struct call *call)
{
	struct access access = {.kind = ACCESS_USE, .rights = call->row->rights};
	struct name name = call_name(call, true);
	struct object object;

	access.asked = decoder_asked(decoder, call->row->order, call->error, 0);
	if (!access.asked)
		return;
	decoder_say_unreadable(decoder, task, call);
	if (!call->path)
		return;
	resolve_name(decoder->resolver, task, &name, &object);
	if (!decoder_say_changed(decoder, call, &object))
		decoder_report(decoder, task, call, &access, &object);
	object_finish(&object);
}

const struct call_class use_class = {use_entry, use_exit};

static bool use_descriptor_entry(struct decoder *decoder, struct task *task, struct call *call,
				 const struct event *event)
{
	(void)decoder, (void)task, (void)call, (void)event;
	return true;
}

/* A path that was too long to be told of the descriptor, as it was when the file was opened. */
static void take_deep_name(struct decoder *decoder, struct object *object)
{
	const char *path = deep_names_find(decoder->deep, object->device, object->inode);

	if (!path)
		return;
	object->path = duplicate(path);
	object->place = PLACE_PATH;
}

/* The right was settled when the file was opened; before the session, Landlock was not there. */
static void use_descriptor_exit(struct decoder *decoder, struct task *task, struct call *call)
{
	struct access access = {.kind = ACCESS_USE, .rights = call->row->rights};
	struct object object;
	int result;

	access.asked = decoder_asked(decoder, call->row->order, call->error, 0);
	if (!access.asked)
		return;
	result = resolve_descriptor(decoder->resolver, task, (int)call_argument(call, call->row->directory), &object);
	if (result == 0 || result == -ENAMETOOLONG) {
		struct inode inode = {object.device, object.inode};

		access.inherited = !seen_has(decoder->written, &inode, sizeof inode);
		if (result)
			take_deep_name(decoder, &object);
		if (result == 0 || !access.inherited)
			decoder_report(decoder, task, call, &access, &object);
	}
	object_finish(&object);
}

const struct call_class use_descriptor_class = {use_descriptor_entry, use_descriptor_exit};

/* Under a profile alone: any ioctl(2) but those that open. The first argument is the descriptor. */
static void device_exit(struct decoder *decoder, struct task *task, struct call *call)
{
	struct access access = {.kind = ACCESS_USE, .rights = RIGHT_IOCTL_DEV, .asked = true};
	struct object object;

	if (call->error != EACCES)
		return;
	resolve_descriptor(decoder->resolver, task, (int)call->arguments[0], &object);
	if (object.type == OBJECT_CHARACTER || object.type == OBJECT_BLOCK)
		decoder_report(decoder, task, call, &access, &object);
	object_finish(&object);
}

const struct call_class device_class = {use_descriptor_entry, device_exit};
