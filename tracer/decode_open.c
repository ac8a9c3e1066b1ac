/* Opening: the name is the link of the descriptor that the call returned. */
#include <errno.h>
#include <limits.h>
#include <linux/openat2.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>

#include "base/cleanup.h"
#include "base/memory.h"
#include "profile/path.h"
#include "tracer/decoder.h"

static bool is_tmpfile(const struct call *call)
{
	return (call->flags & O_TMPFILE) == O_TMPFILE;
}

static bool is_writing(const struct call *call)
{
	return (call->flags & O_ACCMODE) == O_WRONLY || (call->flags & O_ACCMODE) == O_RDWR;
}

static bool is_reading(const struct call *call)
{
	return (call->flags & O_ACCMODE) == O_RDONLY || (call->flags & O_ACCMODE) == O_RDWR;
}

static bool is_device(enum object_type type)
{
	return type == OBJECT_CHARACTER || type == OBJECT_BLOCK;
}

/* What opening an object of this type asks for. Access mode 3 is neither reading nor writing. */
static rights_t opening_rights(const struct call *call, enum object_type type)
{
	rights_t rights = 0;

	if (is_reading(call))
		rights |= type == OBJECT_DIRECTORY ? RIGHT_READ_DIR : RIGHT_READ_FILE;
	if (is_writing(call))
		rights |= RIGHT_WRITE_FILE;
	if (call->flags & O_TRUNC && type == OBJECT_FILE && !is_tmpfile(call))
		rights |= RIGHT_TRUNCATE;
	return rights;
}

/* What may be done with it once it is open: ioctl(2) on a device asks for a right that the open settled. */
static rights_t opened_rights(const struct call *call, enum object_type type)
{
	rights_t rights = opening_rights(call, type);

	return rights && is_device(type) ? rights | RIGHT_IOCTL_DEV : rights;
}

/*
 * Whether the name is read at the exit, and only if it is wanted then: a descriptor tells more. Alone, nobody can
 * change it meanwhile; what is there before a file is made has to be looked for at the entry.
 */
static bool is_read_late(const struct decoder *decoder, const struct call *call)
{
	return !call_may_change(decoder) && !decoder->keep_links && (!(call->flags & O_CREAT) || call->flags & O_EXCL);
}

static void read_late(const struct decoder *decoder, const struct task *task, struct call *call)
{
	if (call->row->path && !call->path && !call->unreadable)
		call_read_path(decoder, task, call);
}

/* Nor waits for what it comes to. O_DIRECT may fail and leave the file behind. */
static bool is_expected(struct decoder *decoder, struct task *task, const struct call *call)
{
	struct access access = {.kind = ACCESS_CREATE, .type = OBJECT_FILE};
	rights_t rights = opening_rights(call, OBJECT_FILE);

	if (!(call->flags & O_CREAT) || call->flags & (O_DIRECTORY | O_DIRECT) || call->scope)
		return false;
	access.rights = rights & ~RIGHT_TRUNCATE;
	access.again = call->flags & O_EXCL ? 0 : rights & RIGHT_TRUNCATE;
	return expected_begin(decoder, task, call, &access);
}

bool open_enter(struct decoder *decoder, struct task *task, struct call *call)
{
	if (call->flags & O_PATH)
		return false;
	if (!is_reading(call) && !is_writing(call) && !(call->flags & (O_CREAT | O_TRUNC)))
		return false;
	if (!call->row->path)
		return true;
	if (!is_read_late(decoder, call))
		call_read_paths(decoder, task, call);
	if (is_expected(decoder, task, call))
		return false;
	if (call->path && call->flags & O_CREAT && !(call->flags & O_EXCL)) {
		struct name name = call_name(call, !(call->flags & O_NOFOLLOW));

		resolve_name(decoder->resolver, task, &name, &call->object);
	}
	return true;
}

