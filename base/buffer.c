#include "base/buffer.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

char *buffer_extend(struct buffer *buffer, size_t length)
{
	if (buffer->capacity - buffer->length <= length) {
		buffer->capacity = (buffer->length + length + 32) * 2;
		buffer->data = reallocate(buffer->data, buffer->capacity);
	}
	buffer->length += length;
	buffer->data[buffer->length] = '\0';
	return buffer->data + buffer->length - length;
}

void buffer_shorten(struct buffer *buffer, size_t length)
{
	buffer->length -= length;
	buffer->data[buffer->length] = '\0';
}

void buffer_add(struct buffer *buffer, const char *bytes, size_t length)
{
	char *room = buffer_extend(buffer, length);

	if (length)
		memcpy(room, bytes, length);
}

void buffer_add_text(struct buffer *buffer, const char *text)
{
	buffer_add(buffer, text, strlen(text));
}

void buffer_add_byte(struct buffer *buffer, char byte)
{
	*buffer_extend(buffer, 1) = byte;
}

void buffer_format(struct buffer *buffer, const char *format, ...)
{
	va_list arguments;
	char *text;

	va_start(arguments, format);
	text = format_text_list(format, arguments);
	va_end(arguments);
	buffer_add_text(buffer, text);
	free(text);
}

void buffer_clear(struct buffer *buffer)
{
	buffer->length = 0;
	if (buffer->data)
		buffer->data[0] = '\0';
}

char *buffer_steal(struct buffer *buffer)
{
	char *text = buffer->data ? buffer->data : duplicate("");

	*buffer = (struct buffer){0};
	return text;
}

const char *buffer_text(const struct buffer *buffer)
{
	return buffer->data ? buffer->data : "";
}

void buffer_finish(struct buffer *buffer)
{
	free(buffer->data);
	*buffer = (struct buffer){0};
}
