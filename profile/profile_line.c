#include "profile/profile_line.h"

#include <string.h>

#include "base/escape.h"
#include "profile/ini.h"

#define INDENT "    "

/* Code may have put a spelling together from names that a program chose. */
static bool is_one_value(const char *written)
{
	size_t length = strlen(written);

	return clean_length(written, false) == length && !strpbrk(written, ";#") &&
	       !(length && (written[0] == ' ' || written[length - 1] == ' '));
}

static bool has_spelling(const struct origin *origin, const char *meaning)
{
	return origin->written && (!origin->meaning || !strcmp(origin->meaning, meaning)) &&
	       is_one_value(origin->written);
}

void line_text(struct buffer *out, const char *text, const struct origin *origin)
{
	if (has_spelling(origin, text))
		buffer_add_text(out, origin->written);
	else
		escape_value(out, text);
}

void line_grant(struct buffer *out, const struct grant *grant)
{
	rights_write(out, grant->rights);
	buffer_add_byte(out, ' ');
	line_text(out, grant->path ? grant->path : "", &grant->origin);
}

/* A value in which a blank ends the first of two paths. */
static void add_path_without_blanks(struct buffer *out, const char *path)
{
	scoped_buffer escaped = {0};

	escape_value(&escaped, path);
	for (const char *at = buffer_text(&escaped); *at; at++) {
		if (*at == ' ')
			buffer_add_text(out, "\\x20");
		else
			buffer_add_byte(out, *at);
	}
}

void line_move(struct buffer *out, const struct move *move)
{
	scoped_buffer text = {0};

	add_path_without_blanks(&text, move->from);
	buffer_add_text(&text, move->directory && move->from[1] ? "/ " : " ");
	add_path_without_blanks(&text, move->to);
	buffer_add_text(out, has_spelling(&move->origin, text.data) ? move->origin.written : text.data);
}

void line_port(struct buffer *out, const struct port_grant *grant)
{
	rights_write(out, grant->rights);
	if (grant->port == PORT_ANY)
		buffer_add_text(out, " any");
	else
		buffer_format(out, " %d", grant->port);
}

const char *environment_action_name(enum environment_action action)
{
	static const char *const names[] = {
		[ENVIRONMENT_KEEP] = "keep",
		[ENVIRONMENT_SET] = "set",
		[ENVIRONMENT_UNSET] = "unset",
	};

	return names[action];
}

void line_environment(struct buffer *out, const struct environment_line *line)
{
	scoped_buffer text = {0};

	buffer_add_text(&text, line->name);
	if (line->action == ENVIRONMENT_SET) {
		buffer_add_byte(&text, '=');
		buffer_add_text(&text, line->value ? line->value : "");
	}
	line_text(out, buffer_text(&text), &line->origin);
}

void line_word(struct buffer *out, const struct word *word)
{
	line_text(out, word->text, &word->origin);
}

/*
 * Length of what must not be cut at text: an escape, a `${VARIABLE}` or a character, with the blanks that follow it,
 * for a reader drops those at the beginning of a line.
 */
static size_t piece_length(const char *text)
{
	unsigned code_point;
	size_t length = utf8_sequence(text, &code_point);
	const char *close = text[0] == '$' && text[1] == '{' ? strchr(text, '}') : NULL;

	if (close)
		length = (size_t)(close - text) + 1;
	else if (*text == '\\')
		length = strnlen(text, text[1] == 'x' ? 4 : 2);
	else if (length == 0)
		length = 1;
	return length + strspn(text + length, " ");
}

void line_write(struct buffer *out, const char *key, const char *value)
{
	size_t column = strlen(key) + strlen(" = "), whole = strlen(value);

	buffer_add_text(out, key);
	buffer_add_text(out, *value ? " = " : " =");
	if (column + whole <= INI_LINE_BYTES) {
		buffer_add(out, value, whole);
		value += whole;
	}
	while (*value) {
		size_t length = piece_length(value);
		size_t backslash = value[length] ? 1 : 0; /* room for one if more may follow below */

		if (column + length + backslash > INI_LINE_BYTES) {
			buffer_add_text(out, "\\\n" INDENT);
			column = strlen(INDENT);
		}
		buffer_add(out, value, length);
		column += length;
		value += length;
	}
	buffer_add_byte(out, '\n');
}
