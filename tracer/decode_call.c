/* What a call says of itself: its arguments, the names in its caller's memory, and who the caller is. */
#include <errno.h>
#include <linux/audit.h>
#include <stdio.h>
#include <sys/stat.h>

#include "base/cleanup.h"
#include "tracer/decoder.h"

uint64_t call_argument(const struct call *call, enum argument argument)
{
	return argument == ARGUMENT_NONE ? 0 : call->arguments[argument - A0];
}

bool call_is_64_bit(const struct call *call)
{
	return call->architecture & __AUDIT_ARCH_64BIT;
}

struct foreign call_memory(const struct decoder *decoder, const struct task *task, const struct call *call)
{
	return (struct foreign){&decoder->memory, task->tid, call_is_64_bit(call)};
}

static int read_path(const struct decoder *decoder, const struct task *task, struct call *call, uint64_t at,
		     char **text)
{
	int result = memory_read_path(&decoder->memory, task->tid, at, text);

	if (result)
		*text = NULL;
	call->unreadable |= result && result != -ENAMETOOLONG;
	return result;
}

int call_read_path(const struct decoder *decoder, const struct task *task, struct call *call)
{
	call->path_at = call_argument(call, call->row->path);
	return read_path(decoder, task, call, call->path_at, &call->path);
}

void call_read_paths(const struct decoder *decoder, const struct task *task, struct call *call)
{
	call->shared = decoder->tasks->thread_count && task_sibling(decoder->tasks, task);
	call_read_path(decoder, task, call);
	if (!call->row->path2)
		return;
	call->path2_at = call_argument(call, call->row->path2);
	read_path(decoder, task, call, call->path2_at, &call->path2);
}

static int directory_of(const struct call *call, enum argument argument)
{
	return argument == ARGUMENT_NONE ? AT_FDCWD : (int)call_argument(call, argument);
}

struct name call_name(const struct call *call, bool follow)
{
	return (struct name){directory_of(call, call->row->directory), call->path, follow, call->scope};
}

struct name call_name2(const struct call *call)
{
	return (struct name){directory_of(call, call->row->directory2), call->path2, false, call->scope};
}

static void find_image(const struct decoder *decoder, struct task *task)
{
	struct object object;

	if (resolve_link(decoder->resolver, task, "exe", &object) != 0)
		return;
	task->image = steal_pointer(&object.path);
	object_finish(&object);
}

const char *task_image(const struct decoder *decoder, struct task *task)
{
	if (!task->image)
		find_image(decoder, task);
	return task->image;
}

bool task_owns(const struct task *task, const struct object *object)
{
	char name[64];
	struct stat status;

	snprintf(name, sizeof name, "/proc/%d", (int)task->tid);
	return stat(name, &status) == 0 && (status.st_uid == 0 || status.st_uid == object->owner);
}
