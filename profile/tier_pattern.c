#include "profile/tier_pattern.h"

#include <errno.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/memory.h"

#define DEPTH "**" /* as a part: any number of parts */

/* The next part of a path; *at moves behind it. Returns its length, 0 at the end. */
static size_t next_part(const char **at, const char **part)
{
	while (**at == '/')
		++*at;
	*part = *at;
	*at = strchrnul(*at, '/');
	return (size_t)(*at - *part);
}

static bool is_wild_byte(char byte)
{
	return byte == '*' || byte == '?' || byte == '[';
}

static bool has_wild(const char *text, size_t length)
{
	for (size_t i = 0; i < length; i++)
		if (is_wild_byte(text[i]))
			return true;
	return false;
}

static bool is_depth(const char *part, size_t length)
{
	return length == strlen(DEPTH) && !memcmp(part, DEPTH, length);
}

/* Whether no part is empty, `.` or `..`; "/" alone has none. */
static bool is_clean(const char *text)
{
	for (const char *slash = strchr(text, '/'); slash; slash = strchr(slash + 1, '/')) {
		const char *part = slash + 1;

		part += *part == '.';
		part += part > slash + 1 && *part == '.';
		if (*part == '/' || (*part == '\0' && (part > slash + 1 || slash > text)))
			return false;
	}
	return true;
}

/* The table's own parts: one of two stars only at the end, or in front of a name. */
static int read_parts(struct tier_pattern *pattern, const char *text, bool at_home, struct error *err)
{
	const char *part, *at = text;
	size_t length;

	pattern->path = text;
	while ((length = next_part(&at, &part))) {
		if (pattern->beneath)
			return error_set(err, EINVAL, "** stands at the end of a pattern, or as its first part");
		if (!is_depth(part, length)) {
			pattern->count++;
			pattern->wild_count += has_wild(part, length);
			pattern->length = (uint32_t)(at - pattern->path);
			if (!pattern->wild_count && !pattern->anywhere)
				pattern->literal = pattern->length;
		} else if (*at && !pattern->count && !pattern->anywhere && !at_home) {
			pattern->anywhere = true;
			pattern->path = at;
		} else {
			pattern->beneath = true;
		}
	}
	if (pattern->anywhere && !pattern->count)
		return error_set(err, EINVAL, "a name is missing behind /**/");
	return 1;
}

/* Puts the home's parts, which are no patterns, before those that were read. */
static void add_home(struct pool *pool, struct tier_pattern *pattern, const char *home)
{
	char *path = pool_take(pool, strlen(home) + 1 + pattern->length + 1);
	uint32_t used = 0;
	const char *part;

	for (size_t length; (length = next_part(&home, &part)); used += (uint32_t)length) {
		path[used++] = '/';
		memcpy(path + used, part, length);
		pattern->count++;
	}
	memcpy(path + used, pattern->path, pattern->length);
	pattern->path = path;
	pattern->length += used;
	pattern->literal += used;
}

int tier_pattern_read(struct pool *pool, const char *text, const char *home, struct tier_pattern *pattern,
		      struct error *err)
{
	bool at_home = text[0] == '~' && (text[1] == '/' || text[1] == '\0');

	*pattern = (struct tier_pattern){.text = text};
	if (text[0] != '/' && !at_home)
		return error_set(err, EINVAL, "a pattern begins with / or ~/: %s", text);
	if (!is_clean(text))
		return error_set(err, EINVAL, "a pattern has no . or .. part, no // and no / at its end: %s", text);
	if (read_parts(pattern, text + at_home, at_home, err) < 0)
		return -err->number;
	if (at_home && home)
		add_home(pool, pattern, home);
	if (pattern->literal > 1)
		pattern->first = pattern->path[1];
	return !at_home || home;
}

/* The next part of the pattern, as next_part(); whether it is wild. */
static size_t next_own(const struct tier_pattern *pattern, const char **at, const char **part, bool *is_wild)
{
	const char *end = pattern->path + pattern->length, *slash;

	*part = *at + (*at < end);
	slash = memchr(*part, '/', (size_t)(end - *part));
	*at = slash ? slash : end;
	*is_wild = *part >= pattern->path + pattern->literal && has_wild(*part, (size_t)(*at - *part));
	return (size_t)(*at - *part);
}

char *tier_pattern_part(const struct tier_pattern *pattern, size_t at, bool *is_wild)
{
	const char *own = pattern->path, *part = own;
	bool wild = false;
	size_t length = 0;

	for (size_t i = 0; i <= at; i++)
		length = next_own(pattern, &own, &part, &wild);
	if (is_wild)
		*is_wild = wild;
	return duplicate_bytes(part, length);
}

char *tier_pattern_path(const struct tier_pattern *pattern)
{
	return duplicate_bytes(pattern->path, pattern->length);
}

/* Most names differ from a pattern in their first bytes, or in their last ones. */
static bool wild_matches(const char *pattern, size_t pattern_length, const char *text, size_t length)
{
	scoped_free char *wild = NULL, *name = NULL;
	size_t head = 0, tail = 0;

	while (!is_wild_byte(pattern[head]))
		head++;
	if (length < head || memcmp(text, pattern, head) != 0)
		return false;
	if (!memchr(pattern, '[', pattern_length)) /* what stands in brackets may be a star */
		while (!is_wild_byte(pattern[pattern_length - 1 - tail]))
			tail++;
	if (length < head + tail || memcmp(text + length - tail, pattern + pattern_length - tail, tail) != 0)
		return false;
	if (pattern[head] == '*' && head + 1 + tail == pattern_length)
		return true;
	wild = duplicate_bytes(pattern, pattern_length);
	name = duplicate_bytes(text, length);
	return fnmatch(wild, name, FNM_NOESCAPE) == 0;
}

enum tier_relation tier_pattern_relation_from(const struct tier_pattern *pattern, const char *path)
{
	const char *own = pattern->path, *own_part, *part;
	size_t own_length, length;
	bool is_wild;

	while ((own_length = next_own(pattern, &own, &own_part, &is_wild))) {
		length = next_part(&path, &part);
		if (!length)
			return TIER_BENEATH;
		if (is_wild ? !wild_matches(own_part, own_length, part, length)
			    : own_length != length || memcmp(own_part, part, length) != 0)
			return TIER_APART;
	}
	if (!next_part(&path, &part))
		return TIER_AT;
	return pattern->beneath ? TIER_AROUND : TIER_APART;
}

/* How many bytes of the pattern's beginning, which is not wild, the path begins with. */
static size_t common_length(const struct tier_pattern *pattern, const char *path)
{
	size_t i = 0;

	while (i < pattern->literal && pattern->path[i] == path[i])
		i++;
	return i;
}

/* Of a pattern without wild parts, with which the path agrees as far as the shorter of both goes. */
static enum tier_relation relation_of_literal(const struct tier_pattern *pattern, const char *path, size_t common)
{
	if (common < pattern->literal)
		return common == 1 || pattern->path[common] == '/' ? TIER_BENEATH : TIER_APART;
	if (!path[common])
		return TIER_AT;
	return path[common] == '/' && pattern->beneath ? TIER_AROUND : TIER_APART;
}

enum tier_relation tier_pattern_relation(const struct tier_pattern *pattern, const char *path)
{
	size_t common = common_length(pattern, path);
	const char *part;

	if (common < pattern->literal && path[common])
		return TIER_APART; /* before anything is taken apart */
	if (common && pattern->literal == pattern->length)
		return relation_of_literal(pattern, path, common);
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
