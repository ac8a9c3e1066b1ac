/* Names that are to be made: mostly they are plain, and then few questions tell where they lead. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/openat2.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "profile/path.h"
#include "tracer/resolve_parts.h"

/* A directory is asked for then. */
static bool ends_openly(const char *text)
{
	const char *slash = strrchr(text, '/'), *last = slash ? slash + 1 : text;

	return !*last || strcmp(last, ".") == 0;
}

static bool add_start(const struct resolver *resolver, const struct task *task, const struct name *name,
		      struct buffer *path)
{
	char *text = buffer_extend(path, PATH_MAX);
	ssize_t length = start_links_read(resolver->starts, task->tid, name->directory, text, PATH_MAX);

	path->length = 0;
	if (length <= 0 || length == PATH_MAX)
		return false;
	text[length] = '\0';
	if (is_odd_name(text, (size_t)length))
		return false;
	path->length = length == 1 ? 0 : (size_t)length;
	buffer_add_byte(path, '/');
	return true;
}

bool resolve_as_plain(const struct resolver *resolver, const struct task *task, const struct name *name,
		      struct buffer *path)
{
	const char *text = name->text;

	buffer_clear(path);
	if (ends_openly(text) || (text[0] != '/' && !add_start(resolver, task, name, path)))
		return false;
	while (path->length && text[0] == '.' && text[1] == '/')
		text += 2;
	buffer_add_text(path, text);
	return path->length < PATH_MAX && path_is_clean(path->data);
}

/*
 * Has to be asked: without a log nobody knows whether a directory came from elsewhere. What is inherited is not looked
 * through then (resolver_create()), and open_tree(2), fsmount(2) and fanotify(7) tell the resolver nothing.
 */
static bool starts_on_ours(const struct resolver *resolver, const struct task *task, const struct name *name)
{
	char link[PROC_NAME_SIZE];
	struct statx facts;

	if (name->text[0] == '/')
		return true;
	start_link(task, name, link);
	return statx(AT_FDCWD, link, 0, STATX_TYPE | STATX_MNT_ID, &facts) == 0 && facts.stx_mask & STATX_MNT_ID &&
	       is_our_mount(resolver, facts.stx_mnt_id);
}

bool resolve_is_free(const struct resolver *resolver, const struct task *task, const struct name *name,
		     const char *path)
{
	struct open_how how = {.flags = O_PATH | O_CLOEXEC | O_NOFOLLOW, .resolve = RESOLVE_NO_SYMLINKS};
	scoped_fd fd = -1;

	if (!starts_on_ours(resolver, task, name))
		return false;
	fd = (int)syscall(SYS_openat2, AT_FDCWD, path, &how, sizeof how);
	return fd < 0 && errno == ENOENT;
}
