#include "base/error.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

static void set_message(struct error *err, int number, char *message)
{
	free(err->message);
	err->number = number ? number : EINVAL;
	err->message = message;
}

int error_set(struct error *err, int number, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	set_message(err, number, format_text_list(format, arguments));
	va_end(arguments);
	return -err->number;
}

int error_set_errno(struct error *err, int number, const char *format, ...)
{
	va_list arguments;
	char *text;

	va_start(arguments, format);
	text = format_text_list(format, arguments);
	va_end(arguments);
	set_message(err, number, format_text("%s: %s", text, strerror(number)));
	free(text);
	return -err->number;
}

int error_context(struct error *err, const char *format, ...)
{
	va_list arguments;
	char *context;

	va_start(arguments, format);
	context = format_text_list(format, arguments);
	va_end(arguments);
	set_message(err, err->number, format_text("%s: %s", context, err->message ? err->message : ""));
	free(context);
	return -err->number;
}

void error_finish(struct error *err)
{
	free(err->message);
	*err = (struct error){0};
}
