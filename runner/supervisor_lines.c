#include "runner/supervisor_lines.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/message.h"
#include "profile/path.h"
#include "profile/proc_path.h"
#include "profile/rule_path.h"
#include "runner/supervisor.h"

#define PROC "/proc"
#define ROOM 8 /* descriptors, of which the listener takes one, and answering a call half of the others */

static bool is_enforced_beneath(const struct profile *profile, const char *directory, size_t i)
{
	const struct grant *grant = &profile->grants[i];

	return grant_is_enforced(grant) && path_is_strictly_beneath(grant->path, directory);
}

static bool has_beneath(const struct profile *profile, const char *directory)
{
	for (size_t i = 0; i < profile->grant_count; i++)
		if (is_enforced_beneath(profile, directory, i))
			return true;
	return false;
}

static bool has_on(const struct profile *profile, const char *path)
{
	for (size_t i = 0; i < profile->grant_count; i++)
		if (grant_is_enforced(&profile->grants[i]) && strcmp(profile->grants[i].path, path) == 0)
			return true;
	return false;
}

bool supervisor_is_needed(const struct reach *reach)
{
	return has_beneath(reach->profile, PROC) || has_beneath(&reach->others, PROC_SELF);
}

/* Lines on the process's own entries, by their names in the profile or through links (/proc/mounts, /etc/mtab). */
bool supervisor_is_asked(const struct reach *reach)
{
	return has_on(reach->profile, PROC_SELF) || has_beneath(reach->profile, PROC_SELF) ||
	       has_beneath(&reach->others, PROC_SELF);
}

static rights_t rights_beneath(const struct profile *profile)
{
	rights_t rights = 0;

	for (size_t i = 0; i < profile->grant_count; i++)
		if (is_enforced_beneath(profile, PROC_SELF, i))
			rights |= profile->grants[i].rights;
	return rights;
}

rights_t supervisor_rights(const struct reach *reach)
{
	return reach_rights_by_name(reach, PROC_SELF) | rights_beneath(reach->profile) | rights_beneath(&reach->others);
}

static void release(int room[ROOM])
{
	for (size_t i = 0; i < ROOM; i++)
		if (room[i] >= 0)
			close(room[i]);
}

/* Keeps descriptors for the listener and for answering: without one, what is granted would be refused. */
static int reserve(int room[ROOM], struct error *err)
{
	bool is_full = false;

	for (size_t i = 0; i < ROOM; i++) {
		room[i] = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 0);
		is_full = is_full || room[i] < 0;
	}
	if (!is_full)
		return 0;
	release(room);
	return error_set_errno(err, EMFILE, "the supervisor of opened files takes more descriptors (ulimit -n)");
}

/* Rules on what procfs may forget: as long as these descriptors are open, it does not. They are never closed. */
static void hold(const struct reach *reach)
{
	const struct profile *profile = reach->profile;
	size_t refused = 0;
	mode_t mode;

	for (size_t i = 0; i < profile->grant_count; i++) {
		scoped_error err = {0};

		if (!is_enforced_beneath(profile, PROC, i) || path_is_beneath(profile->grants[i].path, PROC_SELF))
			continue;
		if (rule_path_open(profile->grants[i].path, reach, &mode, &err) == -EMFILE)
			refused++;
	}
	if (refused)
		message_warning(
			"lines below %s for which no descriptor is left (ulimit -n): %zu; their grants are lost when "
			"the kernel needs memory",
			PROC, refused);
}

int supervisor_hold(const struct reach *reach, struct error *err)
{
	struct rlimit limit;
	int room[ROOM];

	if (getrlimit(RLIMIT_NOFILE, &limit) == 0) {
		limit.rlim_cur = limit.rlim_max;
		setrlimit(RLIMIT_NOFILE, &limit);
	}
	if (reserve(room, err) < 0)
		return -err->number;
	hold(reach);
	release(room);
	return 0;
}
