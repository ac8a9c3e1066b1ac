#include "tracer/flag_names.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>

struct flag_name {
	uint64_t bits;
	const char *name;
};

/* O_SYNC and O_TMPFILE hold the bits of others, so they stand before those. */
static const struct flag_name open_flags[] = {
	{O_TMPFILE, "O_TMPFILE"},
	{O_SYNC, "O_SYNC"},
	{O_APPEND, "O_APPEND"},
	{O_ASYNC, "O_ASYNC"},
	{O_CLOEXEC, "O_CLOEXEC"},
	{O_CREAT, "O_CREAT"},
	{O_DIRECT, "O_DIRECT"},
	{O_DIRECTORY, "O_DIRECTORY"},
	{O_DSYNC, "O_DSYNC"},
	{O_EXCL, "O_EXCL"},
	{0100000, "O_LARGEFILE"}, /* the kernel's; glibc has 0 where it is always on */
	{O_NOATIME, "O_NOATIME"},
	{O_NOCTTY, "O_NOCTTY"},
	{O_NOFOLLOW, "O_NOFOLLOW"},
	{O_NONBLOCK, "O_NONBLOCK"},
	{O_PATH, "O_PATH"},
	{O_TRUNC, "O_TRUNC"},
	{0},
};

static const struct flag_name rename_flags[] = {
	{1 << 0, "RENAME_NOREPLACE"},
	{1 << 1, "RENAME_EXCHANGE"},
	{1 << 2, "RENAME_WHITEOUT"},
	{0},
};

static const struct flag_name remove_flags[] = {{AT_REMOVEDIR, "AT_REMOVEDIR"}, {0}};

static const struct flag_name link_flags[] = {
	{AT_SYMLINK_FOLLOW, "AT_SYMLINK_FOLLOW"},
	{AT_EMPTY_PATH, "AT_EMPTY_PATH"},
	{0},
};

static const struct flag_name exec_flags[] = {
	{AT_SYMLINK_NOFOLLOW, "AT_SYMLINK_NOFOLLOW"},
	{AT_EMPTY_PATH, "AT_EMPTY_PATH"},
	{0x10000, "AT_EXECVE_CHECK"},
	{0},
};

static bool begins(const char *call, const char *with)
{
	return strncmp(call, with, strlen(with)) == 0;
}

static bool is_open(const char *call)
{
	return begins(call, "open") || begins(call, "creat");
}

static const struct flag_name *names_of(const char *call)
{
	if (is_open(call))
		return open_flags;
	if (begins(call, "rename"))
		return rename_flags;
	if (begins(call, "unlink"))
		return remove_flags;
	if (begins(call, "link"))
		return link_flags;
	return begins(call, "execve") ? exec_flags : NULL;
}

static void put_mode(struct json *json, uint64_t flags)
{
	static const char *const names[] = {"O_RDONLY", "O_WRONLY", "O_RDWR", "O_ACCMODE"};

	json_put_text(json, NULL, names[flags & O_ACCMODE]);
}

static void put_rest(struct json *json, uint64_t flags)
{
	char text[32];

	snprintf(text, sizeof text, "0x%llx", (unsigned long long)flags);
	json_put_text(json, NULL, text);
}

void flag_names_put(struct json *json, const char *key, const char *call, uint64_t flags)
{
	const struct flag_name *name = names_of(call);

	if (!name || (!flags && !is_open(call)))
		return;
	json_begin_array(json, key);
	if (is_open(call)) {
		put_mode(json, flags);
		flags &= ~(uint64_t)O_ACCMODE;
	}
	for (; name->name; name++)
		if ((flags & name->bits) == name->bits) {
			json_put_text(json, NULL, name->name);
			flags &= ~name->bits;
		}
	if (flags)
		put_rest(json, flags);
	json_end_array(json);
}
