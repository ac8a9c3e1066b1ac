#include "base/message.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/escape.h"
#include "base/memory.h"

static const char *command_name = "trace-learn";
static enum message_level message_level = MESSAGE_USUAL;

void message_init(const char *name, int trouble)
{
	command_name = name;
	out_of_memory_as(name, trouble);
}

void message_set_level(enum message_level level)
{
	message_level = level;
}

static void write_all(const char *text, size_t length)
{
	while (length) {
		ssize_t written = write(STDERR_FILENO, text, length);

		if (written < 0 && errno == EINTR)
			continue;
		if (written <= 0)
			return; /* nowhere left to say it */
		text += written;
		length -= (size_t)written;
	}
}

__attribute__((format(printf, 2, 0))) static void print_message(const char *kind, const char *format, va_list arguments)
{
	char *text = format_text_list(format, arguments);
	scoped_buffer line = {0};

	buffer_format(&line, "%s: %s", command_name, kind);
	escape_display(&line, text);
	buffer_add_byte(&line, '\n');
	free(text);
	write_all(line.data, line.length);
}

#define PRINT_MESSAGE(condition, kind, format)                                                                         \
	do {                                                                                                           \
		va_list arguments;                                                                                     \
		if (!(condition))                                                                                      \
			return;                                                                                        \
		va_start(arguments, format);                                                                           \
		print_message(kind, format, arguments);                                                                \
		va_end(arguments);                                                                                     \
	} while (0)

void message(const char *format, ...)
{
	PRINT_MESSAGE(true, "", format);
}

void message_warning(const char *format, ...)
{
	PRINT_MESSAGE(true, "warning: ", format);
}

void message_notice(const char *format, ...)
{
	PRINT_MESSAGE(message_level >= MESSAGE_USUAL, "", format);
}

void message_detail(const char *format, ...)
{
	PRINT_MESSAGE(message_level >= MESSAGE_VERBOSE, "", format);
}

void message_error(const struct error *err)
{
	message("%s", err->message ? err->message : "unknown error");
}

void print_line(FILE *out, const char *format, ...)
{
	scoped_buffer line = {0};
	va_list arguments;
	char *text;

	va_start(arguments, format);
	text = format_text_list(format, arguments);
	va_end(arguments);
	escape_display(&line, text);
	buffer_add_byte(&line, '\n');
	free(text);
	fwrite(line.data, 1, line.length, out);
}
