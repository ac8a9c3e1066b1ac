#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "base/cleanup.h"
#include "base/memory.h"
#include "profile/merge_parts.h"

#define DIVIDER ";\n"

struct paragraphs {
	char **texts;
	size_t count, capacity;
};

static void add_paragraph(struct paragraphs *paragraphs, struct buffer *text)
{
	if (text->length)
		*ARRAY_APPEND(paragraphs->texts, paragraphs->count, paragraphs->capacity) = buffer_steal(text);
}

static void divide(struct paragraphs *paragraphs, const char *comment)
{
	scoped_buffer text = {0};

	while (*comment) {
		size_t length = strcspn(comment, "\n");

		length += comment[length] == '\n';
		if (length == strlen(DIVIDER) && !strncmp(comment, DIVIDER, length))
			add_paragraph(paragraphs, &text);
		else
			buffer_add(&text, comment, length);
		comment += length;
	}
	add_paragraph(paragraphs, &text);
}

static int compare_texts(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

void merge_comment(char **into, const char *from)
{
	struct paragraphs paragraphs = {0};
	scoped_buffer text = {0};

	if (!from || (*into && !strcmp(*into, from)))
		return;
	if (!*into) {
		*into = duplicate(from);
		return;
	}
	divide(&paragraphs, *into);
	divide(&paragraphs, from);
	if (paragraphs.count)
		qsort(paragraphs.texts, paragraphs.count, sizeof *paragraphs.texts, compare_texts);
	for (size_t i = 0; i < paragraphs.count; i++)
		if (!i || strcmp(paragraphs.texts[i], paragraphs.texts[i - 1]) != 0)
			buffer_format(&text, "%s%s", text.length ? DIVIDER : "", paragraphs.texts[i]);
	for (size_t i = 0; i < paragraphs.count; i++)
		free(paragraphs.texts[i]);
	free(paragraphs.texts);
	free(*into);
	*into = buffer_steal(&text);
}

/* A spelling with variables is worth more than none, and of several the first by bytes. */
void merge_origin(struct origin *into, const struct origin *from)
{
	merge_comment(&into->comment, from->comment);
	if (from->written && (!into->written || strcmp(from->written, into->written) < 0))
		origin_spell(into, from->written, from->meaning);
	if (!into->line || (from->line && from->line < into->line))
		into->line = from->line;
}