static bool open_entry(struct decoder *decoder, struct task *task, struct call *call, const struct event *event)
{
	(void)event;
	call->flags = call->row->fixed | call_argument(call, call->row->flags);
	return open_enter(decoder, task, call);
}

static const char *last_part(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

/* Whoever has descriptors in common may have closed this one, and a file of its own may have its number now. */
static bool is_doubtful(const struct decoder *decoder, const struct task *task, const struct call *call,
			const struct object *object)
{
	char name[64];
	struct stat status;

	if (!call->path || !object->path || is_tmpfile(call) ||
	    strcmp(last_part(call->path), last_part(object->path)) == 0)
		return false;
	if (decoder->shares_files)
		return true;
	snprintf(name, sizeof name, "/proc/%d/task", (int)task->pid);
	return stat(name, &status) != 0 || status.st_nlink > 3;
}

/* Its directory is known; the file has no name. */
static void take_directory(struct object *object, const struct object *directory)
{
	if (directory->place != PLACE_PATH)
		return;
	object->path = format_text("%s/#%llu", directory->path, (unsigned long long)object->inode);
	object->place = PLACE_PATH;
}

/*
 * What the name leads to now; *object keeps what it has when there is nothing. Where the link was too long to be told
 * (resolve.h), the name serves if it leads to the same file.
 */
static void take_name(struct decoder *decoder, const struct task *task, struct call *call, struct object *object)
{
	bool is_deep = object->place == PLACE_UNKNOWN && object->type != OBJECT_NONE;
	struct object named;
	struct name name;

	read_late(decoder, task, call);
	name = call_name(call, !(call->flags & O_NOFOLLOW));
	if (!call->path || resolve_name(decoder->resolver, task, &name, &named) != 0)
		return;
	if (is_deep && is_tmpfile(call))
		take_directory(object, &named);
	if (named.type == OBJECT_NONE || object_is_same(&named, object) != is_deep) {
		object_finish(&named);
		return;
	}
	object_finish(object);
	*object = named;
}

static bool is_kernels(const struct object *object)
{
	return object->path && (path_is_beneath(object->path, "/proc") || path_is_beneath(object->path, "/sys"));
}

/* What its directory would be asked if a file that was there were gone. */
static rights_t absent_right(const struct call *call, const struct object *object)
{
	return call->flags & O_CREAT && object->type == OBJECT_FILE && !is_kernels(object) ? RIGHT_MAKE_REG : 0;
}

/* O_EXCL succeeds only on what it makes. Else what was there at the entry tells, or came since then. */
static bool is_made(struct decoder *decoder, const struct task *task, const struct call *call,
		    const struct object *object)
{
	if (!(call->flags & O_CREAT) || is_tmpfile(call))
		return false;
	if (call->flags & O_EXCL)
		return true;
	if (call->object.place == PLACE_UNKNOWN)
		decoder_incomplete(decoder, "whether a file was made or there before could not be told");
	return call->object.place == PLACE_PATH && !object_is_same(&call->object, object) &&
	       !met_is(&call->met, object) && !met_comes(decoder, task, object);
}

void open_remember(struct decoder *decoder, const struct call *call, const struct object *object)
{
	if (!is_writing(call) || object->type != OBJECT_FILE)
		return;
	seen_add(&decoder->written, &(struct inode){object->device, object->inode}, sizeof(struct inode));
	if (object->path && strlen(object->path) > PATH_MAX - sizeof " (deleted)")
		deep_names_add(&decoder->deep, object->device, object->inode, object->path);
}

static void opened(struct decoder *decoder, struct task *task, struct call *call)
{
	struct access access = {.kind = ACCESS_USE, .asked = true};
	struct object object;
	int result = resolve_descriptor(decoder->resolver, task, (int)call->result, &object);

	call->settled = !result || result == -ENAMETOOLONG;
	if (result || (is_doubtful(decoder, task, call, &object) && !call_has_changed(decoder, task, call)))
		take_name(decoder, task, call, &object);
	access.rights = opened_rights(call, object.type);
	if (is_tmpfile(call)) {
		access.kind = ACCESS_TMPFILE;
	} else if (is_made(decoder, task, call, &object)) {
		met_tell(decoder, task, object.path, &object, false);
		access.kind = ACCESS_CREATE;
		access.rights = opening_rights(call, object.type) & ~RIGHT_TRUNCATE;
		access.again = call->flags & O_EXCL ? 0 : opening_rights(call, object.type) & RIGHT_TRUNCATE;
	} else {
		access.absent = absent_right(call, &object);
	}
	open_remember(decoder, call, &object);
	decoder->shows_processors |= object.processors;
	if (object.own)
		read_late(decoder, task, call);
	decoder_say_led(decoder, task, call, &object);
	if (access.rights || access.kind == ACCESS_CREATE)
		decoder_report_named(decoder, task, call, &access, &object, call->path);
	if (access.kind == ACCESS_CREATE)
		met_report(decoder, task, call, &call->met, &object);
	object_finish(&object);
}

static unsigned open_facts(const struct call *call, const struct object *object)
{
	unsigned facts = object->type != OBJECT_NONE ? FACT_FOUND : 0;

	if (call->flags & O_DIRECT)
		facts |= FACT_DIRECT;
	if (!(call->scope & RESOLVE_CACHED))
		facts |= FACT_WAITING;
	if (!is_writing(call))
		facts |= FACT_READING;
	if (!(call->flags & O_NOATIME) && (is_device(object->type) || is_kernels(object)))
		facts |= FACT_DRIVER;
	return facts;
}

/* Maybe by the profile: then all that the call and its descriptor need is of interest. */
static bool is_refused(const struct decoder *decoder, const struct call *call)
{
	return decoder->confined && call->error == EACCES;
}

/* O_CREAT, and nothing was there: make_reg was asked first. A file may stay behind all the same (O_DIRECT). */
static void making_failed(struct decoder *decoder, struct task *task, struct call *call, const struct object *object)
{
	struct access access = {.kind = ACCESS_CREATE, .type = OBJECT_FILE};
	struct call made = *call;

	access.asked = decoder_asked(decoder, ORDER_CREATE, call->error, open_facts(call, &call->object));
	if (is_refused(decoder, call)) {
		access.rights = opening_rights(call, OBJECT_FILE) & ~RIGHT_TRUNCATE;
	} else if (access.asked && object->type != OBJECT_NONE) {
		access.rights = opening_rights(call, object->type) & ~RIGHT_TRUNCATE;
		made.error = 0;
	}
	decoder_report(decoder, task, &made, &access, object);
}

/* Said of the object; other errors may be of a link or directory on the way. */
static bool is_of_object(int error)
{
	return error == EACCES || error == EPERM || error == EISDIR || error == ETXTBSY || error == EROFS ||
	       error == EEXIST;
}

/* What is asked is rights of files, on the directory: the file has no name yet, and never an inode now. */
static void tmpfile_failed(struct decoder *decoder, struct task *task, const struct call *call,
			   const struct object *directory)
{
	scoped_free char *path = format_text("%s/#", directory->path[1] ? directory->path : "");
	struct access access = {.kind = ACCESS_TMPFILE, .type = OBJECT_FILE};
	struct object object = *directory;

	access.rights = opening_rights(call, OBJECT_FILE) & ~RIGHT_TRUNCATE;
	access.asked = decoder_asked(decoder, ORDER_TMPFILE, call->error, open_facts(call, directory));
	object.path = path;
	if (access.asked)
		decoder_report(decoder, task, call, &access, &object);
}

static void using_failed(struct decoder *decoder, struct task *task, const struct call *call,
			 const struct object *object)
{
	struct access access = {.kind = ACCESS_USE};

	if (is_tmpfile(call) && object->type == OBJECT_DIRECTORY && object->place == PLACE_PATH) {
		tmpfile_failed(decoder, task, call, object);
		return;
	}
	access.rights =
		is_refused(decoder, call) ? opened_rights(call, object->type) : opening_rights(call, object->type);
	access.asked = decoder_asked(decoder, ORDER_OPEN, call->error, open_facts(call, object));
	if (call->error == EEXIST)
		access.absent = absent_right(call, object);
	if (access.asked || is_of_object(call->error))
		decoder_report(decoder, task, call, &access, object);
}

static void missing(struct decoder *decoder, struct task *task, const struct call *call, const struct object *object)
{
	enum object_type wanted = call->flags & O_DIRECTORY ? OBJECT_DIRECTORY : OBJECT_NONE;
	struct access access = {.kind = ACCESS_MISSING, .rights = opening_rights(call, wanted)};

	decoder_report(decoder, task, call, &access, object);
}

/* O_EXCL would have said EEXIST, and Landlock's EACCES for what it needs beyond make_reg leaves a file behind. */
static bool was_to_make(const struct decoder *decoder, const struct call *call)
{
	if (call->flags & O_CREAT && call->flags & O_EXCL && is_refused(decoder, call))
		return true;
	return call->flags & O_CREAT && call->object.place == PLACE_PATH && call->object.type == OBJECT_NONE;
}

static void failed(struct decoder *decoder, struct task *task, struct call *call)
{
	bool follow = !(call->flags & O_NOFOLLOW) && (call->flags & (O_CREAT | O_EXCL)) != (O_CREAT | O_EXCL);
	struct object object;
	struct name name;
	bool is_known;

	read_late(decoder, task, call);
	if (!call->path) {
		if (decoder_asked(decoder, ORDER_OPEN, call->error, 0))
			decoder_say_unreadable(decoder, task, call);
		return;
	}
	name = call_name(call, follow);
	is_known = resolve_name(decoder->resolver, task, &name, &object) == 0;
	if (is_known && call->error == ENOENT)
		missing(decoder, task, call, &object);
	else if (is_known && was_to_make(decoder, call))
		making_failed(decoder, task, call, &object);
	else
		using_failed(decoder, task, call, &object);
	object_finish(&object);
}

void open_exit(struct decoder *decoder, struct task *task, struct call *call)
{
	if (call->error)
		failed(decoder, task, call);
	else
		opened(decoder, task, call);
}

const struct call_class open_class = {open_entry, open_exit};

/* No path: only what the descriptor is. Where there is none, nobody can be asked for a name. */
static void handle_exit(struct decoder *decoder, struct task *task, struct call *call)
{
	if (!call->error)
		opened(decoder, task, call);
	else if (decoder->confined && call->error == EACCES)
		decoder_incomplete(decoder,
				   "%s was refused with EACCES to %s, and which file that was about cannot be told: "
				   "open_by_handle_at(2) gives no name",
				   call->row->name, task_image(decoder, task));
}

/* One number of many: what names an owner is another class's from here on. */
static bool peer_entry(struct decoder *decoder, struct task *task, struct call *call, const struct event *event)
{
	if ((uint32_t)call->arguments[1] == TIOCGPTPEER)
		return open_entry(decoder, task, call, event);
	call->class = &owner_class;
	return call->class->entry(decoder, task, call, event);
}

static void peer_exit(struct decoder *decoder, struct task *task, struct call *call)
{
	if (!call->error)
		opened(decoder, task, call);
	else if (decoder->confined && call->error == EACCES)
		decoder_incomplete(decoder,
				   "the other end of a terminal that %s made was refused with EACCES: it lies in "
				   "/dev/pts, and ioctl_dev,read_file,write_file there would grant it",
				   task_image(decoder, task));
}

const struct call_class open_handle_class = {open_entry, handle_exit};
const struct call_class open_peer_class = {peer_entry, peer_exit};
