#include "runner/descendants.h"

#include <ctype.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/memory.h"

struct process {
	pid_t pid;
	pid_t parent;
	bool beneath; /* it descends from the one that was asked for */
};

struct processes {
	struct process *items;
	size_t count, capacity;
};

/* The parent of a process as /proc/PID/stat tells it; 0 when it is gone. Its name in there may hold anything. */
static pid_t parent_of(const char *pid)
{
	scoped_free char *path = format_text("/proc/%s/stat", pid);
	scoped_file file = fopen(path, "re");
	char line[512];
	const char *name_end;
	int parent = 0;

	if (!file)
		return 0;
	line[fread(line, 1, sizeof line - 1, file)] = '\0';
	name_end = strrchr(line, ')');
	return name_end && sscanf(name_end, ") %*c %d", &parent) == 1 ? parent : 0;
}

static void read_processes(struct processes *all)
{
	scoped_directory proc = opendir("/proc");
	const struct dirent *entry;

	while (proc && (entry = readdir(proc))) {
		pid_t parent = isdigit((unsigned char)entry->d_name[0]) ? parent_of(entry->d_name) : 0;

		if (parent)
			*ARRAY_APPEND(all->items, all->count, all->capacity) =
				(struct process){.pid = (pid_t)strtol(entry->d_name, NULL, 10), .parent = parent};
	}
}

static bool is_beneath(const struct processes *all, const struct process *process, pid_t pid)
{
	if (process->parent == pid)
		return true;
	for (size_t i = 0; i < all->count; i++)
		if (all->items[i].pid == process->parent)
			return all->items[i].beneath;
	return false;
}

/* Marks children, then their children, until no more are found: pids may be in any order. */
static size_t mark_beneath(struct processes *all, pid_t pid)
{
	size_t marked = 0;
	bool found;

	do {
		found = false;
		for (size_t i = 0; i < all->count; i++)
			if (!all->items[i].beneath && is_beneath(all, &all->items[i], pid)) {
				all->items[i].beneath = found = true;
				marked++;
			}
	} while (found);
	return marked;
}

size_t descendants_signal(pid_t pid, int signal)
{
	struct processes all = {0};
	size_t marked;

	read_processes(&all);
	marked = mark_beneath(&all, pid);
	for (size_t i = 0; i < all.count; i++)
		if (all.items[i].beneath)
			kill(all.items[i].pid, signal);
	free(all.items);
	return marked;
}
