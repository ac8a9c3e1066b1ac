#include "profile/proc_path.h"

#include <stddef.h>
#include <string.h>

#include "base/memory.h"
#include "profile/path.h"

/* Directories of a process whose entries do not last; in net, each look at a name makes a new inode. */
static const char *const passing[] = {"task", "fdinfo", "map_files", "net"};

static size_t component_length(const char *name)
{
	return strcspn(name, "/");
}

/* The process id that a whole component is, or 0. */
static pid_t component_pid(const char *name, size_t length)
{
	long long pid = 0;
	size_t i;

	for (i = 0; i < length && i < 10; i++) {
		if (name[i] < '0' || name[i] > '9')
			return 0;
		pid = pid * 10 + (name[i] - '0');
	}
	return i == length && pid <= 0x7fffffff ? (pid_t)pid : 0;
}

/* Of an entry's name below its process's directory: how much of it is kept. */
static size_t lasting_length(const char *name)
{
	size_t first = component_length(name), i;

	for (i = 0; i < ARRAY_LENGTH(passing); i++)
		if (strlen(passing[i]) == first && strncmp(name, passing[i], first) == 0)
			return first;
	return strlen(name);
}

/*
 * Of what follows /proc/ID: the same entry of the process where it is a thread's, which is another one next time. Only
 * `children` is there for threads alone.
 */
static const char *process_entry(const char *rest)
{
	static const char task[] = "/task/";
	const char *entry;

	if (strncmp(rest, task, strlen(task)) != 0)
		return rest;
	rest += strlen(task);
	entry = rest + component_length(rest);
	if (!component_pid(rest, component_length(rest)) || !entry[0] || !entry[1] || !strcmp(entry, "/children"))
		return rest - strlen(task);
	return entry;
}

/* What follows the mount point; NULL when the path is not beneath it. */
static const char *name_on(const char *path, const char *mount)
{
	if (!path_is_strictly_beneath(path, mount))
		return NULL;
	return path + (strcmp(mount, "/") == 0 ? 1 : strlen(mount) + 1);
}

pid_t proc_path_id(const char *path, const char *mount)
{
	const char *name = name_on(path, mount);

	return name ? component_pid(name, component_length(name)) : 0;
}

enum proc_owner proc_path_owner(const char *path, const char *mount, pid_t pid, char **own, bool *widened)
{
	pid_t owner = proc_path_id(path, mount);
	const char *name, *rest;
	size_t kept;

	if (!owner)
		return PROC_COMMON;
	if (owner != pid)
		return PROC_FOREIGN;
	name = name_on(path, mount);
	rest = process_entry(name + component_length(name));
	kept = *rest ? lasting_length(rest + 1) + 1 : 0;
	*widened = rest[kept] != '\0';
	*own = format_text("%s/self%.*s", strcmp(mount, "/") == 0 ? "" : mount, (int)kept, rest);
	return PROC_OWN;
}
