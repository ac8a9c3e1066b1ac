#include "profile/profile_value.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/escape.h"
#include "base/memory.h"
#include "profile/path.h"
#include "profile/rights.h"

/* Without a terminal the rest of the value is checked all the same, with this in the place of ${TTY}. */
#define NO_TERMINAL "/dev/tty"

static int find_variable(void *data, const char *name, const char **value, struct error *err)
{
	struct profile_reader *reader = data;
	int result = variables_get(reader->variables, name, value, err);

	if (result == -ENOENT)
		err->number = EINVAL; /* of the file's text: it is not a missing file */
	if (result != -ENOTTY)
		return result < 0 ? -err->number : result;
	error_finish(err);
	reader->skip = true;
	*value = NO_TERMINAL;
	return 0;
}

/* Whether it stands for itself, and would be written so. */
static bool is_plain(const char *value)
{
	return !value[plain_length(value)];
}

/* Unescapes and expands; sets reader->skip. */
static int read_text(struct profile_reader *reader, const char *value, char **text, struct error *err)
{
	scoped_buffer decoded = {0};
	int result;

	reader->skip = false;
	result = unescape_value(&decoded, value, find_variable, reader, err);
	if (result < 0)
		return result;
	*text = buffer_steal(&decoded);
	return 0;
}

static int refuse_skip(struct profile_reader *reader, char **text, struct error *err)
{
	if (!reader->skip)
		return 0;
	free(*text);
	*text = NULL;
	return error_set(err, EINVAL, "${TTY}: there is no controlling terminal");
}

int value_known_text(struct profile_reader *reader, const char *value, char **text, struct error *err)
{
	int result = read_text(reader, value, text, err);

	return result < 0 ? result : refuse_skip(reader, text, err);
}

/* "read_file /etc" behind another right: as long as a right, and then a path. */
static bool begins_with_right(const char *text)
{
	size_t length = strcspn(text, " ");
	scoped_free char *name = duplicate_bytes(text, length);

	return text[length] && right_find(name);
}

/* What people write who have a shell in mind, or another format. */
static const char *path_advice(const char *text)
{
	if (begins_with_right(text))
		return " (between two rights stands a comma, without blanks)";
	if (*text == '~' || strncmp(text, "$HOME", strlen("$HOME")) == 0)
		return " (the home directory is ${HOME})";
	return *text == '"' || *text == '\'' ? " (it stands without quotes, also with blanks in it)" : "";
}

int value_path(struct profile_reader *reader, const char *value, char **path, struct error *err)
{
	scoped_free char *text = NULL;

	reader->plain = is_plain(value) && path_is_clean(value);
	if (reader->plain) { /* as most are */
		reader->skip = false;
		*path = duplicate(value);
		return 0;
	}
	if (read_text(reader, value, &text, err) < 0)
		return -err->number;
	if (*text != '/')
		return error_set(err, EINVAL, "not an absolute path: %s%s", value, path_advice(text));
	if (path_has_dots(text))
		return error_set(err, EINVAL, "a path may not have a . or .. part: %s", value);
	*path = path_clean(text);
	return 0;
}

int value_known_path(struct profile_reader *reader, const char *value, char **path, struct error *err)
{
	int result = value_path(reader, value, path, err);

	return result < 0 ? result : refuse_skip(reader, path, err);
}

int value_number(const char *value, long smallest, long largest, long *number, struct error *err)
{
	size_t digits = strspn(value, "0123456789");

	if (digits && value[digits] == '\0' && (value[0] != '0' || digits == 1)) {
		*number = strtol(value, NULL, 10); /* the largest there is when it does not fit */
		if (*number >= smallest && *number <= largest)
			return 0;
	}
	return error_set(err, EINVAL, "not a number from %ld to %ld: %s", smallest, largest, value);
}

/* A spelling in which each line can be cut without a blank at the beginning of the next. */
static char *without_doubled_blanks(const char *value)
{
	scoped_buffer text = {0};

	if (!strstr(value, "  "))
		return duplicate(value);
	for (const char *at = value; *at; at++) {
		if (*at == ' ' && at > value && at[-1] == ' ')
			buffer_add_text(&text, "\\x20");
		else
			buffer_add_byte(&text, *at);
	}
	return buffer_steal(&text);
}

void value_spelling(struct origin *origin, const char *value, const char *meaning, const char *usual)
{
	scoped_free char *written = NULL;
	scoped_buffer escaped = {0};

	if (!usual && !strcmp(value, meaning) && is_plain(value))
		return;
	written = without_doubled_blanks(value);
	if (!usual) {
		escape_value(&escaped, meaning);
		usual = buffer_text(&escaped);
	}
	if (strcmp(written, usual) != 0)
		origin_spell(origin, written, meaning);
}

void value_origin_plain(struct origin *origin, const struct ini_line *line)
{
	origin->line = line->line;
	origin->comment = duplicate(line->comment);
}

void value_origin(struct origin *origin, const struct ini_line *line, const char *value, const char *meaning,
		  const char *usual)
{
	value_origin_plain(origin, line);
	value_spelling(origin, value, meaning, usual);
}
