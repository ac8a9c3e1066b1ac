#include "profile/tier_pattern.h"

#include <errno.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/memory.h"
#include "profile/path.h"

#define DEPTH "**" /* as a part: any number of parts */

/* The next part of a path; *at moves behind it. Returns its length, 0 at the end. */
static size_t next_part(const char **at, const char **part)
{
	*part = *at + strspn(*at, "/");
	*at = *part + strcspn(*part, "/");
	return (size_t)(*at - *part);
}

static void add_part(struct tier_pattern *pattern, const char *text, size_t length, bool may_be_wild)
{
	struct tier_part *part = ARRAY_APPEND(pattern->parts, pattern->count, pattern->capacity);

	part->text = duplicate_bytes(text, length);
	part->length = length;
	part->is_wild = may_be_wild && strpbrk(part->text, "*?[");
	pattern->wild_count += part->is_wild;
	if (!pattern->wild_count && !pattern->anywhere) {
		buffer_add_byte(&pattern->start, '/');
		buffer_add(&pattern->start, text, length);
	}
}

static void add_parts(struct tier_pattern *pattern, const char *path)
{
	const char *part;
	size_t length;

	while ((length = next_part(&path, &part)))
		add_part(pattern, part, length, false);
}

/* The rest of a pattern: a part of two stars only at its end, or in front of a name. */
static int read_parts(struct tier_pattern *pattern, const char *text, struct error *err)
{
	const char *part, *at = text;
	size_t length;

	while ((length = next_part(&at, &part))) {
		bool is_depth = length == strlen(DEPTH) && !strncmp(part, DEPTH, length);

		if (pattern->beneath)
			return error_set(err, EINVAL, "** stands at the end of a pattern, or as its first part");
		if (!is_depth)
			add_part(pattern, part, length, true);
		else if (*at && !pattern->count && !pattern->anywhere && *text == '/')
			pattern->anywhere = true;
		else
			pattern->beneath = true;
	}
	if (pattern->anywhere && !pattern->count)
		return error_set(err, EINVAL, "a name is missing behind /**/");
	return 1;
}

int tier_pattern_read(const char *text, const char *home, struct tier_pattern *pattern, struct error *err)
{
	bool at_home = text[0] == '~' && (text[1] == '/' || text[1] == '\0');
	size_t length = strlen(text);

	if (text[0] != '/' && !at_home)
		return error_set(err, EINVAL, "a pattern begins with / or ~/: %s", text);
	if (path_has_dots(text) || strstr(text, "//") || (length > 1 && text[length - 1] == '/'))
		return error_set(err, EINVAL, "a pattern has no . or .. part, no // and no / at its end: %s", text);
	if (at_home && home)
		add_parts(pattern, home);
	if (read_parts(pattern, at_home ? text + 1 : text, err) < 0)
		return -err->number;
	if (pattern->start.length > 1)
		pattern->first = pattern->start.data[1];
	pattern->text = duplicate(text);
	return !at_home || home;
}

void tier_pattern_finish(struct tier_pattern *pattern)
{
	for (size_t i = 0; i < pattern->count; i++)
		free(pattern->parts[i].text);
	free(pattern->parts);
	buffer_finish(&pattern->start);
	free(pattern->text);
	*pattern = (struct tier_pattern){0};
}

/* Most names differ from a pattern in their first byte, or in their last one. */
static bool may_match(const struct tier_part *part, const char *text, size_t length)
{
	char first = part->text[0], last = part->text[part->length - 1];

	return (strchr("*?[", first) || first == text[0]) && (strchr("*?]", last) || last == text[length - 1]);
}

static bool part_matches(const struct tier_part *part, const char *text, size_t length)
{
	scoped_free char *copy = NULL;

	if (!part->is_wild)
		return length == part->length && !memcmp(text, part->text, length);
	if (!may_match(part, text, length))
		return false;
	copy = duplicate_bytes(text, length);
	return fnmatch(part->text, copy, FNM_NOESCAPE) == 0;
}

enum tier_relation tier_pattern_relation_from(const struct tier_pattern *pattern, const char *path)
{
	const char *part;

	for (size_t i = 0; i < pattern->count; i++) {
		size_t length = next_part(&path, &part);

		if (!length)
			return TIER_BENEATH;
		if (!part_matches(&pattern->parts[i], part, length))
			return TIER_APART;
	}
	if (!next_part(&path, &part))
		return TIER_AT;
	return pattern->beneath ? TIER_AROUND : TIER_APART;
}

/* A look at the bytes, before anything is taken apart. */
static bool is_far(const struct tier_pattern *pattern, const char *path)
{
	const char *start = buffer_text(&pattern->start);

	while (*start && *start == *path)
		start++, path++;
	return *start && *path;
}

enum tier_relation tier_pattern_relation(const struct tier_pattern *pattern, const char *path)
{
	const char *part;

	if (is_far(pattern, path))
		return TIER_APART;
	if (!pattern->anywhere)
		return tier_pattern_relation_from(pattern, path);
	while (next_part(&path, &part)) {
		enum tier_relation relation = tier_pattern_relation_from(pattern, part - 1);

		if (relation != TIER_APART)
			return relation;
	}
	return TIER_APART;
}

bool tier_pattern_is_closer(const struct tier_pattern *a, const struct tier_pattern *b)
{
	if (a->count != b->count)
		return a->count > b->count;
	if (a->wild_count != b->wild_count)
		return a->wild_count < b->wild_count;
	return !a->beneath && b->beneath;
}
