#include "profile/reach_list.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/memory.h"
#include "profile/reach_glob.h"
#include "profile/tiers_table.h"

struct found {
	char *path;
	enum tier tier;
	enum tier secrecy; /* its tier for reading, whatever the grant is for */
};

/* What one grant reaches. */
struct search {
	const struct tiers *tiers;
	const struct grant *grant;
	const struct reach_session *session;
	struct found found[REACH_LIST_MAX]; /* the first ones in the order of compare_found() */
	size_t count;			    /* of them */
	size_t total;
	nlink_t links; /* of a file that it may write, if it has more than one; else 0 */
	enum tier tier;
};

/* Of two that are equally high, /etc/shadow says more than /etc/cron.d. */
static int compare_found(const struct found *a, const struct found *b)
{
	if (a->tier != b->tier)
		return a->tier < b->tier ? 1 : -1;
	if (a->secrecy != b->secrecy)
		return a->secrecy < b->secrecy ? 1 : -1;
	return strcmp(a->path, b->path);
}

/* Takes its path; keeps it if it is among the first. */
static void add_found(struct search *search, struct found new)
{
	size_t at = search->count;

	search->total++;
	while (at && compare_found(&new, &search->found[at - 1]) < 0)
		at--;
	if (at == REACH_LIST_MAX) {
		free(new.path);
		return;
	}
	if (search->count == REACH_LIST_MAX)
		free(search->found[--search->count].path);
	memmove(&search->found[at + 1], &search->found[at], (search->count - at) * sizeof new);
	search->found[at] = new;
	search->count++;
}

static bool is_touched(const struct search *search, const char *path)
{
	return search->session->touched && search->session->touched(search->session->data, path);
}

/* Beneath a file there is nothing to list, make or move; it can be used, removed and replaced. */
static bool is_reached(const struct search *search, const struct dirent *entry)
{
	return entry->d_type == DT_DIR || entry->d_type == DT_UNKNOWN ||
	       search->grant->rights & (RIGHTS_ON_FILE | RIGHT_REMOVE_FILE);
}

static void add_entry(struct search *search, const struct dirent *entry)
{
	const char *directory = search->grant->path;
	char *path;

	if (!strcmp(entry->d_name, ".") || !strcmp(entry->d_name, "..") || !is_reached(search, entry))
		return;
	path = format_text("%s/%s", directory[1] ? directory : "", entry->d_name);
	if (is_touched(search, path))
		free(path);
	else
		add_found(search, (struct found){path, tiers_of_grant(search->tiers, path, search->grant->rights),
						 tiers_of_grant(search->tiers, path, RIGHTS_READING)});
}

