/*
 * What the user reads on stderr. Each call is one line and one write(2), begins with the command's name, and goes
 * through escape_display() as a whole, so no name from outside can steer the terminal or fake a second line.
 * Only *_main.c files and what they call to report use this; the rest returns errors.
 */
#pragma once

#include <stdarg.h>
#include <stdio.h>

#include "base/error.h"

enum message_level {
	MESSAGE_QUIET,	 /* -q: errors and warnings only */
	MESSAGE_USUAL,	 /* notices too */
	MESSAGE_VERBOSE, /* -v: details too */
};

/* name: of the command, kept by pointer; trouble: its status for that, for out_of_memory(). */
void message_init(const char *name, int trouble);
void message_set_level(enum message_level level);

void message(const char *format, ...) __attribute__((format(printf, 1, 2)));	     /* always */
void message_warning(const char *format, ...) __attribute__((format(printf, 1, 2))); /* always, "warning: " */
void message_notice(const char *format, ...) __attribute__((format(printf, 1, 2)));  /* unless quiet */
void message_detail(const char *format, ...) __attribute__((format(printf, 1, 2)));  /* only when verbose */
void message_error(const struct error *err);

/* One line of output (show, diff, --print): the same escaping, no name in front. */
void print_line(FILE *out, const char *format, ...) __attribute__((format(printf, 2, 3)));
