#include "profile/ini.h"

#include <errno.h>
#include <ini.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "base/cleanup.h"
#include "base/memory.h"
#include "profile/ini_text.h"

/*
 * One physical line goes to inih at a time. What inih makes of it must be what the line reader made of it, and must
 * come before the next line is asked for: so no build of inih can cut, drop or join anything unseen.
 */
struct reader {
	FILE *file;
	ini_line_fn *fn;
	void *data;
	char *text; /* physical line, without its newline */
	size_t capacity, length;
	unsigned line;		  /* number of that line */
	const char *expected_key; /* what inih has to report next; NULL when nothing */
	const char *expected_value;
	bool is_heading; /* the line just given to inih is a heading; "=" after it makes inih report the section */
	bool goes_on;	 /* the value so far ended in a lone backslash */
	unsigned first_line;
	char key[INI_NAME_BYTES + 1];
	struct buffer value;
	struct buffer comment;
	const char *name;
	struct error *err;
	bool failed;
	struct ini_refusals *refusals; /* NULL: the first refusal ends it */
	bool passing;		       /* indented lines belong to what was refused */
	bool lost;		       /* all lines do, up to the next heading */
};

#define FAIL(reader, number, ...) fail((reader), error_set((reader)->err, EINVAL, __VA_ARGS__), (number))

static bool fail_for_good(struct reader *reader, unsigned line)
{
	error_context(reader->err, "%s:%u", reader->name, line);
	reader->failed = true;
	return false;
}

/* Tells of the line, and forgets it. */
static bool refuse(struct reader *reader, unsigned line)
{
	error_context(reader->err, "%s:%u", reader->name, line);
	reader->refusals->fn(reader->refusals->data, reader->err);
	reader->refusals->count++;
	error_finish(reader->err);
	reader->passing = true;
	reader->lost |= *ini_behind_mark(reader->text) == '[';
	reader->goes_on = reader->is_heading = false;
	reader->expected_key = NULL;
	buffer_clear(&reader->comment);
	buffer_clear(&reader->value);
	return false;
}

static bool fail(struct reader *reader, int result, unsigned line)
{
	(void)result;
	return reader->refusals ? refuse(reader, line) : fail_for_good(reader, line);
}

/* What a check of ini_text.h says of the line. */
static bool check(struct reader *reader, int result)
{
	return result == 0 || fail(reader, result, reader->line);
}

static bool fail_as_unread(struct reader *reader)
{
	error_set(reader->err, EINVAL, "this build of inih does not read the line as it stands");
	return fail_for_good(reader, reader->line);
}

/* Reads the next physical line; false at the end or on failure. */
static bool read_line(struct reader *reader)
{
	ssize_t length;

	length = get_line(&reader->text, &reader->capacity, reader->file);
	if (length < 0) {
		if (ferror(reader->file)) {
			error_set_errno(reader->err, errno ? errno : EIO, "cannot read");
			fail_for_good(reader, reader->line + 1);
		}
		return false;
	}
	reader->line++;
	if (length && reader->text[length - 1] == '\n')
		reader->text[--length] = '\0';
	reader->length = (size_t)length;
	return true;
}

static bool take_comment(struct reader *reader)
{
	if (!check(reader, ini_check_bytes(reader->text, true, reader->line, reader->err)))
		return false;
	buffer_add_text(&reader->comment, reader->text);
	buffer_add_byte(&reader->comment, '\n');
	reader->text[0] = '\0'; /* nothing for inih */
	return true;
}

static bool take_heading(struct reader *reader)
{
	char *name = reader->text + 1;
	size_t length = strcspn(name, "]");

	if (name[length] != ']' || *ini_skip_blanks(name + length + 1))
		return FAIL(reader, reader->line, "a section's name stands alone between [ and ]");
	if (length > INI_NAME_BYTES)
		return FAIL(reader, reader->line, "section name of %zu bytes, more than %d", length, INI_NAME_BYTES);
	reader->is_heading = true;
	return true;
}

/* Splits a copy of the line where inih must split it. */
static bool take_pair(struct reader *reader)
{
	size_t length = (size_t)(strchrnul(reader->text, '=') - reader->text);
	char *value;

	if (!reader->text[length] || memchr(reader->text, ':', length))
		return FAIL(reader, reader->line, "neither [section] nor key = value");
	value = ini_skip_blanks(reader->text + length + 1);
	ini_drop_trailing_blanks(value);
	while (length && ini_is_blank(reader->text[length - 1]))
		length--;
	if (length == 0)
		return FAIL(reader, reader->line, "a key is missing before =");
	if (length > INI_NAME_BYTES)
		return FAIL(reader, reader->line, "key of %zu bytes, more than %d", length, INI_NAME_BYTES);
	memcpy(reader->key, reader->text, length);
	reader->key[length] = '\0';
	reader->expected_key = reader->key;
	reader->expected_value = value;
	reader->first_line = reader->line;
	return true;
}

