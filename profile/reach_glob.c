#include "profile/reach_glob.h"

#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <linux/openat2.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/memory.h"

struct search {
	const struct tier_pattern *pattern;
	reach_glob_fn *found;
	void *data;
	bool complete;
};

static void look_into(struct search *search, int fd, const char *path, size_t at);

static bool is_gone(int error)
{
	return error == ENOENT || error == ENOTDIR || error == ELOOP;
}

/* One name in a directory, which fits the part at `at`. */
static void take(struct search *search, int directory_fd, const char *directory, const char *name, size_t at)
{
	struct open_how how = {
		.flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC,
		.resolve = RESOLVE_BENEATH | RESOLVE_NO_XDEV | RESOLVE_NO_SYMLINKS,
	};
	scoped_free char *path = format_text("%s/%s", directory[1] ? directory : "", name);
	struct stat status;
	scoped_fd fd = -1;

	if (at + 1 == search->pattern->count) {
		if (fstatat(directory_fd, name, &status, AT_SYMLINK_NOFOLLOW) == 0)
			search->found(search->data, path);
		return;
	}
	fd = (int)syscall(SYS_openat2, directory_fd, name, &how, sizeof how);
	if (fd >= 0)
		look_into(search, fd, path, at + 1);
	else if (!is_gone(errno))
		search->complete = false;
}

/* Patterns have few parts, so this goes no deeper than a table may say. NOLINTNEXTLINE(misc-no-recursion) */
static void look_into(struct search *search, int fd, const char *path, size_t at)
{
	bool is_wild;
	scoped_free char *part = tier_pattern_part(search->pattern, at, &is_wild);
	scoped_fd listing = is_wild ? openat(fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
	scoped_directory directory = listing < 0 ? NULL : fdopendir(listing);

	if (!is_wild) {
		take(search, fd, path, part, at);
		return;
	}
	if (!directory) {
		search->complete = false;
		return;
	}
	steal_fd(&listing); /* the stream owns it now */
	for (const struct dirent *entry = readdir(directory); entry; entry = readdir(directory))
		if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0 &&
		    fnmatch(part, entry->d_name, FNM_NOESCAPE) == 0)
			take(search, fd, path, entry->d_name, at);
}

bool reach_glob(int directory_fd, const char *directory, size_t depth, const struct tier_pattern *pattern,
		reach_glob_fn *found, void *data)
{
	struct search search = {.pattern = pattern, .found = found, .data = data, .complete = true};

	if (depth < pattern->count)
		look_into(&search, directory_fd, directory, depth);
	return search.complete;
}
