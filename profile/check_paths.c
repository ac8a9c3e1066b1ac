/* The part of check that looks at the file system: with O_PATH and lstat alone, so that nothing is opened or run. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/cleanup.h"
#include "base/memory.h"
#include "profile/check.h"
#include "profile/cover.h"
#include "profile/fact.h"
#include "profile/path.h"
#include "profile/trust.h"

/* The way to a path, up to its end or the first symbolic link. */
struct way {
	int error;	       /* errno that ended it; 0 when it came to the end or to a link */
	struct stat status;    /* of the end or the link */
	struct stat directory; /* of the directory that holds it */
	size_t link_length;    /* of the path up to the link; 0 for none */
	char target[PATH_MAX]; /* of the link */
};

static int read_target(int directory_fd, const char *name, char *target, size_t size)
{
	ssize_t length = readlinkat(directory_fd, name, target, size - 1);

	if (length < 0)
		return errno;
	target[length] = '\0';
	return 0;
}

/* One part of the way; *fd becomes that of the part, unless it is a link. Returns 0 or errno. */
static int go_on(struct way *way, int *fd, const char *name)
{
	int next;

	if (fstat(*fd, &way->directory) < 0 || fstatat(*fd, name, &way->status, AT_SYMLINK_NOFOLLOW) < 0)
		return errno;
	if (S_ISLNK(way->status.st_mode))
		return read_target(*fd, name, way->target, sizeof way->target);
	next = openat(*fd, name, O_PATH | O_NOFOLLOW | O_CLOEXEC);
	if (next < 0)
		return errno;
	close(*fd);
	*fd = next;
	return 0;
}

static void find_way(const char *path, struct way *way)
{
	scoped_fd fd = open("/", O_PATH | O_DIRECTORY | O_CLOEXEC);
	const char *at = path + 1;

	*way = (struct way){0};
	if (fd < 0 || fstat(fd, &way->status) < 0) {
		way->error = errno;
		return;
	}
	while (*at && !way->error && !way->link_length) {
		size_t length = strcspn(at, "/");
		scoped_free char *name = duplicate_bytes(at, length);

		way->error = go_on(way, &fd, name);
		at += length;
		if (!way->error && S_ISLNK(way->status.st_mode))
			way->link_length = (size_t)(at - path);
		at += *at == '/';
	}
}

/* As trace-run decides (DESIGN section 5): a link counts only where nobody but root could have put it. */
static bool is_safe_link(const struct way *way, const struct profile *profile, const char *link)
{
	return way->directory.st_uid == 0 && !(way->directory.st_mode & (S_IWGRP | S_IWOTH)) &&
	       !trust_is_writable(profile, link, NULL);
}

static void check_link(struct check *check, const struct profile *profile, const struct grant *grant,
		       const struct way *way)
{
	scoped_free char *bytes = duplicate_bytes(grant->path, way->link_length);
	scoped_free char *link = fact_path(bytes);
	scoped_free char *target = fact_path(way->target);

	if (is_safe_link(way, profile, bytes))
		check_add(check, FINDING_NOTE, grant->origin.line,
			  "%s is a symbolic link to %s, followed because only root can change it", link, target);
	else
		check_add(check, FINDING_WARNING, grant->origin.line,
			  "%s is a symbolic link to %s in a directory that others than root, or the program, can "
			  "change: the line is not applied; name the target instead",
			  link, target);
}

static void check_missing(struct check *check, const struct grant *grant, int error)
{
	scoped_free char *path = fact_path(grant->path);

	if (error == ENOENT || error == ENOTDIR)
		check_add(check, FINDING_WARNING, grant->origin.line,
			  "%s does not exist: the line is passed over; remove it or learn again", path);
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

static void check_object(struct check *check, const struct profile *profile, const struct grant *grant)
{
	struct way way;

	find_way(grant->path, &way);
	if (!way.error && way.link_length) {
		check_link(check, profile, grant, &way);
		if (stat(grant->path, &way.status) < 0)
			way.error = errno;
	}
	if (way.error)
		check_missing(check, grant, way.error);
	else
		check_kind(check, grant, way.status.st_mode);
}

/* Not on procfs, whose entries are those of whoever looks, and not the terminal, which is another one at each start. */
static bool has_object(const struct grant *grant)
{
	return section_is_enforced(grant->section) && grant->path && !path_is_strictly_beneath(grant->path, "/proc") &&
	       strcmp(grant->path, TERMINAL_PLACEHOLDER) != 0;
}

static void check_program(struct check *check, const struct profile *profile)
{
	const rights_t needed = RIGHT_EXECUTE | RIGHT_READ_FILE;
	unsigned line = profile->keys[KEY_PROGRAM].line;
	scoped_free char *path = realpath(profile->program, NULL);
	scoped_free char *fact = NULL;
	struct cover *cover;

	if (!path) {
		check_add(check, FINDING_WARNING, line, "the program cannot be found: %s", strerror(errno));
		return;
	}
	cover = cover_create(profile, COVER_ENFORCED);
	if ((cover_rights(cover, path) & needed) != needed) {
		fact = fact_grant(needed, path);
		check_add(check, FINDING_WARNING, line, "the program may not be executed: add `allow = %s'", fact);
	}
	cover_destroy(cover);
}

void check_paths(struct check *check, const struct profile *profile)
{
	for (size_t i = 0; i < profile->grant_count; i++)
		if (has_object(&profile->grants[i]))
			check_object(check, profile, &profile->grants[i]);
	if (profile->program)
		check_program(check, profile);
}

void check_own_file(struct check *check, const struct profile *profile, const char *path, const char *sha256)
{
	scoped_free char *real = realpath(path, NULL);
	const struct grant *grant = NULL;
	scoped_error err = {0};
	scoped_free char *fact = NULL;

	if (!real || !trust_is_writable(profile, real, &grant) || trust_has(sha256, real, &err) > 0)
		return;
	fact = fact_grant(grant->rights, grant->path);
	check_add(check, FINDING_WARNING, grant->origin.line,
		  "%s lets the program change this profile: trace-run refuses it until `trace-profile trust' has let "
		  "these bytes in",
		  fact);
}
