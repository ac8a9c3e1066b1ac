#include "base/output.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/escape.h"

static const char *const style_codes[] = {
	[STYLE_PLAIN] = "",	    [STYLE_BOLD] = "\033[1m",	 [STYLE_DIM] = "\033[2m",
	[STYLE_GREEN] = "\033[32m", [STYLE_YELLOW] = "\033[33m", [STYLE_RED] = "\033[1;31m",
};

bool output_has_colour(FILE *out)
{
	const char *no_colour = getenv("NO_COLOR");

	return isatty(fileno(out)) && (!no_colour || !*no_colour);
}

void output_add(struct buffer *line, bool colour, enum style style, const char *text)
{
	bool styled = colour && style != STYLE_PLAIN;

	if (styled)
		buffer_add_text(line, style_codes[style]);
	escape_display(line, text);
	if (styled)
		buffer_add_text(line, "\033[0m");
}

size_t output_width(const char *text)
{
	scoped_buffer escaped = {0};
	size_t width = 0;

	escape_display(&escaped, text);
	for (const char *at = buffer_text(&escaped); *at; at++)
		width += (*at & 0xc0) != 0x80;
	return width;
}

void output_pad(struct buffer *line, const char *text, size_t width)
{
	for (size_t i = output_width(text); i < width; i++)
		buffer_add_byte(line, ' ');
}

void output_line(FILE *out, struct buffer *line)
{
	size_t length = line->length;

	while (length && line->data[length - 1] == ' ')
		length--;
	fwrite(buffer_text(line), 1, length, out);
	fputc('\n', out);
	buffer_clear(line);
}

int output_finish(FILE *out, struct error *err)
{
	if (fflush(out) == 0 && !ferror(out))
		return 0;
	return error_set_errno(err, errno ? errno : EIO, "writing to standard output");
}
