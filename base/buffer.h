/* A growing string of bytes; `data` is always NUL-terminated once something was added, NULL before. */
#pragma once

#include <stddef.h>

struct buffer {
	char *data;
	size_t length;
	size_t capacity;
};

/* Makes it longer by so many bytes, which the caller writes: all of them, before the next call. */
char *buffer_extend(struct buffer *buffer, size_t length);
/* Takes so many bytes off its end; it must have them. */
void buffer_shorten(struct buffer *buffer, size_t length);
void buffer_add(struct buffer *buffer, const char *bytes, size_t length);
void buffer_add_text(struct buffer *buffer, const char *text);
void buffer_add_byte(struct buffer *buffer, char byte);
void buffer_format(struct buffer *buffer, const char *format, ...) __attribute__((format(printf, 2, 3)));
void buffer_clear(struct buffer *buffer);	      /* keeps the memory */
char *buffer_steal(struct buffer *buffer);	      /* never NULL; the caller frees; the buffer is empty again */
const char *buffer_text(const struct buffer *buffer); /* "" when empty; valid until the next change */
void buffer_finish(struct buffer *buffer);

#define scoped_buffer __attribute__((cleanup(buffer_finish))) struct buffer
