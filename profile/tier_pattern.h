/*
 * Patterns of the table of tiers (profile/tiers.ini says how they look). Private to tiers*.c and to what lists a table.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/pool.h"

/* Its texts belong to the table's pool, or are constant. */
struct tier_pattern {
	const char *text; /* as the table has it */
	const char *path; /* its parts, each with a slash in front, and the home for ~; not the stars for any depth */
	uint32_t length;  /* of path, which may go on behind that */
	uint32_t literal; /* so much of it is a path as it stands: the parts before the first wild one */
	uint32_t count, wild_count; /* of its parts; wild: for fnmatch(3) */
	char first;		    /* its first letter behind the slash; 0 when there is none, or it may be any */
	bool beneath;		    /* ends in a part of two stars: with all that lies beneath */
	bool anywhere;		    /* begins with one: at any depth */
};

enum tier_relation {
	TIER_APART,
	TIER_AT,      /* the pattern names the path itself */
	TIER_AROUND,  /* the path lies beneath what the pattern names, and so does the pattern's reach */
	TIER_BENEATH, /* what the pattern names lies beneath the path */
};

/*
 * Reads a pattern, whose text must stay. `home` stands for a leading ~. Returns 1; 0 when the pattern needs a home and
 * there is none (NULL); -EINVAL.
 */
int tier_pattern_read(struct pool *pool, const char *text, const char *home, struct tier_pattern *pattern,
		      struct error *err);

/* One part, counted from 0; *is_wild (may be NULL) tells whether it is one for fnmatch(3). The caller frees. */
char *tier_pattern_part(const struct tier_pattern *pattern, size_t at, bool *is_wild);
/* All of them, as a path. The caller frees. */
char *tier_pattern_path(const struct tier_pattern *pattern);

/*
 * How the pattern lies to a path (clean). One for any depth is not taken to lie beneath every directory: only where the
 * path's own end is the beginning of it.
 */
enum tier_relation tier_pattern_relation(const struct tier_pattern *pattern, const char *path);

/* The same, where the pattern's first part is held against the path's first one alone. */
enum tier_relation tier_pattern_relation_from(const struct tier_pattern *pattern, const char *path);

/* Most lines of a table lie far from most paths: where this is true, the relation is TIER_APART. */
static inline bool tier_pattern_is_elsewhere(const struct tier_pattern *pattern, const char *path)
{
	return pattern->first && path[1] && path[1] != pattern->first;
}

/* Whether a speaks more precisely than b of a path that both name: more parts, then fewer wild ones, then exact. */
bool tier_pattern_is_closer(const struct tier_pattern *a, const struct tier_pattern *b);
