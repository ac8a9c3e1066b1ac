#include "runner/explain_apply.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/cleanup.h"
#include "base/memory.h"
#include "base/message.h"
#include "base/shell.h"
#include "profile/hold.h"
#include "profile/path.h"
#include "profile/profile_copy.h"
#include "profile/profile_file.h"
#include "profile/trust.h"

/* The canonical name that the file has, or will have. */
static char *real_name(const char *name)
{
	const char *slash = strrchr(name, '/');
	scoped_free char *directory = slash ? duplicate_bytes(name, (size_t)(slash + 1 - name)) : duplicate(".");
	scoped_free char *real = NULL;
	char *whole = realpath(name, NULL);

	if (whole)
		return whole;
	real = realpath(directory, NULL);
	return real ? format_text("%s/%s", strcmp(real, "/") != 0 ? real : "", slash ? slash + 1 : name) : NULL;
}

static bool is_same_file(const char *one, const char *other)
{
	struct stat status, other_status;

	return one && other && stat(one, &status) == 0 && stat(other, &other_status) == 0 &&
	       status.st_dev == other_status.st_dev && status.st_ino == other_status.st_ino;
}

int explain_apply_reach(const char *option, const char *name, const struct reach *reach, struct error *err)
{
	scoped_free char *real = real_name(name);
	const char *advice = real ? NULL : atomic_file_advice(errno);
	const struct grant *grant = NULL;

	if (!*name)
		return error_set(err, EINVAL, "%s\"\": give the name of a file", option);
	if (strcmp(name, "-") == 0)
		return error_set(err, EINVAL,
				 "%s-: it goes to a file, never to standard output: name it (./- if it shall be -)",
				 option);
	if (!real)
		return error_set(err, errno, "%s%s: %s%s%s", option, name, strerror(errno), advice ? ": " : "",
				 advice ? advice : "");
	if (!reach_is_writable(reach, real, &grant))
		return 0;
	return error_set(err, EPERM,
			 "%s%s: the grant on %s (line %u of the profile) lets the program change that file, and with "
			 "it what is found there afterwards: name one that is out of its reach",
			 option, name, grant->path, grant->origin.line);
}

/* There the lines would go into the program's output, or wait for a reader. Looked at only: opening one can act. */
static int check_kind(const char *name, struct error *err)
{
	struct stat status;

	if (stat(name, &status) < 0 || S_ISREG(status.st_mode) || S_ISDIR(status.st_mode))
		return 0;
	return error_set(err, EINVAL,
			 "--apply=%s: it is no regular file: name the profile that is in force, or a new file", name);
}

int explain_apply_open(struct explain_apply *apply, struct error *err)
{
	int result;

	apply->file = ATOMIC_FILE_NONE;
	apply->real = real_name(apply->name);
	if (check_kind(apply->name, err) < 0 || explain_apply_reach("--apply=", apply->name, apply->reach, err) < 0)
		return -err->number;
	apply->is_same = is_same_file(apply->name, apply->profile);
	result = atomic_file_open(&apply->file, apply->name, 0666, apply->is_same, err);
	if (result == -EEXIST)
		error_set(
			err, EEXIST,
			"--apply=%s: it exists, and is not the profile that is in force: name that one, or a new file",
			apply->name);
	return result;
}

void explain_apply_finish(struct explain_apply *apply)
{
	if (apply->name)
		atomic_file_finish(&apply->file);
	free(apply->real);
	for (size_t i = 0; i < apply->said_count; i++)
		free(apply->said[i]);
	free(apply->said);
	*apply = (struct explain_apply){.file = ATOMIC_FILE_NONE};
}

/* What decides about the next start: the profile, what is written now, the tiers, and the list of what is trusted. */
static bool decides(const struct explain_apply *apply, const char *path)
{
	scoped_free char *state = NULL;
	scoped_free char *list = NULL;
	scoped_error err = {0};

	if (!strcmp(path, apply->real) || is_same_file(path, apply->profile) ||
	    is_same_file(path, tiers_file(apply->tiers)))
		return true;
	if (state_directory(false, &state, &err) < 0)
		return false;
	list = format_text("%s/trusted", state);
	return is_same_file(path, list);
}

