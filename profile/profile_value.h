/* Private to the reader of profiles, and of questions about lines: its state, and the values of lines. */
#pragma once

#include "profile/ini.h"
#include "profile/profile.h"
#include "profile/variables.h"

/* Of the last grant that was read: mostly the next one has the same. */
struct last_rights {
	char text[64];
	size_t length; /* 0: of none */
	rights_t rights;
};

struct profile_reader {
	struct profile profile;
	const struct variables *variables;
	const char *name;		  /* of the file */
	unsigned headings[HEADING_COUNT]; /* line of the first such heading; 0 for none */
	enum heading heading;		  /* of the last line */
	struct last_rights last_rights;
	bool skip;  /* ${TTY} stood in the value, and there is no terminal */
	bool plain; /* the path stood there as it is, and is written so */
};

/* Unescapes and expands; the caller frees *text. ${TTY} without a terminal is an error. */
int value_known_text(struct profile_reader *reader, const char *value, char **text, struct error *err);

/* The same for a path: absolute, no `.` or `..` part, made clean. Sets reader->plain, and reader->skip, with which
 * there is no error. */
int value_path(struct profile_reader *reader, const char *value, char **path, struct error *err);
int value_known_path(struct profile_reader *reader, const char *value, char **path, struct error *err);

/* Digits alone, without leading zeros, from smallest to largest. */
int value_number(const char *value, long smallest, long largest, long *number, struct error *err);

/*
 * Keeps `value`, the spelling in the file, where it is not the usual one of `meaning`; that is `meaning` escaped unless
 * `usual` is given.
 */
void value_spelling(struct origin *origin, const char *value, const char *meaning, const char *usual);

/* The line's number and comment, for an origin that is empty, of what is spelled as usual. */
void value_origin_plain(struct origin *origin, const struct ini_line *line);

/* value_spelling(), with the line's number and comment, for an origin that is empty. */
void value_origin(struct origin *origin, const struct ini_line *line, const char *value, const char *meaning,
		  const char *usual);
