/*
 * INI files line by line, through inih. A line reader of ours stands before it, because inih cuts long lines and
 * section names silently, joins indented lines and drops comments (docs/trace-profile.5).
 * Used for profiles and for tiers files. The only file that sees inih is ini.c.
 */
#pragma once

#include <stdio.h>

#include "base/error.h"

/* inih takes 200 bytes with CR, LF and NUL, and names of 50 with NUL. */
#define INI_LINE_BYTES 197
#define INI_NAME_BYTES 49

struct ini_line {
	const char *section; /* "" before the first one */
	const char *key;     /* NULL: this is the heading of the section itself */
	const char *value;   /* as in the file, joined from its continuation lines; still escaped */
	const char *comment; /* comment lines directly above, each with its newline; NULL for none */
	unsigned line;	     /* number of its first line */
};

/* All strings live until the function returns. On failure it sets err without name and line; ini_read() adds them. */
typedef int ini_line_fn(void *data, const struct ini_line *line, struct error *err);

/*
 * Reads the file, calls fn for each heading and each key in order. Errors are "name:line: …" (-EINVAL), or what fn
 * returned with that in front, or -errno of a failed read. *tail_comment (may be NULL) gets comments that stand above
 * no line; caller frees.
 */
int ini_read(FILE *file, const char *name, ini_line_fn *fn, void *data, char **tail_comment, struct error *err);

/* Who is told of a line that is refused, "name:line: …". */
typedef void ini_refused_fn(void *data, const struct error *err);

struct ini_refusals {
	ini_refused_fn *fn;
	void *data;
	size_t count; /* of those that were told */
};

/*
 * The same, but each line that is refused is told, and the next one read. What cannot be judged then passes unseen: the
 * rest of a refused value, and all beneath a heading that is none. What is read so is not to be used. -errno only for a
 * file that cannot be read.
 */
int ini_read_refused(FILE *file, const char *name, ini_line_fn *fn, void *data, struct ini_refusals *refusals,
		     struct error *err);
