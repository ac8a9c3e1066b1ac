/* A loaded table of tiers. Private to tiers*.c and to what lists a table. */
#pragma once

#include "base/buffer.h"
#include "base/pool.h"
#include "profile/tier_pattern.h"
#include "profile/tiers.h"

enum tier_use { TIER_USE_READING, TIER_USE_CHANGING, TIER_USE_COUNT };

#define TIER_UNSAID (-1)

struct tier_line {
	struct tier_pattern pattern; /* its text is NULL while it is not read, or has no home: then it says nothing */
	int tiers[TIER_USE_COUNT];   /* of a `path` line: enum tier, or TIER_UNSAID */
	rights_t rights;	     /* of a `rights` line: what `raised` is for; else 0 */
	enum tier raised;
	unsigned line;
};

/* The lines that may speak of what lies in one directory, in the table's order. */
struct tiers_near_line {
	const struct tier_line *line;
	bool at_end; /* only of the last part of a path */
	char last;   /* byte that this then ends in; 0: may be any */
	bool around; /* of the directory and all beneath it: TIER_AROUND */
};

struct tiers_near {
	struct buffer directory;
	struct tiers_near_line *lines;
	size_t count, capacity;
};

struct tiers {
	struct tier_line *lines;
	size_t count, capacity;
	char *file; /* NULL, as is the hash, for the built-in table */
	char *hash;
	struct pool texts;	     /* of the patterns */
	struct tiers_unread *unread; /* of the built-in table; else NULL */
	struct tiers_near *near;     /* two: of the directory that was asked for last, and of its first part */
};

/*
 * The lines of profile/tiers.ini, as the build makes them: the programs need not read it as INI at each start. No
 * pointers, which the loader would have to adjust.
 */
struct tiers_builtin_row {
	uint16_t line;
	uint16_t text; /* where in the texts its pattern begins; of a `rights` line all behind "rights = " */
	bool rights;
	char first;		    /* letter of the pattern behind the slash; ~ of the home's; or TIERS_ANY_LETTER */
	char tiers[TIER_USE_COUNT]; /* their first letters, or - */
};
#define TIERS_ANY_LETTER '*'
extern const struct tiers_builtin_row tiers_builtin_rows[];
extern const size_t tiers_builtin_count;
extern const char tiers_builtin_texts[];

/* Of these nothing is read. The caller destroys it. */
struct tiers *tiers_builtin_table(const struct variables *variables);
/*
 * Reads the lines that may speak of a path, of what it lies in or of what lies in it. Before lines are looked at, but
 * by tiers_near(), which does so itself. Returns whether there may be more of them now.
 */
bool tiers_read_for(const struct tiers *tiers, const char *path);
void tiers_unread_destroy(struct tiers_unread *unread);

/* TIER RIGHTS of a `rights` line; *value is then the pattern. */
int tiers_read_rights(const char **value, struct tier_line *line, struct error *err);

/* Its text; the two are compared by tests/unit/test_tiers.c. */
extern const char tiers_builtin[];

/* What this line alone makes of rights on a path that its pattern names. */
enum tier tier_line_tier(const struct tier_line *line, rights_t rights);

/* Those of the path's directory; the path is not "/". They stay until the next question. */
const struct tiers_near *tiers_near(const struct tiers *tiers, const char *path);
struct tiers_near *tiers_near_create(void); /* of no directory yet */
void tiers_near_destroy(struct tiers_near *near);

/* tier_pattern_relation() of one of these lines with a path in that directory. */
enum tier_relation tiers_near_relation(const struct tiers_near *near, const struct tiers_near_line *line,
				       const char *path);
