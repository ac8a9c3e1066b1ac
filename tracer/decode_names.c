/* Names that come, go and move. Where they lie is told before: afterwards the object may be gone. */
#include <errno.h>
#include <linux/fs.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/cleanup.h"
#include "profile/path.h"
#include "tracer/decoder.h"

static unsigned found_facts(const struct object *object)
{
	unsigned facts = 0;

	if (object->place == PLACE_UNKNOWN || object->type == OBJECT_NONE)
		return 0;
	facts |= FACT_FOUND;
	if (!object->special)
		facts |= FACT_PLAIN | (object->slash ? 0 : FACT_BARE);
	return facts;
}

static enum object_type made_type(const struct call *call)
{
	mode_t mode = (mode_t)call_argument(call, call->row->flags);

	if (call->row->makes)
		return call->row->makes;
	return mode & S_IFMT ? object_type_of_mode(mode) : OBJECT_FILE;
}

static bool make_entry(struct decoder *decoder, struct task *task, struct call *call, const struct event *event)
{
	struct access access = {.kind = ACCESS_CREATE, .type = made_type(call)};
	struct name name;

	(void)event;
	call_read_paths(decoder, task, call);
	if (expected_begin(decoder, task, call, &access))
		return false;
	name = call_name(call, false);
	if (call->path && call->shared)
		resolve_name(decoder->resolver, task, &name, &call->object);
	return true;
}

/* The name is free, or taken: then what it would need if it were free is remembered. */
static void make_exit(struct decoder *decoder, struct task *task, struct call *call)
{
	struct access access = {.kind = ACCESS_CREATE, .type = made_type(call)};
	struct name name = call_name(call, false);
	unsigned facts = access.type != OBJECT_DIRECTORY ? FACT_MAKEABLE : 0;
	struct object object;

	access.asked = decoder_asked(decoder, call->row->order, call->error, facts);
	if (!call->path) {
		if (access.asked)
			decoder_say_unreadable(decoder, task, call);
		return;
	}
	if (!access.asked && call->error != EEXIST)
		return;
	resolve_name(decoder->resolver, task, &name, &object);
	if (call->error == EEXIST) {
		access.kind = ACCESS_USE;
		access.absent = object.type == access.type && !object.special ? access_make_right(access.type) : 0;
		access.type = object.type;
	}
	if (!call->error)
		met_tell_made(decoder, task, &object, access.type);
	if ((access.asked || access.absent) && !decoder_say_changed(decoder, call, &object) &&
	    !decoder_say_untouched(decoder, call, &call->object))
		decoder_report(decoder, task, call, &access, &object);
	if (!call->error)
		met_report(decoder, task, call, &call->met, &object);
	object_finish(&object);
}

const struct call_class make_class = {make_entry, make_exit};

static bool remove_entry(struct decoder *decoder, struct task *task, struct call *call, const struct event *event)
{
	struct name name;

	(void)event;
	call->flags = call->row->fixed | call_argument(call, call->row->flags);
	call_read_paths(decoder, task, call);
	name = call_name(call, false);
	if (call->path)
		resolve_name(decoder->resolver, task, &name, &call->object);
	return true;
}

/* Which right is asked for depends on the call, not on what it finds. */
static void remove_exit(struct decoder *decoder, struct task *task, struct call *call)
{
	bool is_rmdir = call->flags & AT_REMOVEDIR;
	struct access access = {.kind = ACCESS_REMOVE};

	access.type = is_rmdir ? OBJECT_DIRECTORY : call->object.type;
	if (access.type == OBJECT_NONE || (!is_rmdir && access.type == OBJECT_DIRECTORY))
		access.type = OBJECT_FILE;
	access.asked =
		decoder_asked(decoder, is_rmdir ? ORDER_RMDIR : ORDER_UNLINK, call->error, found_facts(&call->object));
	if (!access.asked)
		return;
	decoder_say_unreadable(decoder, task, call);
	if (call->path && !decoder_say_changed(decoder, call, &call->object) &&
	    !decoder_say_untouched(decoder, call, &call->object))
		decoder_report(decoder, task, call, &access, &call->object);
}

