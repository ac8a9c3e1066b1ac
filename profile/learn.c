#include "profile/learn.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "profile/incomplete.h"
#include "profile/learner.h"
#include "profile/path.h"

#define PTY_DIRECTORY "/dev/pts"

struct learner *learner_create(const struct learn_options *options)
{
	struct learner *learner = allocate(sizeof *learner);

	learner->options = *options;
	learner->options.tty = learner->tty = duplicate(options->tty);
	return learner;
}

static void free_texts(char **texts, size_t count)
{
	for (size_t i = 0; i < count; i++)
		free(texts[i]);
	free(texts);
}

void learner_destroy(struct learner *learner)
{
	if (!learner)
		return;
	seen_moves_finish(&learner->moves);
	refused_finish(&learner->refused);
	names_finish(&learner->names);
	seen_calls_finish(&learner->calls);
	widenings_finish(&learner->widened);
	free_texts(learner->reasons, learner->reason_count);
	free(learner->ports);
	free(learner->tty);
	free(learner);
}

static bool has_text(char *const *texts, size_t count, const char *text)
{
	for (size_t i = 0; i < count; i++)
		if (!strcmp(texts[i], text))
			return true;
	return false;
}

void learner_add_incomplete(struct learner *learner, const char *reason)
{
	if (!has_text(learner->reasons, learner->reason_count, reason))
		*ARRAY_APPEND(learner->reasons, learner->reason_count, learner->reason_capacity) = duplicate(reason);
}

static struct name *name_of(struct learner *learner, const char *path)
{
	return names_get(&learner->names, path, strlen(path));
}

static struct name *directory_of(struct learner *learner, const char *path)
{
	size_t length = path_parent_length(path);

	return names_get(&learner->names, path, length ? length : 1);
}

/* Whether path is `directory`, a number, and then nothing or `beneath`. */
static bool is_number_in(const char *path, const char *directory, bool beneath)
{
	size_t length = strlen(directory), digits;

	if (path[1] != directory[1] || strncmp(path, directory, length) != 0 || path[length] != '/')
		return false;
	path += length + 1;
	digits = strspn(path, "0123456789");
	return digits && (path[digits] == '\0' || (beneath && path[digits] == '/'));
}

/* Of a process that is not the caller: the number means another one next time. */
static bool is_process_entry(const char *path)
{
	return is_number_in(path, "/proc", true);
}

/* One that the program opened itself: next time it has another number. */
static bool is_own_pty(const struct learner *learner, const char *path)
{
	return is_number_in(path, PTY_DIRECTORY, false) && !(learner->tty && !strcmp(path, learner->tty));
}

static bool is_device(enum object_type type)
{
	return type == OBJECT_CHARACTER || type == OBJECT_BLOCK;
}

/* ioctl(2) is not traced, so a device gets it when it is opened. */
static rights_t use_rights(const struct access *access)
{
	rights_t rights = access->asked ? access->rights : 0;

	if (rights && is_device(access->type) && !access->error)
		rights |= RIGHT_IOCTL_DEV;
	return rights;
}

/*
 * What making it would ask of its directory: to make it, and what is asked of it then, but that a new file is not
 * truncated. Only where a file or directory can be made: not in the place of a device.
 */
static void add_absent(struct learner *learner, const struct access *access, rights_t make)
{
	rights_t rights = make | (access->rights & RIGHTS_ON_FILE & ~RIGHT_TRUNCATE);

	if (!make || is_device(access->type) || access->type == OBJECT_FIFO || access->type == OBJECT_SOCKET ||
	    path_is_beneath(access->path, "/proc") || path_is_beneath(access->path, "/sys"))
		return;
	directory_of(learner, access->path)->absent |= rights;
}

/*
 * The name that gets the rights: a link stands for what it leads to (`target`) where that is only read or run, unless
 * it led somewhere else before.
 */
