/*
 * Profiles name objects by where links lead, and programs go by the links: /bin/sh, libz.so.1, /usr/bin/awk. Under
 * Landlock the links are simply there; a file system of one's own needs them made. Links are taken from the
 * directories on the way to what is mounted, and from those that everybody goes through.
 */
#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/memory.h"
#include "profile/cover.h"
#include "profile/export_plan.h"
#include "profile/path.h"
#include "profile/path_order.h"

#define IS_MOUNTED (1ULL << 0) /* of a path, by a cover: it, or all beneath it, is in the new file system */
#define IS_ON_WAY  (1ULL << 1) /* something beneath it is */

struct search {
	struct export_plan *plan;
	struct cover *mounted;
	struct cover *on_way; /* IS_ON_WAY on each path itself, never looked up from beneath */
	struct export_link *found;
	size_t found_count, found_capacity;
	char **directories; /* to look through */
	size_t directory_count, directory_capacity;
};

static bool is_on_way(const struct search *search, const char *path)
{
	return cover_rights_on(search->on_way, path) & IS_ON_WAY;
}

static void add_directory(struct search *search, const char *path)
{
	for (size_t i = 0; i < search->directory_count; i++)
		if (strcmp(search->directories[i], path) == 0)
			return;
	*ARRAY_APPEND(search->directories, search->directory_count, search->directory_capacity) = duplicate(path);
}

/* Marks the directories above path, up to one that is marked; -> whether they shall be searched too. */
static void add_way(struct search *search, const char *path, bool searched)
{
	for (char *parent = path_parent(path), *next; parent; parent = next) {
		bool is_new = cover_add(search->on_way, parent, IS_ON_WAY);

		if (is_new && searched)
			add_directory(search, parent);
		next = is_new ? path_parent(parent) : NULL;
		free(parent);
	}
}

/* One entry of a directory, if it is a link that leads somewhere and is not mounted anyway. */
static void look_at(struct search *search, const char *directory, const char *name)
{
	scoped_free char *path = format_text("%s/%s", strcmp(directory, "/") == 0 ? "" : directory, name);
	char text[PATH_MAX], *real;
	ssize_t length = readlink(path, text, sizeof text - 1);

	if (length <= 0 || cover_rights(search->mounted, path) & IS_MOUNTED)
		return;
	text[length] = '\0';
	real = realpath(path, NULL);
	if (!real || path_is_beneath(path, real)) { /* up, to where one is */
		free(real);
		return;
	}
	*ARRAY_APPEND(search->found, search->found_count, search->found_capacity) =
		(struct export_link){.path = steal_pointer(&path), .text = duplicate(text), .real = real};
}

static void look_through(struct search *search, const char *directory)
{
	scoped_directory entries = opendir(directory);

	if (!entries || cover_rights(search->mounted, directory) & IS_MOUNTED)
		return;
	for (const struct dirent *entry = readdir(entries); entry; entry = readdir(entries))
		if (entry->d_type == DT_LNK || entry->d_type == DT_UNKNOWN)
			look_at(search, directory, entry->d_name);
}

static void look_everywhere(struct search *search)
{
	add_directory(search, "/etc/alternatives");
	look_through(search, "/");
	/* Where the links of the root lead (/lib64) stand others (the loader's name). */
	for (size_t i = 0, of_root = search->found_count; i < of_root; i++)
		add_directory(search, search->found[i].real);
	for (size_t i = 0; i < search->directory_count; i++)
		if (strcmp(search->directories[i], "/") != 0)
			look_through(search, search->directories[i]);
}

static bool is_wanted(const struct search *search, const struct export_link *link)
{
	return !is_on_way(search, link->path) &&
	       (cover_rights(search->mounted, link->real) & IS_MOUNTED || is_on_way(search, link->real));
}

/* Each link taken puts directories on the way, to which others may lead. */
static void take_wanted(struct search *search)
{
	struct export_plan *plan = search->plan;
	bool changed = true;

	while (changed) {
		changed = false;
		for (size_t i = 0; i < search->found_count; i++) {
			struct export_link *link = &search->found[i];

			if (!link->path || !is_wanted(search, link))
				continue;
			add_way(search, link->path, false);
			*ARRAY_APPEND(plan->links, plan->link_count, plan->link_capacity) = *link;
			*link = (struct export_link){0};
			changed = true;
		}
	}
}

static int compare_links(const void *a, const void *b)
{
	return path_order(((const struct export_link *)a)->path, ((const struct export_link *)b)->path);
}

static void search_finish(struct search *search)
{
	for (size_t i = 0; i < search->found_count; i++) {
		free(search->found[i].path);
		free(search->found[i].text);
		free(search->found[i].real);
	}
	for (size_t i = 0; i < search->directory_count; i++)
		free(search->directories[i]);
	free(search->found);
	free(search->directories);
	cover_destroy(search->mounted);
	cover_destroy(search->on_way);
}

void export_find_links(struct export_plan *plan)
{
	const struct profile nothing = {0};
	struct search search = {
		.plan = plan, .mounted = cover_create(&nothing, 0), .on_way = cover_create(&nothing, 0)};

	for (size_t i = 0; i < plan->mount_count; i++) {
		const struct export_mount *mount = &plan->mounts[i];

		if (mount->mode != EXPORT_LIST)
			cover_add(search.mounted, mount->path, IS_MOUNTED);
		else if (cover_add(search.on_way, mount->path, IS_ON_WAY))
			add_directory(&search, mount->path);
	}
	for (size_t i = 0; i < plan->mount_count; i++)
		add_way(&search, plan->mounts[i].path, true);
	if (plan->profile->program)
		add_way(&search, plan->profile->program, true);
	look_everywhere(&search);
	take_wanted(&search);
	if (plan->link_count)
		qsort(plan->links, plan->link_count, sizeof *plan->links, compare_links);
	search_finish(&search);
}