const struct call_class remove_class = {remove_entry, remove_exit};

static bool rename_entry(struct decoder *decoder, struct task *task, struct call *call, const struct event *event)
{
	struct name name, name2;

	(void)event;
	call->flags = call_argument(call, call->row->flags);
	call_read_paths(decoder, task, call);
	name = call_name(call, false);
	name2 = call_name2(call);
	if (call->path && call->path2) {
		resolve_name(decoder->resolver, task, &name, &call->object);
		resolve_name(decoder->resolver, task, &name2, &call->object2);
	}
	return true;
}

static bool parent_mount(const char *path, uint64_t *mount)
{
	scoped_free char *parent = path_parent(path);
	struct statx status;

	if (!parent || statx(AT_FDCWD, parent, 0, STATX_MNT_ID, &status) != 0)
		return false;
	*mount = status.stx_mnt_id;
	return status.stx_mask & STATX_MNT_ID;
}

static bool is_same_mount(const struct call *call)
{
	uint64_t mount, mount2;

	return call->object.path && call->object2.path && parent_mount(call->object.path, &mount) &&
	       parent_mount(call->object2.path, &mount2) && mount == mount2;
}

static bool is_apart(const struct call *call)
{
	const uint64_t known = RENAME_NOREPLACE | RENAME_EXCHANGE | RENAME_WHITEOUT;
	const char *path = call->object.path, *path2 = call->object2.path;

	if (call->flags & ~known || (call->flags & RENAME_EXCHANGE && call->flags & ~(uint64_t)RENAME_EXCHANGE))
		return false;
	return path && path2 && !path_is_strictly_beneath(path, path2) && !path_is_strictly_beneath(path2, path);
}

static unsigned rename_facts(const struct call *call)
{
	const struct object *object = &call->object, *object2 = &call->object2;
	unsigned facts = call->error == EXDEV && is_same_mount(call) ? FACT_SAME_MOUNT : 0;

	if (!(call->flags & RENAME_NOREPLACE))
		facts |= FACT_REPLACING;
	if (is_apart(call))
		facts |= FACT_APART;
	if (object->type == OBJECT_NONE || object2->place == PLACE_UNKNOWN || object->special || object2->special)
		return facts;
	facts |= FACT_FOUND | FACT_PLAIN;
	if (object->type == OBJECT_DIRECTORY || (!object->slash && !object2->slash))
		facts |= FACT_BARE;
	return facts;
}

/* Both names are paths, or the call is no access; what keeps it from being one is said. */
static bool has_second_path(struct decoder *decoder, struct task *task, const struct call *call,
			    const struct access *access)
{
	if (call->object2.place == PLACE_PATH)
		return true;
	decoder_report(decoder, task, call, &(struct access){.kind = access->kind, .asked = access->asked},
		       &call->object2);
	return false;
}

/* One that is moved onto another name of its own stays. Whether something came to the second name is looked at last. */
static bool say_names_changed(struct decoder *decoder, const struct task *task, const struct call *call)
{
	struct object now = {0};
	struct name name2;
	bool changed;

	if (call->error || !call->shared || object_is_same(&call->object, &call->object2))
		return false;
	if (decoder_say_changed(decoder, call, &call->object) || decoder_say_untouched(decoder, call, &call->object) ||
	    decoder_say_untouched(decoder, call, &call->object2))
		return true;
	name2 = call_name2(call);
	resolve_name(decoder->resolver, task, &name2, &now);
	changed = decoder_say_changed(decoder, call, &now);
	object_finish(&now);
	return changed;
}

/*
 * Refused by a mode, across directories, which is looked at after Landlock: that would have answered the same, or EXDEV
 * where all but refer is granted. The learner decides.
 */
static bool is_refused(const struct call *call)
{
	const struct object *object = &call->object, *object2 = &call->object2;

	return call->error == EACCES && object->type != OBJECT_NONE && object->place == PLACE_PATH &&
	       object2->place == PLACE_PATH && path_parent_length(object->path) != 0 && object2->path &&
	       (path_parent_length(object->path) != path_parent_length(object2->path) ||
		strncmp(object->path, object2->path, path_parent_length(object->path)) != 0);
}

