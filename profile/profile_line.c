#include "profile/profile_line.h"

#include <string.h>

#include "base/escape.h"

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
	buffer_add_text(&text, move->directory ? "/ " : " ");
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
