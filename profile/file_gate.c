#include "profile/file_gate.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/hash.h"
#include "base/memory.h"
#include "base/shell.h"
#include "profile/path.h"
#include "profile/rule_path.h"
#include "profile/trust.h"

/* A file that decides about the start, with every name through which it was reached. */
struct guarded {
	const char *what;	    /* "profile" or "tiers file" */
	const char *file;	    /* as it was named */
	const char *look;	    /* the command that shows it */
	const char *sha256;	    /* or, where nobody took it yet, … */
	const struct buffer *bytes; /* … what it is of */
	const char *way_round;	    /* how to start all the same, for the end of a message; or "" */
	struct stat status;
	char **names; /* its canonical name, and those of the links on the way */
	size_t count, capacity;
};

static void add_name(void *data, const char *name)
{
	struct guarded *guarded = data;

	*ARRAY_APPEND(guarded->names, guarded->count, guarded->capacity) = duplicate(name);
}

static void guarded_finish(struct guarded *guarded)
{
	for (size_t i = 0; i < guarded->count; i++)
		free(guarded->names[i]);
	free(guarded->names);
}

/* /dev/stdin and its like: magic links, which only the kernel can follow. */
static int find_magic_name(struct guarded *guarded, struct error *err)
{
	char *real = realpath(guarded->file, NULL);

	if (!real)
		return error_set_errno(err, errno, "%s: the %s has no name any more", guarded->file, guarded->what);
	*ARRAY_APPEND(guarded->names, guarded->count, guarded->capacity) = real;
	return 0;
}

static int find_names(struct guarded *guarded, struct error *err)
{
	scoped_free char *directory = *guarded->file == '/' ? duplicate("") : getcwd(NULL, 0);
	scoped_free char *path = NULL;
	scoped_free char *real = NULL;
	scoped_error why = {0};
	scoped_fd fd = -1;
	struct stat status;

	if (!directory)
		return error_set_errno(err, errno, "%s: the present directory has no name", guarded->file);
	path = format_text("%s/%s", directory, guarded->file);
	fd = rule_path_trace(path, add_name, guarded, &real, &why);
	if (fd == -ELOOP)
		return find_magic_name(guarded, err);
	if (fd < 0)
		return error_set(err, -fd, "%s: the %s cannot be found again: %s", guarded->file, guarded->what,
				 why.message);
	add_name(guarded, real);
	if (fstat(fd, &status) < 0 || status.st_dev != guarded->status.st_dev ||
	    status.st_ino != guarded->status.st_ino)
		return error_set(err, EPERM, "%s: the %s was replaced while it was read", guarded->file, guarded->what);
	return 0;
}

/* Who but root can change what stands at name; NULL for nobody. In a sticky directory only the owner of a name can. */
static const char *other_writer(const char *name, bool is_directory)
{
	struct stat status;

	if (lstat(name, &status) < 0)
		return "cannot be looked at";
	if (status.st_uid != 0)
		return "belongs to another user";
	if (S_ISLNK(status.st_mode) || !(status.st_mode & (S_IWGRP | S_IWOTH)))
		return NULL;
	return is_directory && status.st_mode & S_ISVTX ? NULL : "can be written by others";
}

static int check_for_root(const struct guarded *guarded, const char *name, bool is_directory, struct error *err)
{
	scoped_free char *place = duplicate(name);

	while (place) {
		const char *why = other_writer(place, is_directory);
		char *parent;

		if (why)
			return error_set(err, EPERM,
					 "%s: %s %s, and root uses no %s that another user may write: check it, and "
					 "copy it to where only root can (install -m 600 %s /root/)",
					 guarded->file, place, why, guarded->what, guarded->file);
		parent = path_parent(place);
		free(place);
		place = parent;
		is_directory = true;
	}
	return 0;
}

int profile_gate_place(const char *file, struct error *err)
{
	const struct guarded guarded = {.file = file, .what = "profile"};
	scoped_free char *name = realpath(file, NULL);
	char *slash;

	if (geteuid() != 0)
		return 0;
	if (!name) {
		scoped_free char *directory = NULL, *real = NULL;

		slash = strrchr(file, '/');
		directory = slash ? duplicate_bytes(file, (size_t)(slash + 1 - file)) : duplicate(".");
		real = realpath(directory, NULL);
		name = real ? format_text("%s/-", real) : NULL;
	}
	if (!name)
		return 0; /* a device without a name, or nothing could be written there */
	slash = strrchr(name, '/');
	slash[slash == name] = '\0';
	return check_for_root(&guarded, name, true, err);
}

/* A grant to write what is the guarded file under another name, or may hold a second hard link of it. */
static const struct grant *writes_inode(const struct profile *profile, const struct guarded *guarded)
{
	struct stat status;

	for (size_t i = 0; i < profile->grant_count; i++) {
		const struct grant *grant = &profile->grants[i];

		if (!grant_is_enforced(grant) || !(grant->rights & RIGHTS_ON_CONTENTS) ||
		    stat(grant->path, &status) < 0)
			continue;
		if (S_ISDIR(status.st_mode)
			    ? guarded->status.st_nlink > 1
			    : status.st_dev == guarded->status.st_dev && status.st_ino == guarded->status.st_ino)
			return grant;
	}
	return NULL;
}

