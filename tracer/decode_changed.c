/*
 * The kernel reads names and addresses after we did, and whoever has the same memory may have written there meanwhile:
 * threads, processes of clone(2) with CLONE_VM, those with a mapping in common. So what a call was read from is read
 * once more at its exit, and what succeeded is held to what it left behind. One that was put back in between, where
 * nothing was left behind, is not seen.
 */
#include <string.h>
#include <sys/stat.h>

#include "base/cleanup.h"
#include "tracer/decoder.h"

static void say_untold(struct decoder *decoder, const struct call *call)
{
	decoder_incomplete(decoder, "the path of a call could not be told (%s)", call->row->name);
}

/* What cannot be read any more has changed, but of a task that was killed: that has no memory left. */
static bool is_another(const struct decoder *decoder, const struct task *task, const char *text, uint64_t at)
{
	scoped_free char *now = NULL;

	if (!text)
		return false;
	if (memory_read_path(&decoder->memory, task->tid, at, &now) != 0)
		return !task_is_ending(task);
	return strcmp(now, text) != 0;
}

bool call_may_change(const struct decoder *decoder)
{
	return task_count(decoder->tasks) > 1;
}

bool call_has_changed(const struct decoder *decoder, const struct task *task, const struct call *call)
{
	return call_may_change(decoder) && (is_another(decoder, task, call->path, call->path_at) ||
					    is_another(decoder, task, call->path2, call->path2_at));
}

bool call_say_changed(struct decoder *decoder, const struct task *task, const struct call *call)
{
	if (call->settled || !call_has_changed(decoder, task, call))
		return false;
	say_untold(decoder, call);
	return true;
}

bool decoder_say_changed(struct decoder *decoder, const struct call *call, const struct object *object)
{
	if (call->error || !call->shared || object->place != PLACE_PATH || object->type != OBJECT_NONE)
		return false;
	say_untold(decoder, call);
	return true;
}

/* Inode numbers are used again at once, so another file there may look the same but for its time of change. */
bool decoder_say_untouched(struct decoder *decoder, const struct call *call, const struct object *before)
{
	struct stat now;

	if (call->error || !call->shared || before->place != PLACE_PATH || before->type == OBJECT_NONE ||
	    lstat(before->path, &now) != 0 || now.st_dev != before->device || now.st_ino != before->inode ||
	    now.st_nlink != before->links || now.st_ctim.tv_sec != before->changed.tv_sec ||
	    now.st_ctim.tv_nsec != before->changed.tv_nsec)
		return false;
	say_untold(decoder, call);
	return true;
}
