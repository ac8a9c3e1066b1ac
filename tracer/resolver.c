/* What the resolver has to know of the system: its own root, and where procfs is mounted. */
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
	uint64_t id = strtoull(line, NULL, 10);

	seen_add(&resolver->mounts, &id, sizeof id);
	if (type && strncmp(type, " - proc ", 8) == 0 && sscanf(line, "%*s %*s %*s %ms %ms", &root, &mount) == 2 &&
	    strcmp(root, "/") == 0) {
		unescape_octal(mount);
		*ARRAY_APPEND(resolver->proc_mounts, resolver->proc_count, resolver->proc_capacity) =
			steal_pointer(&mount);
	}
	free(root);
	free(mount);
}

struct resolver *resolver_create(void)
{
	struct resolver *resolver = allocate(sizeof *resolver);
	scoped_file mounts = fopen("/proc/self/mountinfo", "re");
	scoped_free char *line = NULL;
	size_t size = 0;
	struct stat status;

	resolver->descriptors = allocate(sizeof *resolver->descriptors);
	if (stat("/", &status) == 0) {
		resolver->root_device = status.st_dev;
		resolver->root_inode = status.st_ino;
	}
	if (stat("/proc/self/ns/mnt", &status) == 0)
		resolver->mounts_inode = status.st_ino;
	while (mounts && getline(&line, &size, mounts) > 0)
		take_mount(resolver, line);
	if (!resolver->proc_count)
		*ARRAY_APPEND(resolver->proc_mounts, resolver->proc_count, resolver->proc_capacity) =
			duplicate("/proc");
	return resolver;
}

void resolver_forget(struct resolver *resolver, const struct task *task)
{
	fd_directory_forget(resolver->descriptors, task->tid);
}

void resolver_destroy(struct resolver *resolver)
{
	size_t i;

	if (!resolver)
		return;
	for (i = 0; i < resolver->proc_count; i++)
		free(resolver->proc_mounts[i]);
	free(resolver->proc_mounts);
	seen_clear(&resolver->mounts);
	fd_directory_finish(resolver->descriptors);
	free(resolver->descriptors);
	free(resolver);
}