static const struct grant *writing_grant(const struct reach *reach, const struct guarded *guarded)
{
	const struct grant *grant = NULL;

	for (size_t i = 0; i < guarded->count; i++)
		if (reach_is_writable(reach, guarded->names[i], &grant))
			return grant;
	return writes_inode(reach->profile, guarded);
}

/* What was just learned was never read, and has no lines yet. */
static char *line_of(const struct grant *grant)
{
	return grant->origin.line ? format_text(" (line %u of the profile)", grant->origin.line) : duplicate("");
}

/* Where a path leads that may not be there yet, with each link on the way: what is missing lies beneath what is not. */
static char *find_way(const char *path, struct guarded *guarded)
{
	scoped_free char *there = duplicate(path), *real = NULL;

	while (there) {
		scoped_error why = {0};
		scoped_fd fd = rule_path_trace(there, add_name, guarded, &real, &why);
		char *parent;

		if (fd >= 0)
			return format_text("%s%s", strcmp(real, "/") == 0 ? "" : real, path + strlen(there));
		parent = path_parent(there);
		free(there);
		there = parent;
	}
	return duplicate(path);
}

/* The list itself must be out of the program's reach, by whatever name, or it proves nothing. */
static int check_list(const struct reach *reach, const struct guarded *guarded, struct error *err)
{
	scoped_free char *directory = NULL, *path = NULL, *real = NULL, *line = NULL;
	const struct grant *grant = NULL;
	struct guarded list = {0};

	if (state_directory(false, &directory, err) < 0)
		return error_context(err, "%s: the list of trusted files has no place", guarded->file);
	path = format_text("%s/trusted", directory);
	real = find_way(path, &list);
	add_name(&list, real);
	for (size_t i = 0; i < list.count && !grant; i++)
		reach_is_writable(reach, list.names[i], &grant);
	guarded_finish(&list);
	if (!grant)
		return 0;
	line = line_of(grant);
	return error_set(err, EPERM,
			 "%s: its grant on %s%s lets the program change the list of trusted files, %s, so "
			 "that the list cannot speak for this %s: take that grant away%s",
			 guarded->file, grant->path, line, real, guarded->what, guarded->way_round);
}

static const char *hash_of(const struct guarded *guarded, char hash[HASH_TEXT_SIZE])
{
	if (!guarded->bytes)
		return guarded->sha256;
	hash_text(guarded->bytes->data, guarded->bytes->length, hash);
	return hash;
}

static int check_trust(const struct reach *reach, const struct guarded *guarded, struct error *err)
{
	const struct grant *grant = writing_grant(reach, guarded);
	scoped_free char *file = shell_file(guarded->file), *line = NULL;
	char hash[HASH_TEXT_SIZE];
	int listed;

	if (!grant)
		return 0;
	if (check_list(reach, guarded, err) < 0)
		return -err->number;
	/* One of the names is reached, so there are some; the real one is the last.
	 * NOLINTNEXTLINE(clang-analyzer-core.*) */
	listed = trust_has(hash_of(guarded, hash), guarded->names[guarded->count - 1], err);
	if (listed < 0)
		return error_context(err, "%s: the list of trusted files cannot be read", guarded->file);
	if (listed)
		return 0;
	line = line_of(grant);
	return error_set(err, EPERM,
			 "%s: the grant on %s%s lets the program change this %s, and nobody "
			 "has let these bytes in at this place: look at them with \"%s %s\" and accept "
			 "them with \"trace-profile trust %s\"%s",
			 guarded->file, grant->path, line, guarded->what, guarded->look, file, file,
			 guarded->way_round);
}

static int check_file(const struct profile_gate *gate, struct guarded *guarded, struct error *err)
{
	if (!S_ISREG(guarded->status.st_mode)) /* a pipe: nothing is left to change */
		return 0;
	if (find_names(guarded, err) < 0)
		return -err->number;
	for (size_t i = 0; geteuid() == 0 && i < guarded->count; i++)
		if (check_for_root(guarded, guarded->names[i], false, err) < 0)
			return -err->number;
	return gate->allow_writable ? 0 : check_trust(gate->reach, guarded, err);
}

static const char *way_round(const struct profile_gate *gate)
{
	return gate->no_way_round ? "" : ", or start with --allow-writable-profile";
}

static int check_tiers(const struct profile_gate *gate, struct error *err)
{
	struct guarded guarded = {
		.what = "tiers file",
		.look = "cat -v",
		.file = tiers_file(gate->tiers),
		.sha256 = tiers_hash(gate->tiers),
		.way_round = way_round(gate),
	};
	int result;

	if (!guarded.file)
		return 0;
	if (stat(guarded.file, &guarded.status) < 0)
		return error_set_errno(err, errno, "%s", guarded.file);
	result = check_file(gate, &guarded, err);
	guarded_finish(&guarded);
	return result;
}

int profile_gate_files(const struct profile_gate *gate, struct error *err)
{
	struct guarded guarded = {
		.what = "profile",
		.look = "trace-profile show",
		.file = gate->file,
		.sha256 = gate->sha256,
		.bytes = gate->bytes,
		.way_round = way_round(gate),
		.status = *gate->status,
	};
	int result = check_file(gate, &guarded, err);

	guarded_finish(&guarded);
	return result < 0 ? result : check_tiers(gate, err);
}
