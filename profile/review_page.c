#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/escape.h"
#include "base/memory.h"
#include "profile/review_talk.h"

static unsigned columns_of(const struct talk *talk)
{
	unsigned columns, rows;

	terminal_size(talk->terminal, &columns, &rows);
	return columns;
}

static void add_line(struct page *page, enum style style, size_t indent, const char *text)
{
	scoped_buffer line = {0};

	output_pad(&line, "", indent);
	output_add(&line, page->talk->colour, style, text);
	*ARRAY_APPEND(page->lines, page->count, page->capacity) = buffer_steal(&line);
}

/* Length of the beginning of text that has room; at least its first word. */
static size_t fitting_length(const char *text, size_t room)
{
	size_t length = strcspn(text, " ");

	while (text[length]) {
		size_t next = length + strspn(text + length, " ");
		scoped_free char *longer = NULL;

		next += strcspn(text + next, " ");
		longer = duplicate_bytes(text, next);
		if (output_width(longer) > room)
			break;
		length = next;
	}
	return length;
}

/* Escaped first: what is cut must be what is seen. */
void page_add(struct page *page, enum style style, size_t indent, const char *format, ...)
{
	size_t columns = columns_of(page->talk), begin = 0;
	scoped_free char *text = NULL;
	scoped_buffer escaped = {0};
	va_list arguments;

	va_start(arguments, format);
	text = format_text_list(format, arguments);
	va_end(arguments);
	escape_display(&escaped, text);
	for (const char *at = buffer_text(&escaped);;) {
		size_t blanks = strspn(at, " ");
		size_t length =
			blanks + fitting_length(at + blanks, columns > begin + blanks ? columns - begin - blanks : 1);
		scoped_free char *piece = duplicate_bytes(at, length);

		add_line(page, style, begin, piece);
		at += length + strspn(at + length, " ");
		if (!*at)
			return;
		begin = columns > indent * 2 ? indent : 0;
	}
}

void page_add_output(struct page *page, char *output)
{
	char *rest = output;

	for (const char *line = strsep(&rest, "\n"); line; line = strsep(&rest, "\n"))
		if (rest || *line)
			*ARRAY_APPEND(page->lines, page->count, page->capacity) = duplicate(line);
}

/* Rows that a line takes; its colours take none. */
static unsigned rows_of(const char *line, unsigned columns)
{
	size_t width = 0;

	for (; *line; line++)
		if (*line == '\033')
			line += strcspn(line, "m");
		else
			width += (*line & 0xc0) != 0x80;
	return width ? (unsigned)((width + columns - 1) / columns) : 1;
}

/* Returns a key, or what ends the dialogue. */
static int ask_for_more(const struct talk *talk)
{
	int key;

	fputs("(more; q: enough)", talk->terminal->out);
	do
		key = terminal_key(talk->terminal);
	while (key == TERMINAL_RESUMED);
	fputs("\r                 \r", talk->terminal->out);
	return key;
}

static bool ends(int key)
{
	return key == TERMINAL_CLOSED || key == TERMINAL_SIGNAL || key == TERMINAL_END_OF_INPUT;
}

int page_show(struct page *page)
{
	unsigned used = 0, columns, rows;
	int key = 0;

	for (size_t i = 0; i < page->count && key != 'q' && !ends(key); i++) {
		terminal_size(page->talk->terminal, &columns, &rows);
		used += rows_of(page->lines[i], columns);
		if (rows > 2 && used > rows - 1 && i) {
			key = ask_for_more(page->talk);
			used = rows_of(page->lines[i], columns);
		}
		if (key != 'q' && !ends(key))
			fprintf(page->talk->terminal->out, "%s\n", page->lines[i]);
	}
	for (size_t i = 0; i < page->count; i++)
		free(page->lines[i]);
	free(page->lines);
	*page = (struct page){.talk = page->talk};
	return ends(key) ? key : 0;
}
