/* What the resolver has to know of the system: its own root, and where procfs is mounted. */
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/cleanup.h"
#include "base/memory.h"
#include "tracer/resolve_parts.h"

/* The kernel writes blanks, tabs, newlines and backslashes of a mount point as \\ooo. */
static void unescape_octal(char *text)
{
	char *to = text;
	unsigned value;

	while (*text) {
		if (text[0] == '\\' && sscanf(text + 1, "%3o", &value) == 1) {
			*to++ = (char)value;
			text += 4;
		} else {
			*to++ = *text++;
		}
	}
	*to = '\0';
}

/* mountinfo: id, parent, device, root, mount point, options, optional fields, "-", type, … (proc(5)). */
static void take_mount(struct resolver *resolver, const char *line)
{
	const char *type = strstr(line, " - ");
	char *mount = NULL, *root = NULL;

	*ARRAY_APPEND(resolver->mounts, resolver->mount_count, resolver->mount_capacity) = strtoull(line, NULL, 10);
	if (type && strncmp(type, " - proc ", 8) == 0 && sscanf(line, "%*s %*s %*s %ms %ms", &root, &mount) == 2 &&
	    strcmp(root, "/") == 0) {
		unescape_octal(mount);
		*ARRAY_APPEND(resolver->proc_mounts, resolver->proc_count, resolver->proc_capacity) =
			steal_pointer(&mount);
	}
	free(root);
	free(mount);
}

static int compare_ids(const void *one, const void *other)
{
	uint64_t a = *(const uint64_t *)one, b = *(const uint64_t *)other;

	return (a > b) - (a < b);
}

/* Asked for each descriptor. */
bool is_our_mount(const struct resolver *resolver, uint64_t id)
{
	size_t from = 0, to = resolver->mount_count;

	while (from < to) {
		size_t middle = from + (to - from) / 2;

		if (resolver->mounts[middle] == id)
			return true;
		if (resolver->mounts[middle] < id)
			from = middle + 1;
		else
			to = middle;
	}
	return false;
}

static bool is_astray(const struct resolver *resolver, int directory, const char *name)
{
	struct statx facts;

	if (statx(directory, name, 0, STATX_TYPE | STATX_MNT_ID, &facts) != 0)
		return false; /* it is no more */
	return S_ISDIR(facts.stx_mode) &&
	       (!(facts.stx_mask & STATX_MNT_ID) || !is_our_mount(resolver, facts.stx_mnt_id));
}

/* Whether the program begins with a directory on a mount that is not ours. */
static bool begins_astray(const struct resolver *resolver)
{
	scoped_directory descriptors = opendir("/proc/self/fd");
	const struct dirent *entry;
	bool astray = !descriptors || is_astray(resolver, AT_FDCWD, ".") || is_astray(resolver, AT_FDCWD, "/");

	while (!astray && (entry = readdir(descriptors)))
		astray = entry->d_name[0] != '.' && is_astray(resolver, dirfd(descriptors), entry->d_name);
	return astray;
}

struct resolver *resolver_create(bool looks, const struct task_table *tasks)
{
	struct resolver *resolver = allocate(sizeof *resolver);
	scoped_file mounts = fopen("/proc/self/mountinfo", "re");
	scoped_free char *line = NULL;
	size_t size = 0;
	struct stat status;

	resolver->tasks = tasks;
	resolver->descriptors = allocate(sizeof *resolver->descriptors);
	resolver->starts = allocate(sizeof *resolver->starts);
	resolver->shared = allocate(sizeof *resolver->shared);
	if (stat("/", &status) == 0) {
		resolver->root_device = status.st_dev;
		resolver->root_inode = status.st_ino;
	}
	if (stat("/proc/self/ns/mnt", &status) == 0)
		resolver->mounts_inode = status.st_ino;
	while (mounts && get_line(&line, &size, mounts) > 0)
		take_mount(resolver, line);
	if (resolver->mount_count)
		qsort(resolver->mounts, resolver->mount_count, sizeof *resolver->mounts, compare_ids);
	if (!resolver->proc_count)
		*ARRAY_APPEND(resolver->proc_mounts, resolver->proc_count, resolver->proc_capacity) =
			duplicate("/proc");
	resolver->mounts_differ = !looks || begins_astray(resolver);
	return resolver;
}

void resolver_forget(struct resolver *resolver, const struct task *task)
{
	fd_directory_forget(resolver->descriptors, task->tid);
	start_links_forget(resolver->starts, task->tid);
}

void resolver_destroy(struct resolver *resolver)
{
	size_t i;

	if (!resolver)
		return;
	for (i = 0; i < resolver->proc_count; i++)
		free(resolver->proc_mounts[i]);
	free(resolver->proc_mounts);
	free(resolver->mounts);
	fd_directory_finish(resolver->descriptors);
	free(resolver->descriptors);
	start_links_finish(resolver->starts);
	free(resolver->starts);
	free(resolver->shared);
	free(resolver);
}
