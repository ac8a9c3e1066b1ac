/*
 * Names that a call is to make where the session has made the like before, in a directory of its own: there its failure
 * adds nothing to the profile, whatever it is for. So nobody waits for its exit, which would be a stop, and the next
 * stop, of whichever kind, finds by the name what it came to. Until then the session has changed nothing: there is no
 * other task, and each call that could do so would stop.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "tracer/decoder.h"
#include "tracer/resolve_parts.h"

/*
 * Names in memory are the caller's alone while there is one task (decode_changed.c), and mean to it what they mean to
 * us while nobody has other mounts or another root.
 */
static bool is_possible(const struct decoder *decoder)
{
	return decoder->expects && !decoder->elsewhere && !decoder->memory.lazy && !call_may_change(decoder) &&
	       decoder->observer.has_made(decoder->observer.data, NULL);
}

/* Where it was read already, that is it. */
static const char *read_name(const struct decoder *decoder, const struct task *task, const struct call *call,
			     char text[PATH_MAX])
{
	uint64_t at = call_argument(call, call->row->path);

	if (call->path || call->unreadable)
		return call->path;
	return memory_read_name(&decoder->memory, task->tid, at, text) == 0 ? text : NULL;
}

bool expected_begin(struct decoder *decoder, struct task *task, const struct call *call, struct access *access)
{
	struct name name = call_name(call, false);
	struct expected *expected;

	if (!is_possible(decoder))
		return false;
	expected = decoder->expected ? decoder->expected : (decoder->expected = allocate(sizeof *expected));
	name.text = read_name(decoder, task, call, expected->name);
	if (!name.text || !resolve_as_plain(decoder->resolver, task, &name, &expected->path))
		return false;
	access->path = expected->path.data;
	access->asked = true;
	if (!decoder->observer.has_made(decoder->observer.data, access) ||
	    !resolve_is_free(decoder->resolver, task, &name, access->path))
		return false;
	expected->call = (struct call){.row = call->row, .flags = call->flags};
	expected->access = *access;
	expected->task = task;
	return true;
}

/* Its directory, or one above that, was removed: an open says so, and of others nobody keeps it. */
static void tell_missing(struct decoder *decoder, struct expected *expected, const struct object *object)
{
	struct access access = {.kind = ACCESS_MISSING, .rights = expected->access.rights};

	if (expected->call.row->class == CALL_MAKE)
		return;
	expected->call.error = ENOENT;
	decoder_report(decoder, expected->task, &expected->call, &access, object);
}

static bool is_directory_missing(char *path)
{
	char *slash = strrchr(path, '/');
	struct stat status;
	bool missing;

	*slash = '\0';
	missing = lstat(path, &status) != 0 && errno == ENOENT;
	*slash = '/';
	return missing;
}

static void tell(struct decoder *decoder, struct expected *expected)
{
	struct object object = {.place = PLACE_PATH, .path = expected->path.data};
	struct stat status;

	if (lstat(object.path, &status) != 0) {
		if (errno == ENOENT && is_directory_missing(object.path))
			tell_missing(decoder, expected, &object);
		return;
	}
	object_take_status(&object, &status);
	if (object.type != expected->access.type)
		return;
	if (expected->call.row->class != CALL_MAKE)
		open_remember(decoder, &expected->call, &object);
	decoder_report(decoder, expected->task, &expected->call, &expected->access, &object);
}

void decoder_tell_expected(struct decoder *decoder)
{
	struct expected *expected = decoder->expected;

	if (!expected || !expected->task)
		return;
	tell(decoder, expected);
	expected->task = NULL;
}

void expected_finish(struct decoder *decoder)
{
	if (!decoder->expected)
		return;
	buffer_finish(&decoder->expected->path);
	free(decoder->expected);
}
