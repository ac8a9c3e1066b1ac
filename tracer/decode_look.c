/*
 * Calls that Landlock is never asked for: they look at a name, or change what an object is like. They are told where
 * somebody keeps that. A look cannot be denied, so nobody waits for its result; but what access(2) misses may be there
 * next time, as with an open.
 */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "tracer/decoder.h"

/* Where a call of 32 bits has its words elsewhere; whether it has a name at all: fsmount(2) has none. */
static bool find_name(struct call *call)
{
	if (call->row->shifted && !call_is_64_bit(call))
		memmove(&call->arguments[call->row->directory - A0], &call->arguments[call->row->directory - A0 + 1],
			2 * sizeof call->arguments[0]);
	return call_argument(call, call->row->path);
}

/* No grant depends on it: where it cannot be read the profile is complete all the same. */
static void say_unread(struct decoder *decoder, struct task *task, int result)
{
	if (result && result != -EFAULT && result != -ENAMETOOLONG)
		decoder_notice(decoder, "the memory of %s cannot be read: what it looks at is not seen",
			       task_image(decoder, task));
}

/* Returns whether there is a name. */
static bool read_name(struct decoder *decoder, struct task *task, struct call *call)
{
	if (!find_name(call))
		return false;
	say_unread(decoder, task, call_read_path(decoder, task, call));
	return call->path;
}

static void report_look(struct decoder *decoder, struct task *task, const struct call *call, bool unanswered)
{
	struct access access = {.kind = ACCESS_LOOK, .unanswered = unanswered};
	struct name name = call_name(call, true);

	access.path = resolve_as_named(decoder->resolver, task, &name, &decoder->looked);
	if (access.path)
		decoder_report_plain(decoder, task, call, &access);
}

static bool look_entry(struct decoder *decoder, struct task *task, struct call *call, const struct event *event)
{
	(void)event;
	if (call->row->strays)
		resolver_mounts_differ(decoder->resolver);
	if (decoder->looks && read_name(decoder, task, call))
		report_look(decoder, task, call, true);
	return false;
}

const struct call_class look_class = {look_entry, NULL};

void decoder_look(struct decoder *decoder, struct task *task, const struct syscall_row *row, const struct event *event)
{
	struct look *look = decoder->look ? decoder->look : (decoder->look = allocate(sizeof *look));
	struct call *call = &look->call;
	int result;

	if (row->strays)
		resolver_mounts_differ(decoder->resolver);
	call->row = row;
	call->architecture = event->architecture;
	memcpy(call->arguments, event->arguments, sizeof call->arguments);
	if (!decoder->looks || !find_name(call))
		return;
	result = memory_read_name(&decoder->memory, task->tid, call_argument(call, row->path), look->path);
	call->path = result == 0 ? look->path : NULL;
	say_unread(decoder, task, result);
	if (call->path)
		report_look(decoder, task, call, true);
}

static uint64_t check_mode(const struct call *call)
{
	return call_argument(call, call->row->path + 1);
}

static bool check_entry(struct decoder *decoder, struct task *task, struct call *call, const struct event *event)
{
	if (!check_mode(call))
		return look_entry(decoder, task, call, event);
	return read_name(decoder, task, call);
}

/* What opening it for that would have asked. */
static rights_t checked_rights(uint64_t mode)
{
	rights_t rights = mode & R_OK ? RIGHT_READ_FILE : 0;

	if (mode & W_OK)
		rights |= RIGHT_WRITE_FILE;
	if (mode & X_OK)
		rights |= RIGHT_EXECUTE | RIGHT_READ_FILE;
	return rights;
}

static void check_exit(struct decoder *decoder, struct task *task, struct call *call)
{
	struct access access = {.kind = ACCESS_MISSING, .rights = checked_rights(check_mode(call))};
	struct name name = call_name(call, !(call_argument(call, call->row->flags) & AT_SYMLINK_NOFOLLOW));
	struct object object;

	if (call->error != ENOENT) {
		if (decoder->looks)
			report_look(decoder, task, call, false);
		return;
	}
	if (resolve_name(decoder->resolver, task, &name, &object) == 0)
		decoder_report(decoder, task, call, &access, &object);
	object_finish(&object);
}

const struct call_class check_class = {check_entry, check_exit};

/* Whether the word `metadata` is needed is seen by the call alone; here only for those who keep the name. */
static bool metadata_entry(struct decoder *decoder, struct task *task, struct call *call, const struct event *event)
{
	(void)event;
	call->flags = call->row->fixed | call_argument(call, call->row->flags);
	return decoder->looks && read_name(decoder, task, call);
}

static void metadata_exit(struct decoder *decoder, struct task *task, struct call *call)
{
	struct access access = {.kind = ACCESS_METADATA};
	struct name name = call_name(call, !(call->flags & AT_SYMLINK_NOFOLLOW));
	struct object object;
	int result;

	if (*call->path)
		result = resolve_name(decoder->resolver, task, &name, &object);
	else if (!(call->flags & AT_EMPTY_PATH))
		return;
	else if (name.directory == AT_FDCWD)
		result = resolve_link(decoder->resolver, task, "cwd", &object);
	else
		result = resolve_descriptor(decoder->resolver, task, name.directory, &object);
	if (result == 0)
		decoder_report(decoder, task, call, &access, &object);
	object_finish(&object);
}

const struct call_class metadata_class = {metadata_entry, metadata_exit};
