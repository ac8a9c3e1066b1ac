/*
 * The names that a session met, each once, with all that was asked for under it; and which of them were born in the
 * session. Private to the learner.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/pool.h"
#include "base/table.h"
#include "profile/access.h"

struct name {
	rights_t on;	    /* asked of the object itself */
	rights_t within;    /* asked of it as the directory of other names, or of all that lies beneath it */
	rights_t absent;    /* would be asked of it as a directory if some name in it were gone */
	rights_t again;	    /* would be asked for it if the session came again and found it there */
	rights_t sought;    /* was asked for when nothing was there */
	bool born;	    /* made in the session, or put in place by a rename */
	bool used;	    /* something was there */
	bool missing;	    /* was looked for when nothing was there */
	bool gone;	    /* removed or moved away, and not made since */
	bool was_directory; /* what the name was seen to be, at any time */
	bool was_other;
	bool touched;	     /* used, or above a used one; set by names_touch() */
	struct name *target; /* of a link that stands for a file with --portable; else NULL */
	struct name *next;   /* the one that was met next */
	size_t length;
	char path[];
};

struct names {
	struct name *first, *last; /* in the order in which they were met */
	struct table table;
	struct pool pool;
	size_t born_count;
};

/* The name of the first `length` bytes of path; made when it is new. Valid until names_finish(). */
struct name *names_get(struct names *names, const char *path, size_t length);
/* The same if it was met, else NULL. */
const struct name *names_find(const struct names *names, const char *path);
const struct name *names_find_first(const struct names *names, const char *path, size_t length);
void names_finish(struct names *names);

/* What the name itself was asked; of something that never was a directory, only what a file can have. */
rights_t name_own_rights(const struct name *name);
bool name_is_file(const struct name *name); /* something else than a directory was seen there, and never one */
void name_saw_type(struct name *name, enum object_type type);
void names_bear(struct names *names, struct name *name);
/* Whether path, or a directory above it, was taken away. */
bool names_is_gone(const struct names *names, const char *path);

/*
 * Where rights on path go: path itself, or the nearest directory above it that neither was born nor lies beneath a
 * born one. Returns how many bytes of path name it.
 */
size_t names_place(const struct names *names, const char *path);

/* Whether its rights go elsewhere: it was born, or lies beneath a born one. */
bool names_is_own(const struct names *names, const struct name *name);

/* Marks what was used and every directory above it; then names_touched() knows whether path or something in it was. */
void names_touch(struct names *names);
bool names_touched(const struct names *names, const char *path);