static struct name *used_name(struct learner *learner, const struct access *access, struct name *target,
			      rights_t rights)
{
	struct name *link;

	if (!access->link || rights & ~(RIGHT_READ_FILE | RIGHT_EXECUTE))
		return target;
	link = name_of(learner, access->link);
	if (link->target && link->target != target)
		return target;
	link->target = target;
	return link;
}

static void add_use(struct learner *learner, const struct access *access)
{
	rights_t rights = use_rights(access);
	struct name *name;

	if (is_process_entry(access->path)) {
		if (rights)
			learner_add_incomplete(learner, INCOMPLETE_PROC);
		return;
	}
	if (is_own_pty(learner, access->path)) {
		name_of(learner, PTY_DIRECTORY)->within |= rights;
		return;
	}
	name = name_of(learner, access->path);
	if (access->asked || !access->error || access->type != OBJECT_NONE)
		name_saw_type(name, access->type);
	used_name(learner, access, name, rights)->on |= rights;
	add_absent(learner, access, access->absent);
}

static void add_create(struct learner *learner, const struct access *access)
{
	rights_t make = access_make_right(access->type);

	if (access->asked)
		learner_make_within(learner, directory_of(learner, access->path), make | access->rights);
	else if (access->error == EEXIST)
		add_absent(learner, access, make);
	if (!access->error) {
		struct name *name = name_of(learner, access->path);

		name_saw_type(name, access->type);
		names_bear(&learner->names, name);
		name->again = access->again;
		name->gone = false;
	}
}

static void add_remove(struct learner *learner, const struct access *access)
{
	if (!access->asked)
		return;
	name_saw_type(name_of(learner, access->path), access->type);
	directory_of(learner, access->path)->within |= access_remove_right(access->type);
	name_of(learner, access->path)->gone |= !access->error;
}

/* A rule on a symbolic link would be one on its target, so its directory stands for it. */
static struct name *moved_name(struct learner *learner, const char *path, enum object_type type)
{
	return type == OBJECT_SYMLINK ? directory_of(learner, path) : name_of(learner, path);
}

/* One direction of a rename, exchange or link: path comes to path2. */
static void add_passage(struct learner *learner, const char *path, enum object_type type, const char *path2,
			bool is_link, bool succeeded)
{
	struct name *from = directory_of(learner, path), *to = directory_of(learner, path2);

	name_saw_type(name_of(learner, path), type);
	if (!is_link)
		from->within |= access_remove_right(type);
	to->within |= access_make_right(type);
	if (from != to) {
		from->within |= RIGHT_REFER;
		to->within |= RIGHT_REFER;
		seen_moves_add(&learner->moves, moved_name(learner, path, type), to, type == OBJECT_DIRECTORY);
	}
	if (succeeded && strcmp(path, path2) != 0) {
		struct name *name = name_of(learner, path2);

		name_saw_type(name, type);
		names_bear(&learner->names, name);
		name->gone = false;
		name_of(learner, path)->gone |= !is_link;
	}
}

/* One direction of what the system refused. */
static void add_refused(struct learner *learner, const char *path, enum object_type type, const char *path2,
			bool is_link)
{
	struct refused refused = {0};

	refused.key.from = directory_of(learner, path);
	refused.key.to = directory_of(learner, path2);
	refused.key.object = moved_name(learner, path, type);
	refused.key.from_rights = is_link ? 0 : access_remove_right(type);
	refused.key.to_rights = access_make_right(type);
	refused.key.directory = type == OBJECT_DIRECTORY;
	if (refused.key.from != refused.key.to)
		refused_add(&learner->refused, &refused);
}

