/*
 * A profile: the sorted set of what a program may use, and what is known of the sessions it was learned in.
 * Format: docs/trace-profile.5. Paths in it are decoded, expanded and absolute, without `.`, `..`, doubled or trailing
 * slashes. The struct owns all its strings. A zeroed profile is empty and valid.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buffer.h"
#include "base/error.h"
#include "profile/rights.h"

#define PROFILE_FORMAT 1

/* In the order in which they are written. The first three are enforced, and only there for the reader. */
enum section { SECTION_NORMAL, SECTION_GUARDED, SECTION_PROTECTED, SECTION_HELD, SECTION_ABSENT, SECTION_COUNT };

/* Headings of a file, in the order in which they are written; the sections of grants follow [profile]. */
enum heading {
	HEADING_PROFILE,
	HEADING_GRANTS,
	HEADING_MOVES = HEADING_GRANTS + SECTION_COUNT,
	HEADING_NETWORK,
	HEADING_SCOPE,
	HEADING_ENVIRONMENT,
	HEADING_SECCOMP,
	HEADING_COUNT,
};

/* What a line carries besides its fact. */
struct origin {
	char *comment;	/* comment lines above, each with its newline; NULL for none */
	char *written;	/* the value (of a grant: its path) as the file spells it, where that is not what the writer
			   would make of it (variables, other escapes); NULL: the writer's own spelling */
	char *meaning;	/* what `written` stands for: it is written only as long as the fact is still this */
	unsigned line;	/* in the file it was read from; 0 when it was not read */
	unsigned again; /* the last line that was joined to this one; 0 for none */
};

/* The single-valued keys of [profile]. */
enum profile_key {
	KEY_FORMAT,
	KEY_LANDLOCK,
	KEY_SESSIONS,
	KEY_PROGRAM,
	KEY_ARGV0,
	KEY_DIRECTORY,
	KEY_TIERS,
	KEY_COMPLETE,
	KEY_COUNT,
};

struct grant {
	enum section section;
	rights_t rights; /* of the file system */
	char *path;
	bool skipped; /* ${TTY} without a terminal: kept for writing, not enforced; path is then NULL and
			 origin.written its spelling */
	struct origin origin;
};

struct port_grant {
	rights_t rights; /* of the network */
	int port;	 /* 0 to 65535, or PORT_ANY */
	struct origin origin;
};
#define PORT_ANY (-1)

struct move {
	char *from;	/* what gets a missing right: the object, or the directory it was born in */
	char *to;	/* the directory it comes into */
	bool directory; /* a directory was moved, so every right counts; written as a slash behind `from` */
	struct origin origin;
};

enum environment_action { ENVIRONMENT_KEEP, ENVIRONMENT_SET, ENVIRONMENT_UNSET };

struct environment_line {
	enum environment_action action;
	char *name;
	char *value; /* ENVIRONMENT_SET only */
	struct origin origin;
};

struct word {
	char *text;
	struct origin origin;
};

struct profile {
	int landlock; /* lowest ABI on which it may run; 0 when the file does not say */
	unsigned sessions;
	char *program; /* absolute, links unresolved; NULL when unknown */
	char *argv0;
	struct word *arguments;
	size_t argument_count, argument_capacity;
	char *directory;
	bool complete;
	struct word *incomplete; /* reasons, sorted, unique */
	size_t incomplete_count, incomplete_capacity;
	char *tiers; /* SHA-256 of the tiers file used; NULL for the built-in table */
	struct origin keys[KEY_COUNT];
	char *heading_comments[HEADING_COUNT]; /* comment lines above the headings, without "; written by" */

	struct grant *grants; /* unique by (path, held or not, absent or not) */
	size_t grant_count, grant_capacity;
	struct grant_index *grant_index; /* private: finds a grant by its path */
	struct move *moves;
	size_t move_count, move_capacity;
	bool has_network, has_scope, has_environment, has_seccomp; /* the section stands in the file */
	struct port_grant *ports;
	size_t port_count, port_capacity;
	rights_t scope;			/* scopes that are open */
	struct origin scope_origins[2]; /* by bit, from RIGHTS_SCOPE_SHIFT up */
	struct environment_line *environment;
	size_t environment_count, environment_capacity;
	struct word *seccomp;
	size_t seccomp_count, seccomp_capacity;
	unsigned last_line; /* where its last heading or fact begins, of the file that it was read from; 0 when it was
			       not read */
	char *tail_comment; /* comments at the end of the file, above no line */
};

void profile_finish(struct profile *profile);

static inline bool section_is_enforced(enum section section)
{
	return section <= SECTION_PROTECTED;
}

/* A line that is skipped is in force nowhere, and has no path. */
static inline bool grant_is_enforced(const struct grant *grant)
{
	return section_is_enforced(grant->section) && grant->path;
}

const char *section_name(enum section section); /* "normal", … */
const char *heading_name(enum heading heading); /* "profile", "normal", … */

/*
 * The grant on path in this section, or (for an enforced section) in another enforced one; NULL when there is none.
 * `path` may be the spelling of a skipped one.
 */
struct grant *profile_find_grant(struct profile *profile, enum section section, const char *path);

/*
 * Adds rights on path. One path has at most one enforced grant, one held and one absent: a second call joins the
 * rights (and keeps the higher section of the enforced ones). Returns the grant, valid until the next change.
 */
struct grant *profile_add_grant(struct profile *profile, enum section section, rights_t rights, const char *path);
struct grant *profile_take_grant(struct profile *profile, enum section section, rights_t rights,
				 char *path); /* the same, and path is the profile's from now on */

/* The same for a path that cannot be known here (${TTY} without a terminal), in the file's own spelling. */
struct grant *profile_add_skipped(struct profile *profile, enum section section, rights_t rights, const char *written);

/*
 * These append, and open the section that they add to; profile_sort() joins what is there twice. What they return is
 * valid until the next change.
 */
struct port_grant *profile_add_port(struct profile *profile, rights_t rights, int port);
struct move *profile_add_move(struct profile *profile, const char *from, const char *to);
struct word *profile_add_argument(struct profile *profile, const char *argument);
struct environment_line *profile_add_environment(struct profile *profile, enum environment_action action,
						 const char *name, const char *value);
struct word *profile_add_seccomp(struct profile *profile, const char *word);

/* The first line of this action on the variable, whose name has `length` bytes; NULL for none. */
const struct environment_line *profile_environment_line(const struct profile *profile, enum environment_action action,
							const char *name, size_t length);
bool profile_has_action(const struct profile *profile, enum environment_action action);

/* Makes it `complete = no` for this reason. */
struct word *profile_add_incomplete(struct profile *profile, const char *reason);

/* From now on written is what the file says for `meaning` (of a grant: its path); copies both. */
void origin_spell(struct origin *origin, const char *written, const char *meaning);

/* Joins what two lines carry: comments after each other, the first spelling and line. Empties `from`. */
void origin_join(struct origin *into, struct origin *from);
void origin_finish(struct origin *origin);
#define scoped_origin __attribute__((cleanup(origin_finish))) struct origin

/* Brings every list into the order in which it is written; joins what is there twice. */
void profile_sort(struct profile *profile);
