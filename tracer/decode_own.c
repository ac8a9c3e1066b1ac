/*
 * A process's own entries in /proc, by ways that a confined run does not have: Landlock has no rule for them, and the
 * runner's supervisor, which opens them instead, does nothing else with them, and never goes through a link that leads
 * elsewhere than its text says (/dev/stdin, /proc/self/fd/3, /proc/self/root).
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/vfs.h>

#include "base/memory.h"
#include "profile/proc_path.h"
#include "profile/way.h"
#include "tracer/decoder.h"

#define PROC_ROOT_INODE 1

static bool is_root_of_proc(int fd)
{
	struct statfs system;
	struct stat status;

	return fstatfs(fd, &system) == 0 && system.f_type == PROC_SUPER_MAGIC && fstat(fd, &status) == 0 &&
	       status.st_ino == PROC_ROOT_INODE;
}

/* What "self" means is the task's to say. */
static int follow(void *data, const struct way_link *link, char **instead, struct error *err)
{
	const struct task *task = data;

	(void)err;
	if (!is_root_of_proc(link->directory_fd))
		return 0;
	if (strcmp(link->name, "self") == 0)
		*instead = format_text("%d", (int)task->pid);
	else if (strcmp(link->name, "thread-self") == 0)
		*instead = format_text("%d/task/%d", (int)task->pid, (int)task->tid);
	return 0;
}

/* As most name it; nothing has to be opened then. */
static bool is_plain(const char *path)
{
	static const char self[] = PROC_SELF "/";

	return strncmp(path, self, sizeof self - 1) == 0 && !strchr(path + sizeof self - 1, '/');
}

/* Where a relative name begins, or -1. */
static int open_start(const struct task *task, const struct name *name)
{
	char start[64];

	if (name->text[0] == '/')
		return -1;
	if (name->directory == AT_FDCWD)
		snprintf(start, sizeof start, "/proc/%d/cwd", (int)task->tid);
	else
		snprintf(start, sizeof start, "/proc/%d/fd/%d", (int)task->tid, name->directory);
	return open(start, O_PATH | O_CLOEXEC);
}

static bool leads_through_link(struct task *task, const struct name *name)
{
	struct way way = {.fd = open_start(task, name), .follow = follow, .data = task};
	scoped_error err = {0};
	bool led = (name->text[0] == '/' || way.fd >= 0) && way_go(&way, name->text, &err) == -ELOOP;

	way_finish(&way);
	return led;
}

void decoder_say_led(struct decoder *decoder, struct task *task, const struct call *call, const struct object *object)
{
	struct name name = call_name(call, true);

	if (decoder->confined || !object->own || !call->path || is_plain(call->path))
		return;
	if (leads_through_link(task, &name))
		decoder_incomplete(decoder, "an entry of the process's own in /proc was opened through a descriptor or "
					    "another link in /proc (as /dev/stdin), which does not work under a "
					    "profile");
}

/* What was opened once is whatever it was opened as. */
static bool is_served(const struct call *call)
{
	switch (call->row->class) {
	case CALL_OPEN:
	case CALL_OPEN_HOW:
	case CALL_OPEN_HANDLE:
	case CALL_OPEN_PEER:
	case CALL_USE_DESCRIPTOR:
		return true;
	default:
		return false;
	}
}

void decoder_say_own(struct decoder *decoder, const struct call *call, const struct object *object)
{
	if (!decoder->confined && object->own && !is_served(call))
		decoder_incomplete(decoder,
				   "%s(2) was called on an entry of the process's own in /proc, which does not work "
				   "under a profile: there such entries are opened, and nothing else",
				   call->row->name);
}
