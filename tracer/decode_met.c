/*
 * What comes to a name while another call on that name is in progress. At its entry such a call has seen nothing there;
 * which of them the kernel served first is not known, and does not matter to all of them together: one has made it, and
 * the others came to what it made.
 */
#include <string.h>

#include "tracer/decoder.h"

static bool is_named(const struct object *object, const char *path)
{
	return object->path && strcmp(object->path, path) == 0;
}

/* What makes one name looks at it only where it matters: when another call has come between. */
static void find_name(const struct decoder *decoder, const struct task *task, struct call *call)
{
	struct name name = call_name(call, false);

	if (call->object.path)
		return;
	if (call->class == &make_class && call->path)
		resolve_name(decoder->resolver, task, &name, &call->object);
	else if (call->class == &bind_class && call->addresses->kind == ADDRESS_PATH)
		bound_resolve(decoder, task, call->addresses, &call->object);
}

void met_tell(struct decoder *decoder, const struct task *maker, const char *path, const struct object *made,
	      bool replaces)
{
	const struct met met = {{made->device, made->inode}, made->type, replaces};

	for (const struct task *task = path ? decoder->tasks->tasks : NULL; task; task = task->hh.next) {
		struct call *call = task != maker ? task->call : NULL;

		if (call)
			find_name(decoder, task, call);
		if (call && is_named(&call->object, path))
			call->met = met;
		if (call && is_named(&call->object2, path))
			call->met2 = met;
	}
}

/* What stands there now is another thing where a rename has brought it that is not heard of yet. */
void met_tell_made(struct decoder *decoder, const struct task *maker, const struct object *now, enum object_type type)
{
	struct object made = *now;

	if (met_comes(decoder, maker, now))
		made.device = 0, made.inode = 0;
	made.type = type;
	met_tell(decoder, maker, now->path, &made, false);
}

bool met_is(const struct met *met, const struct object *object)
{
	return met->type != OBJECT_NONE && met->inode.inode == object->inode && met->inode.device == object->device;
}

bool met_comes(const struct decoder *decoder, const struct task *task, const struct object *object)
{
	const struct task *other;

	for (other = object->path ? decoder->tasks->tasks : NULL; other; other = other->hh.next)
		if (other != task && other->call && is_named(&other->call->object2, object->path) &&
		    object_is_same(&other->call->object, object))
			return true;
	return false;
}

void met_report(struct decoder *decoder, struct task *task, const struct call *call, const struct met *met,
		const struct object *made)
{
	struct access access = {.kind = ACCESS_REMOVE, .type = made->type, .asked = true, .call = "rename"};

	if (met->replaces)
		decoder_report(decoder, task, call, &access, made);
}
