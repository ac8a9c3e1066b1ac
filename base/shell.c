#include "base/shell.h"

#include <string.h>

#include "base/escape.h"

/* A ~ at the beginning, and a = there in zsh, would mean something. */
static bool is_plain(const char *word)
{
	return *word && *word != '=' &&
	       !word[strspn(word, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789%+,-./:=@_")];
}

/* What would not reach the terminal as it is, or not come back from it. */
static bool is_visible(const char *word)
{
	scoped_buffer shown = {0};

	escape_display(&shown, word);
	return !strcmp(buffer_text(&shown), word);
}

static void add_visible(struct buffer *out, const char *word)
{
	buffer_add_byte(out, '\'');
	for (; *word; word++)
		if (*word == '\'')
			buffer_add_text(out, "'\\''");
		else
			buffer_add_byte(out, *word);
	buffer_add_byte(out, '\'');
}

/* Octal, whose length is fixed: a digit behind it is none of its. */
static void add_invisible(struct buffer *out, const char *word)
{
	buffer_add_text(out, "$'");
	for (; *word; word++)
		if (*word == '\\' || *word == '\'')
			buffer_format(out, "\\%c", *word);
		else if (*word >= ' ' && *word <= '~')
			buffer_add_byte(out, *word);
		else
			buffer_format(out, "\\%03o", (unsigned char)*word);
	buffer_add_byte(out, '\'');
}

void shell_add_quoted(struct buffer *out, const char *word)
{
	if (is_visible(word))
		add_visible(out, word);
	else
		add_invisible(out, word);
}

void shell_add_word(struct buffer *out, const char *word)
{
	if (is_plain(word))
		buffer_add_text(out, word);
	else
		shell_add_quoted(out, word);
}

char *shell_file(const char *name)
{
	scoped_buffer whole = {0}, word = {0};

	buffer_format(&whole, "%s%s", *name == '-' ? "./" : "", name);
	shell_add_word(&word, buffer_text(&whole));
	return buffer_steal(&word);
}