static bool is_one_file(const char *path)
{
	struct stat status;

	return lstat(path, &status) == 0 && !S_ISDIR(status.st_mode);
}

/*
 * There it may have given the name to another file of that directory, to one that came into it, or to a device, in this
 * run or one before: a line by that name would grant what it chose.
 */
static bool could_be_put(const struct explain_apply *apply, const char *path)
{
	scoped_free char *directory = path_parent(path);

	return directory && reach_rights(apply->reach, directory) & RIGHTS_ON_NAMES;
}

static bool may_be_granted(const struct explain_apply *apply, const struct remedy *remedy)
{
	return remedy->tier == TIER_NORMAL && !(remedy->rights & ~RIGHTS_ON_FILE) && is_one_file(remedy->path) &&
	       !could_be_put(apply, remedy->path) && !decides(apply, remedy->path);
}

static void spell(struct grant *grant, const struct remedy *remedy)
{
	if (strstr(remedy->text, "${TTY}"))
		origin_spell(&grant->origin, "${TTY}", grant->path);
}

static void note(struct explain_apply *apply, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void note(struct explain_apply *apply, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	*ARRAY_APPEND(apply->said, apply->said_count, apply->said_capacity) = format_text_list(format, arguments);
	va_end(arguments);
}

static void apply_remedy(struct explain_apply *apply, struct profile *profile, const struct remedy *remedy)
{
	bool granted;

	if (!remedy->text || remedy->kind != NEED_GRANT) {
		note(apply, "not written to %s, since %s: %s", apply->name,
		     remedy->text ? "it cannot be held" : "no line can be added",
		     remedy->text ? remedy->text : remedy->reason);
		return;
	}
	granted = may_be_granted(apply, remedy);
	if (!granted && profile_find_grant(profile, SECTION_NORMAL, remedy->path)) {
		note(apply, "not written to %s, since a path is held or granted, and it is granted: %s", apply->name,
		     remedy->text);
		return;
	}
	spell(profile_add_grant(profile, granted ? SECTION_NORMAL : SECTION_HELD, remedy->rights, remedy->path),
	      remedy);
	if (granted)
		apply->granted++;
	else
		apply->held++;
	note(apply, "%s in %s: %s", granted ? "granted" : "held", apply->name, remedy->text);
}

/* A person may have changed it while the program ran. */
static int check_unchanged(const struct explain_apply *apply, struct error *err)
{
	scoped_error why = {0};
	struct profile now;
	char sha256[HASH_TEXT_SIZE] = "";

	if (!apply->is_same)
		return 0;
	profile_load(apply->profile, NULL, &now, sha256, NULL, &why);
	profile_finish(&now);
	if (!strcmp(sha256, apply->sha256))
		return 0;
	return error_set(
		err, ESTALE,
		"--apply=%s: it was changed while the program ran, and nothing was written over it: run again, "
		"or name a new file",
		apply->name);
}

int explain_apply_write(struct explain_apply *apply, const struct profile *profile, const struct verdict *verdict,
			struct error *err)
{
	scoped_free char *file = shell_file(apply->name);
	scoped_buffer bytes = {0};
	struct profile copy = {0};
	int result = check_unchanged(apply, err);

	if (result < 0)
		return result;
	profile_copy(profile, &copy);
	for (const struct remedy *remedy = verdict->remedies; remedy; remedy = remedy->hh.next)
		apply_remedy(apply, &copy, remedy);
	if (apply->held)
		profile_add_incomplete(&copy, HOLD_REASON);
	profile_write(&copy, &bytes);
	profile_finish(&copy);
	if (!apply->is_same || apply->granted || apply->held)
		result = atomic_file_commit(&apply->file, bytes.data, bytes.length, err);
	for (size_t i = 0; i < apply->said_count && result == 0; i++)
		message("%s", apply->said[i]);
	if (result == 0 && apply->held)
		message("%s: %zu held line%s for you to decide on: trace-profile review %s", apply->name, apply->held,
			apply->held == 1 ? " is" : "s are", file);
	return result;
}