static bool take_continuation(struct reader *reader)
{
	char *piece = ini_skip_blanks(reader->text);

	if (piece == reader->text || !*piece)
		return FAIL(reader, reader->line - 1, "ends in \\, but no indented line follows");
	if (*piece == ';' || *piece == '#')
		return FAIL(reader, reader->line, "the line before ends in \\, so this one cannot begin with %c",
			    *piece);
	ini_drop_trailing_blanks(piece);
	reader->expected_key = reader->key;
	reader->expected_value = piece;
	return true;
}

static bool is_comment(const char *text)
{
	return *text == ';' || *text == '#';
}

/* Whether the line belongs to what was refused; then it is nothing for inih. */
static bool is_passed_over(struct reader *reader)
{
	if (*reader->text == '[')
		reader->lost = false;
	reader->passing = reader->lost || (reader->passing && ini_is_blank(*reader->text));
	if (reader->passing)
		*reader->text = '\0';
	return reader->passing;
}

/* Sorts the physical line into its kind, and refuses it where it is none. */
static bool take_line(struct reader *reader, int capacity)
{
	char *start = ini_skip_blanks(reader->text);

	if (reader->line == 1 && ini_check_kind(reader->text, reader->err) < 0)
		return fail_for_good(reader, reader->line);
	if (strlen(reader->text) != reader->length)
		return FAIL(reader, reader->line, "a NUL byte");
	if (is_passed_over(reader))
		return true;
	if (!reader->goes_on && is_comment(reader->text))
		return take_comment(reader);
	if (!check(reader, ini_check_bytes(start, false, reader->line, reader->err)) ||
	    !check(reader, ini_check_length(reader->length, capacity, reader->err)))
		return false;
	if (reader->goes_on)
		return take_continuation(reader) && check(reader, ini_check_comment_signs(reader->text, reader->err));
	if (!*start)
		return true;
	if (start > reader->text)
		return FAIL(reader, reader->line, "indented, but the line before does not end in \\");
	if (!check(reader, ini_check_comment_signs(reader->text, reader->err)))
		return false;
	return *start == '[' ? take_heading(reader) : take_pair(reader);
}

/* inih's reader: like fgets(3). */
static char *next_line(char *out, int capacity, void *data)
{
	struct reader *reader = data;
	size_t length;

	if (!reader->failed && reader->expected_key)
		fail_as_unread(reader);
	if (reader->failed)
		return NULL;
	if (reader->is_heading) {
		reader->is_heading = false;
		reader->expected_key = reader->expected_value = "";
		return memcpy(out, "=", sizeof "=");
	}
	do {
		if (!read_line(reader)) {
			if (!reader->failed && reader->goes_on)
				FAIL(reader, reader->line, "ends in \\, but no indented line follows");
			return NULL;
		}
	} while (!take_line(reader, capacity) && !reader->failed);
	if (reader->failed)
		return NULL;
	length = strlen(reader->text); /* as ini_check_length() found, it fits */
	memcpy(out, reader->text, length);
	memcpy(out + length, "\n", 2);
	return out;
}

static bool deliver(struct reader *reader, const char *section, const char *key)
{
	struct ini_line line = {
		.section = section,
		.key = key,
		.value = key ? buffer_text(&reader->value) : NULL,
		.comment = reader->comment.length ? reader->comment.data : NULL,
		.line = key ? reader->first_line : reader->line,
	};
	int result = reader->fn(reader->data, &line, reader->err);

	buffer_clear(&reader->comment);
	buffer_clear(&reader->value);
	return result < 0 ? fail(reader, result, line.line) : true;
}

/* inih's handler. */
static int take_report(void *data, const char *section, const char *key, const char *value)
{
	struct reader *reader = data;
	bool is_heading = reader->expected_key && !*reader->expected_key;

	if (!reader->expected_key || strcmp(key, reader->expected_key) != 0 ||
	    strcmp(value, reader->expected_value) != 0)
		return fail_as_unread(reader);
	reader->expected_key = NULL;
	if (is_heading)
		return deliver(reader, section, NULL) || !reader->failed;
	reader->goes_on = ini_ends_in_lone_backslash(value);
	buffer_add(&reader->value, value, strlen(value) - reader->goes_on);
	return reader->goes_on || deliver(reader, section, reader->key) || !reader->failed;
}

static int read_all(struct reader *reader, char **tail_comment)
{
	int result = ini_parse_stream(next_line, reader, take_report, reader);

	if (result == -2)
		out_of_memory();
	if (!reader->failed && result != 0)
		fail_as_unread(reader);
	if (!reader->failed && tail_comment)
		*tail_comment = reader->comment.length ? buffer_steal(&reader->comment) : NULL;
	free(reader->text);
	buffer_finish(&reader->value);
	buffer_finish(&reader->comment);
	return reader->failed ? -reader->err->number : 0;
}

int ini_read(FILE *file, const char *name, ini_line_fn *fn, void *data, char **tail_comment, struct error *err)
{
	struct reader reader = {.file = file, .fn = fn, .data = data, .name = name, .err = err};

	return read_all(&reader, tail_comment);
}

int ini_read_refused(FILE *file, const char *name, ini_line_fn *fn, void *data, struct ini_refusals *refusals,
		     struct error *err)
{
	struct reader reader = {.file = file, .fn = fn, .data = data, .name = name, .err = err, .refusals = refusals};

	return read_all(&reader, NULL);
}
