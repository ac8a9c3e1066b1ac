#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "base/cleanup.h"
#include "base/nearest.h"
#include "profile/grant_index.h"
#include "profile/profile_file.h"
#include "profile/profile_head.h"
#include "profile/profile_section.h"

static int find_heading(const char *name, enum heading *heading, struct error *err)
{
	const char *known[HEADING_COUNT];
	scoped_free char *help = NULL;

	for (*heading = 0; *heading < HEADING_COUNT; (*heading)++)
		if (!strcmp(name, heading_name(*heading)))
			return 0;
	for (size_t i = 0; i < HEADING_COUNT; i++)
		known[i] = heading_name((enum heading)i);
	help = nearest_help(name, strlen(name), known, HEADING_COUNT);
	return error_set(err, EINVAL, "unknown section [%s]%s", name, help);
}

/* A section that stands in the file is in force, even without lines. */
static void open_section(struct profile *profile, enum heading heading)
{
	profile->has_network |= heading == HEADING_NETWORK;
	profile->has_scope |= heading == HEADING_SCOPE;
	profile->has_environment |= heading == HEADING_ENVIRONMENT;
	profile->has_seccomp |= heading == HEADING_SECCOMP;
}

/* Keeps the comment above a heading; the writer's own line is made anew each time. */
static void keep_comment(struct profile *profile, enum heading heading, const char *comment)
{
	scoped_buffer kept = {0};
	char **place = &profile->heading_comments[heading];

	if (*place)
		buffer_add_text(&kept, *place);
	while (comment && *comment) {
		size_t length = strcspn(comment, "\n") + 1;

		if (strncmp(comment, PROFILE_SIGNATURE, strlen(PROFILE_SIGNATURE)) != 0)
			buffer_add(&kept, comment, length);
		comment += length;
	}
	free(*place);
	*place = kept.length ? buffer_steal(&kept) : NULL;
}

static int take_line(void *data, const struct ini_line *line, struct error *err)
{
	struct profile_reader *reader = data;
	enum heading heading;

	reader->profile.last_line = line->line;
	if (!*line->section && line->key)
		return error_set(err, EINVAL, "%s stands in no section", line->key);
	heading = reader->heading; /* mostly still that */
	if (strcmp(line->section, heading_name(heading)) != 0 && find_heading(line->section, &heading, err) < 0)
		return -err->number;
	reader->heading = heading;
	if (line->key)
		return section_read(reader, heading, line, err);
	if (!reader->headings[heading])
		reader->headings[heading] = line->line;
	open_section(&reader->profile, heading);
	keep_comment(&reader->profile, heading, line->comment);
	return 0;
}

static bool is_empty(const struct profile_reader *reader)
{
	for (size_t i = 0; i < HEADING_COUNT; i++)
		if (reader->headings[i])
			return false;
	return true;
}

/* What no single line says. */
static int check_whole(const struct profile_reader *reader, struct error *err)
{
	int result;

	if (is_empty(reader))
		return error_set(err, EINVAL, "%s:1: empty: a profile begins with [profile] and format = %d",
				 reader->name, PROFILE_FORMAT);
	result = head_check(reader, err);
	return result < 0 ? result : environment_check(reader, err);
}

static int read_all(struct profile_reader *reader, FILE *file, struct error *err)
{
	int result = ini_read(file, reader->name, take_line, reader, &reader->profile.tail_comment, err);

	return result < 0 ? result : check_whole(reader, err);
}

int profile_read_file(FILE *file, const char *name, const struct variables *variables, struct profile *profile,
		      struct error *err)
{
	struct profile_reader reader = {.name = name, .variables = variables, .profile.complete = true};
	struct variables own = {0};
	int result;

	if (!variables) {
		variables_of_process(&own);
		reader.variables = &own;
	}
	result = read_all(&reader, file, err);
	variables_finish(&own);
	if (result < 0) {
		profile_finish(&reader.profile);
		*profile = (struct profile){0};
		return result;
	}
	profile_sort_unique(&reader.profile);
	*profile = reader.profile;
	return 0;
}

/* fmemopen(3) refuses an empty buffer. */
static FILE *open_text(const char *text, size_t length, const char *name, struct error *err)
{
	FILE *file = fmemopen((char *)(length ? text : "\n"), length ? length : 1, "r");

	if (!file)
		error_set_errno(err, errno, "%s", name);
	return file;
}

int profile_read_text(const char *text, size_t length, const char *name, const struct variables *variables,
		      struct profile *profile, struct error *err)
{
	scoped_file file = open_text(text, length, name, err);

	*profile = (struct profile){0};
	return file ? profile_read_file(file, name, variables, profile, err) : -err->number;
}

void profile_refusals(const char *text, size_t length, const char *name, const struct variables *variables,
		      struct ini_refusals *refusals)
{
	struct profile_reader reader = {.name = name, .variables = variables};
	scoped_error err = {0};
	scoped_file file = open_text(text, length, name, &err);
	int result = file ? ini_read_refused(file, name, take_line, &reader, refusals, &err) : -err.number;

	if (result == 0) /* what is missing may be what was refused */
		result = refusals->count ? environment_check(&reader, &err) : check_whole(&reader, &err);
	if (result < 0) {
		refusals->fn(refusals->data, &err);
		refusals->count++;
	}
	profile_finish(&reader.profile);
}