static void add_rename(struct learner *learner, const struct access *access)
{
	if (!access->asked && access->error == EACCES) {
		add_refused(learner, access->path, access->type, access->path2, access->kind == ACCESS_LINK);
		if (access->kind == ACCESS_EXCHANGE)
			add_refused(learner, access->path2, access->replaced, access->path, false);
	}
	if (!access->asked)
		return;
	add_passage(learner, access->path, access->type, access->path2, access->kind == ACCESS_LINK, !access->error);
	if (access->kind == ACCESS_EXCHANGE)
		add_passage(learner, access->path2, access->replaced, access->path, false, !access->error);
	else if (access->replaced != OBJECT_NONE)
		directory_of(learner, access->path2)->within |= access_remove_right(access->replaced);
	else if (access->kind == ACCESS_RENAME && access->type == OBJECT_FILE && !access->error)
		name_of(learner, access->path2)->again = RIGHT_REMOVE_FILE;
}

static void add_tmpfile(struct learner *learner, const struct access *access)
{
	if (access->asked)
		directory_of(learner, access->path)->within |= access->rights & RIGHTS_ON_FILE;
	if (!access->error)
		names_bear(&learner->names, name_of(learner, access->path));
}

static void add_missing(struct learner *learner, const struct access *access)
{
	struct name *name;

	if (is_process_entry(access->path) || is_own_pty(learner, access->path))
		return;
	name = name_of(learner, access->path);
	name->missing = true;
	name->sought |= access->rights;
	if (learner->options.with_absent)
		name->on |= access->rights;
}

static void add_port(struct learner *learner, const struct access *access)
{
	if (!access->asked || access->port < PORT_ANY || access->port - PORT_ANY >= PORT_COUNT)
		return;
	if (!learner->ports)
		learner->ports = allocate(PORT_COUNT);
	learner->ports[access->port - PORT_ANY] |=
		(unsigned char)((access->rights & RIGHTS_NETWORK) >> RIGHTS_NETWORK_SHIFT);
}

static void add_scope(struct learner *learner, const struct access *access)
{
	if (access->asked)
		learner->scope |= access->rights & RIGHTS_SCOPE;
}

static void add_call(struct learner *learner, const struct access *access)
{
	seen_calls_add(&learner->calls, access);
}

/* What nobody asks Landlock for is for the log alone. */
static void add_nothing(struct learner *learner, const struct access *access)
{
	(void)learner, (void)access;
}

typedef void add_fn(struct learner *learner, const struct access *access);

static const struct {
	add_fn *add;
	bool has_path;
	bool has_path2;
} kinds[] = {
	[ACCESS_USE] = {add_use, true, false},		[ACCESS_CREATE] = {add_create, true, false},
	[ACCESS_REMOVE] = {add_remove, true, false},	[ACCESS_RENAME] = {add_rename, true, true},
	[ACCESS_EXCHANGE] = {add_rename, true, true},	[ACCESS_LINK] = {add_rename, true, true},
	[ACCESS_TMPFILE] = {add_tmpfile, true, false},	[ACCESS_MISSING] = {add_missing, true, false},
	[ACCESS_PORT] = {add_port, false, false},	[ACCESS_SCOPE] = {add_scope, false, false},
	[ACCESS_CALL] = {add_call, false, false},	[ACCESS_LOOK] = {add_nothing, true, false},
	[ACCESS_METADATA] = {add_nothing, true, false},
};

static bool is_absolute(const char *path)
{
	return path && path[0] == '/';
}

void learner_add(struct learner *learner, const struct access *access)
{
	if (access->inherited || (kinds[access->kind].has_path && !is_absolute(access->path)) ||
	    (kinds[access->kind].has_path2 && !is_absolute(access->path2)))
		return;
	kinds[access->kind].add(learner, access);
	learner->is_touched_known = false;
}

bool learner_touched(struct learner *learner, const char *path)
{
	if (!learner->is_touched_known)
		names_touch(&learner->names);
	learner->is_touched_known = true;
	return names_touched(&learner->names, path);
}

bool learner_saw_file(const struct learner *learner, const char *path)
{
	const struct name *name = names_find(&learner->names, path);

	return name && name_is_file(name);
}

const struct widenings *learner_widened(const struct learner *learner)
{
	return &learner->widened;
}
