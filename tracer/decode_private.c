/*
 * Files on mounts that no path leads to from here: of another namespace, or of none (open_tree(2) with OPEN_TREE_CLONE,
 * fsmount(2)). Landlock goes up from the file to the root of its mount, and from there to where that is attached. Where
 * it is not, it never meets the rule on `/`, which is all that the learning domain has: everything is refused. A
 * profile may have a rule on that very file, and then it is not.
 */
#include <errno.h>
#include <string.h>

#include "tracer/decoder.h"

/* The first is named: that is enough to find the mount. */
static void say(struct decoder *decoder, const struct object *object, const char *reason)
{
	if (!seen_has(decoder->said, reason, strlen(reason)))
		decoder_notice(
			decoder,
			"%s is a file of another mount namespace, or of a mount that is attached nowhere: no path "
			"leads there from here, so it cannot be granted",
			object->inside);
	decoder_incomplete(decoder, "%s", reason);
}

void decoder_say_private(struct decoder *decoder, const struct call *call, const struct object *object)
{
	if (!decoder->confined && call->error == EACCES)
		say(decoder, object, "files were refused while learning that lie on a mount no path leads to");
	else
		say(decoder, object, "files were used that only another mount namespace has");
}

static void say_refused(struct decoder *decoder, const struct task *task, const struct call *call,
			const struct name *name, const struct object *before)
{
	struct object object = {0};

	if (name->text && before->place == PLACE_UNKNOWN)
		resolve_name(decoder->resolver, task, name, &object);
	if (object.place == PLACE_PRIVATE || before->place == PLACE_PRIVATE)
		decoder_say_private(decoder, call, before->place == PLACE_PRIVATE ? before : &object);
	object_finish(&object);
}

/* Whatever error it came to. */
static bool is_reported(const struct call *call)
{
	return call->row->class == CALL_OPEN || call->row->class == CALL_OPEN_HOW;
}

void decoder_say_refused_private(struct decoder *decoder, const struct task *task, const struct call *call)
{
	struct name name, name2;

	if (decoder->confined || call->error != EACCES || !call->row->enforced || is_reported(call))
		return;
	name = call_name(call, call->row->class == CALL_USE);
	name2 = call_name2(call);
	say_refused(decoder, task, call, &name, &call->object);
	say_refused(decoder, task, call, &name2, &call->object2);
}
