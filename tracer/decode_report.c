/* What the decoder tells the observer. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/memory.h"
#include "profile/incomplete.h"
#include "profile/path.h"
#include "tracer/decoder.h"
#include "tracer/link_name.h"
#include "tracer/proc_status.h"

bool decoder_asked(const struct decoder *decoder, enum order order, int error, unsigned facts)
{
	return (decoder->confined && error == EACCES) || order_asked(order, error, facts);
}

/* Takes the text. */
static void say_once(struct decoder *decoder, void (*say)(void *data, const char *text), char *text)
{
	if (seen_add(&decoder->said, text, strlen(text)))
		say(decoder->observer.data, text);
	free(text);
}

void decoder_notice(struct decoder *decoder, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	say_once(decoder, decoder->observer.notice, format_text_list(format, arguments));
	va_end(arguments);
}

void decoder_incomplete(struct decoder *decoder, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	say_once(decoder, decoder->observer.incomplete, format_text_list(format, arguments));
	va_end(arguments);
}

static void say_unseen(struct decoder *decoder, const struct task *task)
{
	decoder_notice(
		decoder,
		"the memory of %s cannot be read: what it does is not seen, but with CAP_SYS_PTRACE, which \"unshare "
		"--map-current-user --keep-caps\" in front of this command gives",
		task->image ? task->image : "a program");
}

void decoder_say_unreadable(struct decoder *decoder, const struct task *task, const struct call *call)
{
	if (!call->unreadable || call->error == EFAULT)
		return;
	say_unseen(decoder, task);
	decoder_incomplete(decoder, "a path in a program's memory could not be read");
}

/* Undumpable: the kernel asks the same for the links in its /proc as for its memory. */
static bool is_hidden(const struct task *task)
{
	char name[32], end;

	snprintf(name, sizeof name, "/proc/%d/exe", task->tid);
	return readlink(name, &end, 1) < 0 && (errno == EACCES || errno == EPERM);
}

void decoder_report_plain(struct decoder *decoder, struct task *task, const struct call *call, struct access *access)
{
	if (!access->call)
		access->call = call->row->name;
	if (!access->error)
		access->error = call->error;
	access->flags = call->flags;
	access->image = task_image(decoder, task);
	decoder->observer.access(decoder->observer.data, access, task->pid, task->tid);
}

/* Numbers of processes mean others next time: reading there is reading /proc as a whole, if that is asked for. */
static void report_foreign(struct decoder *decoder, struct task *task, const struct call *call, struct access *access,
			   const struct object *object)
{
	const rights_t reading = RIGHT_READ_FILE | RIGHT_READ_DIR;

	if (decoder->explained) {
		access->path = object->inside;
		decoder_report_plain(decoder, task, call, access);
		return;
	}
	if (!decoder->proc_all || access->kind != ACCESS_USE || access->rights & ~reading) {
		decoder_incomplete(decoder, INCOMPLETE_PROC);
		return;
	}
	access->path = "/proc";
	access->type = OBJECT_DIRECTORY;
	access->rights = reading;
	decoder_report_plain(decoder, task, call, access);
}

/* Killed while it stood: it is on its way out, without descriptors, directories or memory to be asked about. */
bool task_is_ending(const struct task *task)
{
	return proc_status(task->tid, "VmSize", 10) < 0;
}

/*
 * A profile's lines below /proc/self are served by the runner's supervisor, who goes by names, and so not where these
 * may mean something else; and a line below another procfs gets a rule, on the entry of the first process alone.
 */
static void say_unserved(struct decoder *decoder, const struct task *task, const struct object *object)
{
	if (!decoder->confined && object->own && decoder->elsewhere && !resolver_is_ours(decoder->resolver, task))
		decoder_incomplete(decoder,
				   "a process with mounts or a root of its own used its entries in /proc, which "
				   "does not work under a profile");
	if (!decoder->confined && object->own && !path_is_beneath(object->path, "/proc"))
		decoder_incomplete(decoder, "a process used its entries in a procfs that is not on /proc, which does "
					    "not work under a profile");
}

void decoder_report(struct decoder *decoder, struct task *task, const struct call *call, struct access *access,
		    const struct object *object)
{
	if ((access->asked || access->absent) && call_say_changed(decoder, task, call))
		return;
	switch (object->place) {
	case PLACE_PATH:
		break;
	case PLACE_FOREIGN:
		if (access->asked && access->kind != ACCESS_MISSING)
			report_foreign(decoder, task, call, access, object);
		return;
	case PLACE_UNKNOWN:
		if (!access->asked || task_is_ending(task))
			return;
		decoder_incomplete(decoder, "the path of a call could not be told (%s)", call->row->name);
		if (is_hidden(task))
			say_unseen(decoder, task);
		return;
	case PLACE_PRIVATE:
		if ((access->asked || call->error == EACCES) && access->kind != ACCESS_MISSING)
			decoder_say_private(decoder, call, object);
		return;
	case PLACE_NOWHERE:
		return;
	}
	if (object->widened && access->asked && !decoder->explained)
		decoder_notice(decoder, "%s is granted as a whole: its entries come and go", object->path);
	if (access->asked) {
		say_unserved(decoder, task, object);
		decoder_say_own(decoder, call, object);
	}
	access->path = object->path;
	if (!access->type)
		access->type = object->widened ? OBJECT_DIRECTORY : object->type;
	decoder_report_plain(decoder, task, call, access);
}

void decoder_report_named(struct decoder *decoder, struct task *task, const struct call *call, struct access *access,
			  const struct object *object, const char *named)
{
	scoped_free char *link = NULL;

	if (decoder->keep_links && named && access->kind == ACCESS_USE && object->place == PLACE_PATH &&
	    object->type == OBJECT_FILE && !object->widened)
		link = link_name(named, object->path);
	access->link = link;
	decoder_report(decoder, task, call, access, object);
	access->link = NULL;
}
