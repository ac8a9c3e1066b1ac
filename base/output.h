/*
 * What a command prints on stdout for people: colour, columns, and whether it got there. Text goes through
 * escape_display(); only the colours are ours.
 */
#pragma once

#include <stdbool.h>
#include <stdio.h>

#include "base/buffer.h"
#include "base/error.h"

enum style { STYLE_PLAIN, STYLE_BOLD, STYLE_DIM, STYLE_GREEN, STYLE_YELLOW, STYLE_RED };

/* Colour is for a terminal, and only while NO_COLOR is unset or empty (no-color.org). */
bool output_has_colour(FILE *out);

/* Appends text, escaped, in that style where there is colour. */
void output_add(struct buffer *line, bool colour, enum style style, const char *text);
/* Appends blanks for text that takes less than `width` columns. */
void output_pad(struct buffer *line, const char *text, size_t width);
/* Columns that text takes once it is escaped: one for each character. */
size_t output_width(const char *text);
/* Writes the line as it is, with a newline and without blanks at its end, and empties it. */
void output_line(FILE *out, struct buffer *line);

/* Flushes; -errno with err set when something did not get there (a full disk, a closed descriptor). */
int output_finish(FILE *out, struct error *err);