static void add_entries(struct search *search, int directory_fd)
{
	scoped_fd fd = openat(directory_fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	scoped_directory directory = fd < 0 ? NULL : fdopendir(fd);

	if (!directory)
		return;
	steal_fd(&fd); /* the stream owns it now */
	for (const struct dirent *entry = readdir(directory); entry; entry = readdir(directory))
		add_entry(search, entry);
}

/* Whether nothing is at path beneath the directory. What lies in another mount counts as there, unseen. */
static bool is_missing(int directory_fd, const char *path)
{
	struct open_how how = {
		.flags = O_PATH | O_NOFOLLOW | O_CLOEXEC,
		.resolve = RESOLVE_BENEATH | RESOLVE_NO_XDEV | RESOLVE_NO_SYMLINKS,
	};
	scoped_fd fd = (int)syscall(SYS_openat2, directory_fd, path, &how, sizeof how);

	return fd < 0 && (errno == ENOENT || errno == ENOTDIR);
}

/* The line with the home in it; the caller frees. */
static char *whole_name(const struct tier_pattern *pattern)
{
	scoped_free char *path = tier_pattern_path(pattern);

	return format_text("%s%s", path, pattern->wild_count && pattern->beneath ? "/**" : "");
}

static size_t part_count(const char *path)
{
	size_t count = 0;

	for (const char *slash = path; slash && slash[1]; slash = strchr(slash + 1, '/'))
		count++;
	return count;
}

static struct found found_line(const struct search *search, const struct tier_line *line, char *path)
{
	return (struct found){path, tier_line_tier(line, search->grant->rights), tier_line_tier(line, RIGHTS_READING)};
}

/* ~/.ssh is guarded like all in the home directory, and protected: then it is listed once, by the line that says so. */
static bool is_higher_elsewhere(const struct search *search, const struct tier_line *line, const char *path)
{
	return tiers_of_grant(search->tiers, path, search->grant->rights) > tier_line_tier(line, search->grant->rights);
}

struct match {
	struct search *search;
	const struct tier_line *line;
};

static void add_match(void *data, const char *path)
{
	const struct match *match = data;

	if (!is_touched(match->search, path) && !is_higher_elsewhere(match->search, match->line, path))
		add_found(match->search, found_line(match->search, match->line, duplicate(path)));
}

/* The names themselves where they can be seen; else the line stands for what may be there. */
static void add_pattern(struct search *search, const struct tier_line *line, int directory_fd)
{
	const char *directory = search->grant->path;

	if (!reach_glob(directory_fd, directory, part_count(directory), &line->pattern, add_match,
			&(struct match){search, line}))
		add_found(search, found_line(search, line, whole_name(&line->pattern)));
}

static void add_table_line(struct search *search, const struct tier_line *line, int directory_fd)
{
	const char *directory = search->grant->path;
	scoped_free char *known = tier_pattern_path(&line->pattern);
	size_t length = directory[1] ? strlen(directory) : 0;

	if (line->pattern.wild_count)
		add_pattern(search, line, directory_fd);
	else if (!is_missing(directory_fd, known + length + 1) && !is_touched(search, known))
		add_found(search, found_line(search, line, whole_name(&line->pattern)));
}

/* Direct entries have been listed under their own names. */
static void add_table(struct search *search, int directory_fd)
{
	const struct grant *grant = search->grant;
	enum tier own = tiers_of_path(search->tiers, grant->path, grant->rights);

	tiers_read_for(search->tiers, grant->path);
	for (size_t i = 0; i < search->tiers->count; i++) {
		const struct tier_line *line = &search->tiers->lines[i];

		if (line->pattern.text && !line->pattern.anywhere &&
		    line->pattern.count > part_count(grant->path) + 1 &&
		    tier_pattern_relation(&line->pattern, grant->path) == TIER_BENEATH &&
		    tier_line_tier(line, grant->rights) > own)
			add_table_line(search, line, directory_fd);
	}
}

/* What a line for any depth names is looked for in the directory itself, no deeper. */
static void add_anywhere(struct search *search, enum tier own, int directory_fd)
{
	const struct grant *grant = search->grant;

	tiers_read_for(search->tiers, grant->path);
	for (size_t i = 0; i < search->tiers->count; i++) {
		const struct tier_line *line = &search->tiers->lines[i];
		scoped_free char *name = line->pattern.anywhere ? whole_name(&line->pattern) : NULL;
		scoped_free char *path = name ? format_text("%s%s", grant->path, name) : NULL;

		if (path && tier_line_tier(line, grant->rights) > own && !is_missing(directory_fd, name + 1) &&
		    !is_touched(search, path))
			add_found(search, found_line(search, line, steal_pointer(&path)));
	}
}

static void add_line(struct reach_list *list, bool untold, char *text)
{
	struct reach_line *line = ARRAY_APPEND(list->lines, list->count, list->capacity);

	line->text = text;
	line->untold = untold;
}

/* The highest comes first. */
static bool is_untold(const struct search *search)
{
	return search->tier == TIER_NORMAL && search->count && search->found[0].tier > TIER_NORMAL;
}

static void add_found_lines(struct reach_list *list, struct search *search)
{
	const struct grant *grant = search->grant;
	bool untold = is_untold(search);
	scoped_buffer rights = {0};

	if (!search->total)
		return;
	rights_write(&rights, grant->rights);
	add_line(list, untold,
		 format_text("%s %s (%s) also reaches, and the program never touched:", rights.data, grant->path,
			     tier_name(search->tier)));
	for (size_t i = 0; i < search->count; i++) {
		const struct found *found = &search->found[i];

		if (found->tier == TIER_NORMAL)
			add_line(list, untold, format_text("  %s", found->path));
		else
			add_line(list, untold, format_text("  %s (%s)", found->path, tier_name(found->tier)));
		free(found->path);
	}
	if (search->total > search->count)
		add_line(list, untold, format_text("  and %zu more", search->total - search->count));
}

static void add_links(struct reach_list *list, const struct search *search)
{
	if (search->links)
		add_line(list, false,
			 format_text("%s has %ju links: what is written to it is written under its other names "
				     "too",
				     search->grant->path, (uintmax_t)search->links));
}

static bool is_widened(const struct search *search)
{
	const struct reach_session *session = search->session;

	return session->widened && session->widened(session->data, search->grant->path);
}

/* A file that is only read or run reaches nothing. */
static bool is_known_to_end(const struct search *search)
{
	const struct reach_session *session = search->session;
	const struct grant *grant = search->grant;

	return !(grant->rights & RIGHTS_ON_CONTENTS) && session->is_file &&
	       session->is_file(session->data, grant->path);
}

static void search_grant(struct search *search)
{
	const struct grant *grant = search->grant;
	scoped_fd fd = -1;
	struct stat status;

	if (is_known_to_end(search) || lstat(grant->path, &status) < 0)
		return;
	if (grant->rights & RIGHTS_ON_CONTENTS && S_ISREG(status.st_mode) && status.st_nlink > 1)
		search->links = status.st_nlink;
	if (S_ISDIR(status.st_mode))
		fd = open(grant->path, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (fd < 0)
		return;
	search->tier = tiers_of_grant(search->tiers, grant->path, grant->rights);
	if (search->tier > TIER_NORMAL || is_widened(search)) {
		add_entries(search, fd);
		add_table(search, fd);
	}
	add_anywhere(search, search->tier, fd);
}

void reach_list_make(struct reach_list *list, const struct profile *profile, const struct tiers *tiers,
		     const struct reach_session *session)
{
	*list = (struct reach_list){0};
	for (size_t i = 0; i < profile->grant_count; i++) {
		const struct grant *grant = &profile->grants[i];
		struct search search = {.tiers = tiers, .grant = grant, .session = session};

		if (!grant_is_enforced(grant))
			continue;
		search_grant(&search);
		add_links(list, &search);
		add_found_lines(list, &search);
	}
}

void reach_list_finish(struct reach_list *list)
{
	for (size_t i = 0; i < list->count; i++)
		free(list->lines[i].text);
	free(list->lines);
	*list = (struct reach_list){0};
}

void grant_reach_find(struct grant_reach *reach, const struct grant *grant, const struct tiers *tiers,
		      reach_touched_fn *touched, void *data)
{
	const struct reach_session session = {.touched = touched, .data = data};
	struct search search = {.tiers = tiers, .grant = grant, .session = &session};

	search_grant(&search);
	*reach = (struct grant_reach){.count = search.count, .total = search.total, .links = search.links};
	for (size_t i = 0; i < search.count; i++)
		reach->entries[i] = (struct reached){search.found[i].path, search.found[i].tier};
}

void grant_reach_finish(struct grant_reach *reach)
{
	for (size_t i = 0; i < reach->count; i++)
		free(reach->entries[i].path);
	*reach = (struct grant_reach){0};
}