/* It came after the entry, in another call: what it is is seen at its new name, or was told. */
static void take_late(struct decoder *decoder, const struct task *task, struct call *call)
{
	struct name name2 = call_name2(call);
	struct object now;

	if (call->object.type != OBJECT_NONE)
		return;
	resolve_name(decoder->resolver, task, &name2, &now);
	call->object.type = now.type != OBJECT_NONE ? now.type : call->met.type;
	call->object.device = now.device;
	call->object.inode = now.inode;
	object_finish(&now);
}

/* Of a rename that succeeded: what was there at its entry, or came since then. */
static enum object_type replaced_type(const struct call *call)
{
	if (call->error || call->object2.type != OBJECT_NONE || met_is(&call->met2, &call->object))
		return call->object2.type;
	return call->met2.type;
}

static void rename_exit(struct decoder *decoder, struct task *task, struct call *call)
{
	struct access access = {.kind = ACCESS_RENAME};

	access.asked = decoder_asked(decoder, ORDER_RENAME, call->error, rename_facts(call));
	if (!access.asked && !is_refused(call))
		return;
	decoder_say_unreadable(decoder, task, call);
	if (!call->path || !call->path2 || !has_second_path(decoder, task, call, &access) ||
	    say_names_changed(decoder, task, call))
		return;
	if (call->flags & RENAME_EXCHANGE)
		access.kind = ACCESS_EXCHANGE;
	if (!call->error) {
		take_late(decoder, task, call);
		met_tell(decoder, task, call->object2.path, &call->object, true);
	}
	access.replaced = replaced_type(call);
	access.path2 = call->object2.path;
	decoder_report(decoder, task, call, &access, &call->object);
}

const struct call_class rename_class = {rename_entry, rename_exit};

/* What is linked may be given as a descriptor, or through /proc/self/fd: a nameless file gets its name so. */
static bool link_entry(struct decoder *decoder, struct task *task, struct call *call, const struct event *event)
{
	struct name name, name2;

	(void)event;
	call->flags = call_argument(call, call->row->flags);
	call_read_paths(decoder, task, call);
	name = call_name(call, call->flags & AT_SYMLINK_FOLLOW);
	name2 = call_name2(call);
	if (!call->path || !call->path2)
		return true;
	if (!*call->path && call->flags & AT_EMPTY_PATH)
		resolve_descriptor(decoder->resolver, task, name.directory, &call->object);
	else
		resolve_name(decoder->resolver, task, &name, &call->object);
	resolve_name(decoder->resolver, task, &name2, &call->object2);
	return true;
}

/* The name was free; should a rename have come since, it has taken the place of ours. */
static void linked(struct decoder *decoder, struct task *task, struct call *call)
{
	struct object made;

	take_late(decoder, task, call);
	made = call->object;
	made.path = call->object2.path; /* not owned */
	met_tell_made(decoder, task, &made, made.type);
	call->object2.type = call->object.type;
	call->object2.device = call->object.device;
	call->object2.inode = call->object.inode;
	met_report(decoder, task, call, &call->met2, &call->object2);
}

static void link_exit(struct decoder *decoder, struct task *task, struct call *call)
{
	struct access access = {.kind = ACCESS_LINK};
	unsigned facts = call->error == EPERM && task_owns(task, &call->object) ? FACT_OWNED : 0;

	if (call->error == EXDEV && is_same_mount(call))
		facts |= FACT_SAME_MOUNT;
	access.asked = decoder_asked(decoder, ORDER_LINK, call->error, facts);
	if (!access.asked && !is_refused(call))
		return;
	decoder_say_unreadable(decoder, task, call);
	if (!call->path || !call->path2 || !has_second_path(decoder, task, call, &access) ||
	    say_names_changed(decoder, task, call))
		return;
	access.path2 = call->object2.path;
	if (!call->error)
		linked(decoder, task, call);
	decoder_report(decoder, task, call, &access, &call->object);
}

const struct call_class link_class = {link_entry, link_exit};
