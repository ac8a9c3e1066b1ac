/* What the text of one line of an INI file may hold, before it goes to inih (ini.h). */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

static inline bool ini_is_blank(char byte)
{
	return byte == ' ' || byte == '\t';
}

static inline char *ini_skip_blanks(char *text)
{
	while (ini_is_blank(*text))
		text++;
	return text;
}

void ini_drop_trailing_blanks(char *text);
bool ini_ends_in_lone_backslash(const char *text);

/* The text, behind the mark that some editors put before the first line. */
const char *ini_behind_mark(const char *text);

/*
 * Of the first line: -EINVAL, with err set, where the file is of another kind, so that no line of it needs a look. A
 * first line that may be one of an INI file passes; "#!" too, which begins a comment.
 */
int ini_check_kind(const char *text, struct error *err);

/*
 * 0, or -EINVAL with err set, without the file's name and the number of the line. Comments may hold tabs; elsewhere
 * they may only indent, so there `text` begins behind them.
 */
int ini_check_bytes(const char *text, bool is_comment, unsigned line, struct error *err);

/* Of a line of so many bytes, for an inih that takes `capacity` with newline and NUL. */
int ini_check_length(size_t length, int capacity, struct error *err);

/* Of a line that is no comment. */
int ini_check_comment_signs(const char *text, struct error *err);
