#include "runner/supervisor_name.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/sysmacros.h>

#include "base/digits.h"
#include "base/memory.h"

/* Returns its end. */
static char *put_number(char *to, int number)
{
	char digits[DIGITS_SIZE];

	return stpcpy(to, digits_of(digits, number));
}

char *name_write_start(const struct open_call *call, char *text)
{
	*text = '\0';
	if (*call->path == '/')
		return text;
	text = put_number(text, (int)call->tid);
	if (call->directory == AT_FDCWD)
		return stpcpy(text, "/cwd");
	return put_number(stpcpy(text, "/fd/"), call->directory);
}

/* Cuts the last part off, down to `least` bytes; false when nothing is left to cut. */
static bool cut_part(char *text, size_t least)
{
	size_t length = strlen(text);

	while (length > least && text[length - 1] == '/')
		length--;
	while (length > least && text[length - 1] != '/')
		length--;
	text[length] = '\0';
	return length > least;
}

/* In one call that no other file system is asked in: 1, 0 or -errno. */
static int leads_into(int proc_fd, const struct stat *proc, const char *name, int flags)
{
	struct statx status;

	if (statx(proc_fd, name, flags | AT_NO_AUTOMOUNT | AT_STATX_DONT_SYNC, 0, &status) < 0)
		return -errno;
	return makedev(status.stx_dev_major, status.stx_dev_minor) == proc->st_dev;
}

bool name_leads_into(int proc_fd, const struct stat *proc, const struct open_call *call)
{
	UNCLEARED char text[NAME_START_SIZE + PATH_MAX];
	int flags = call->flags & O_NOFOLLOW ? AT_SYMLINK_NOFOLLOW : 0;
	char *end = name_write_start(call, text);
	size_t start = (size_t)(end - text);
	int result;

	memcpy(start ? stpcpy(end, "/") : end, call->path, strlen(call->path) + 1);
	do {
		result = leads_into(proc_fd, proc, text, flags);
		flags = 0;
	} while ((result == -ENOENT || result == -ENOTDIR || result == -EACCES) && cut_part(text, start));
	return result > 0;
}

/* A link in the root of procfs leads down at least one step, so what is counted is the least. */
bool name_stays_beneath(const struct open_call *call)
{
	const char *path = call->path;
	int depth = 0;

	if (*path == '/')
		return false;
	for (size_t length; *path && depth >= 0; path += length) {
		path += strspn(path, "/");
		length = strcspn(path, "/");
		if (length == 2 && memcmp(path, "..", 2) == 0)
			depth--;
		else if (length && !(length == 1 && *path == '.'))
			depth++;
	}
	return depth >= 0;
}
