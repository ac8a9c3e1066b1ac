/* The part of check that looks at the file system: with O_PATH and readlink alone, so that nothing is opened or run. */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buffer.h"
#include "base/cleanup.h"
#include "base/escape.h"
#include "profile/allowed.h"
#include "profile/check.h"
#include "profile/fact.h"
#include "profile/look.h"
#include "profile/mount_names.h"
#include "profile/path.h"
#include "profile/reach.h"
#include "profile/rule_path.h"

static char *display(const char *text)
{
	scoped_buffer shown = {0};

	escape_display(&shown, text);
	return buffer_steal(&shown);
}

struct links {
	struct check *check;
	unsigned line;
};

static void note_link(void *data, const char *name)
{
	struct links *links = data;
	char bytes[PATH_MAX];
	ssize_t length = readlink(name, bytes, sizeof bytes - 1);
	scoped_free char *link = fact_path(name);
	scoped_free char *target = NULL;

	if (length < 0)
		return;
	bytes[length] = '\0';
	target = fact_path(bytes);
	check_add(links->check, FINDING_NOTE, links->line,
		  "%s is a symbolic link to %s, followed because only root can change it", link, target);
}

static void note_links(struct check *check, const struct grant *grant)
{
	struct links links = {check, grant->origin.line};
	scoped_free char *real = NULL;
	scoped_error err = {0};
	int fd;

	if (!rule_path_has_link(grant->path))
		return;
	fd = rule_path_trace(grant->path, note_link, &links, &real, &err);
	if (fd >= 0)
		close(fd);
}

static void check_refused(struct check *check, const struct grant *grant, const struct error *err)
{
	scoped_free char *why = display(err->message);

	check_add(check, FINDING_WARNING, grant->origin.line, "%s: the line is not applied; name the target instead",
		  why);
}

static void check_missing(struct check *check, const struct grant *grant, int error)
{
	scoped_free char *path = fact_path(grant->path);

	if (error == ENOENT || error == ENOTDIR)
		check_add(check, FINDING_WARNING, grant->origin.line,
			  "%s does not exist: the line is passed over; remove it or learn again%s", path,
			  strpbrk(path, "*?[") ? " (names are taken as they are, without patterns: a directory stands "
						 "for all in it)"
					       : "");
	else
		check_add(check, FINDING_WARNING, grant->origin.line, "%s cannot be looked at: %s", path,
			  strerror(error));
}

static void check_kind(struct check *check, const struct grant *grant, mode_t mode)
{
	rights_t useless = grant->rights & ~RIGHTS_ON_FILE;
	scoped_free char *path = fact_path(grant->path);
	scoped_free char *rights = fact_rights(useless);

	if (!S_ISDIR(mode) && useless)
		check_add(check, FINDING_WARNING, grant->origin.line,
			  "%s is not a directory, and only a directory can have %s: remove that", path, rights);
}

/* Found as trace-run finds it. */
static void check_object(struct check *check, const struct reach *reach, const struct grant *grant)
{
	scoped_error err = {0};
	mode_t mode;
	scoped_fd fd = rule_path_open(grant->path, reach, &mode, &err);

	if (fd == -ELOOP) {
		check_refused(check, grant, &err);
		return;
	}
	if (fd < 0) {
		check_missing(check, grant, -fd);
		return;
	}
	note_links(check, grant);
	check_kind(check, grant, mode);
}

/* Not on procfs, whose entries are those of whoever looks, and not the terminal, which is another one at each start. */
static bool has_object(const struct grant *grant)
{
	return grant_is_enforced(grant) && !path_is_strictly_beneath(grant->path, "/proc") &&
	       strcmp(grant->path, TERMINAL_PLACEHOLDER) != 0;
}

static bool may_execute(struct profile *profile, const struct reach *reach, const char *path)
{
	const struct need need = {.kind = NEED_GRANT, .rights = RIGHT_EXECUTE | RIGHT_READ_FILE, .path = (char *)path};
	scoped_profile followed = {0};
	const struct allowed_names names = {.others = &followed, .each = mount_names};
	struct allowed *allowed;
	scoped_answer answer = {0};

	reach_followed(reach, &followed);
	allowed = allowed_create(profile, NULL, &names);
	allowed_ask(allowed, &need, NULL, &answer);
	allowed_destroy(allowed);
	return answer.allowed;
}

static void check_program(struct check *check, struct profile *profile, const struct reach *reach)
{
	unsigned line = profile->keys[KEY_PROGRAM].line;
	scoped_free char *path = realpath(profile->program, NULL);
	scoped_free char *fact = NULL;

	if (!path) {
		check_add(check, FINDING_WARNING, line, "the program cannot be found: %s", strerror(errno));
		return;
	}
	if (may_execute(profile, reach, path))
		return;
	fact = fact_grant(RIGHT_EXECUTE | RIGHT_READ_FILE, path);
	check_add(check, FINDING_WARNING, line, "the program may not be executed: add `allow = %s'", fact);
}

void check_paths(struct check *check, struct profile *profile)
{
	struct reach reach;

	reach_init(&reach, profile);
	for (size_t i = 0; i < profile->grant_count; i++)
		if (has_object(&profile->grants[i]))
			check_object(check, &reach, &profile->grants[i]);
	if (profile->program)
		check_program(check, profile, &reach);
	reach_finish(&reach);
}

void check_files(struct check *check, const struct profile_gate *gate)
{
	scoped_error err = {0};
	const char *text;
	size_t length = strlen(gate->file);

	if (profile_gate_files(gate, &err) == 0)
		return;
	text = err.message;
	if (strncmp(text, gate->file, length) == 0 && strncmp(text + length, ": ", 2) == 0)
		text += length + 2;
	check_add(check, FINDING_ERROR, 0, "trace-run refuses to start: %s", text);
}
