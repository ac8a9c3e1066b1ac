#include "base/memory.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

static const char *command_name = "trace-learn";
static int end_status = 125;

void out_of_memory_as(const char *command, int status)
{
	command_name = command;
	end_status = status;
}

_Noreturn void out_of_memory(void)
{
	static const char text[] = ": out of memory\n";
	const struct iovec line[] = {{(void *)command_name, strlen(command_name)}, {(void *)text, sizeof text - 1}};
	ssize_t written = writev(STDERR_FILENO, line, ARRAY_LENGTH(line));

	(void)written;
	_exit(end_status);
}

static void *checked(void *memory)
{
	if (!memory)
		out_of_memory();
	return memory;
}

/* What was freed is kept at hand for the next malloc(3) of its size, up to this one; glibc's calloc(3) looks elsewhere.
 */
#define AT_HAND 1024

void *allocate(size_t size)
{
	if (size > AT_HAND)
		return checked(calloc(1, size));
	return memset(checked(malloc(size ? size : 1)), 0, size);
}

void *allocate_array(size_t count, size_t size)
{
	return checked(calloc(count ? count : 1, size ? size : 1));
}

void *reallocate(void *old, size_t size)
{
	return checked(realloc(old, size ? size : 1));
}

char *duplicate(const char *text)
{
	return text ? checked(strdup(text)) : NULL;
}

char *duplicate_bytes(const char *bytes, size_t length)
{
	char *copy = checked(malloc(length + 1));

	if (length)
		memcpy(copy, bytes, length);
	copy[length] = '\0';
	return copy;
}

char *format_text_list(const char *format, va_list arguments)
{
	char *text = NULL;

	if (vasprintf(&text, format, arguments) < 0)
		out_of_memory();
	return text;
}

char *format_text(const char *format, ...)
{
	va_list arguments;
	char *text;

	va_start(arguments, format);
	text = format_text_list(format, arguments);
	va_end(arguments);
	return text;
}

ssize_t get_line(char **line, size_t *size, FILE *file)
{
	ssize_t length;

	errno = 0;
	length = getline(line, size, file);
	if (length < 0 && errno == ENOMEM)
		out_of_memory();
	return length;
}

void *array_enlarge(void *items, size_t *capacity, size_t size)
{
	size_t bytes;

	*capacity = *capacity ? *capacity * 2 : 8;
	if (__builtin_mul_overflow(*capacity, size, &bytes))
		out_of_memory();
	return reallocate(items, bytes);
}
