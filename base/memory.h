/*
 * Allocation that never returns NULL: out of memory ends the program with one line on stderr. What is returned is the
 * caller's, to be freed with free(3).
 */
#pragma once

#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/types.h>

void *allocate(size_t size);			 /* zeroed */
void *allocate_array(size_t count, size_t size); /* zeroed */
void *reallocate(void *old, size_t size);
char *duplicate(const char *text);			 /* NULL gives NULL */
char *duplicate_bytes(const char *bytes, size_t length); /* adds a NUL */
char *format_text(const char *format, ...) __attribute__((format(printf, 1, 2)));
char *format_text_list(const char *format, va_list arguments) __attribute__((format(printf, 1, 0)));
_Noreturn void out_of_memory(void);

/* What it says, and ends with: the command's name (kept by pointer) and its status for trouble; until then 125. */
void out_of_memory_as(const char *command, int status);

/* getline(3), for which want of memory is not the end of the file, as glibc before 2.37 has it. */
ssize_t get_line(char **line, size_t *size, FILE *file);

/* Room for one more in an array kept as (items, count, capacity); the items are not zeroed. */
void *array_enlarge(void *items, size_t *capacity, size_t size);
static inline void *array_room(void *items, size_t count, size_t *capacity, size_t size)
{
	return count < *capacity ? items : array_enlarge(items, capacity, size);
}
#define ARRAY_APPEND(items, count, capacity)                                                                           \
	((items) = array_room((items), (count), &(capacity), sizeof *(items)), &(items)[(count)++])

/* Of a large local array that is written before it is read, on a way that is gone often: it need not be cleared first.
 */
#if defined __has_attribute
#if __has_attribute(uninitialized)
#define UNCLEARED __attribute__((uninitialized))
#endif
#endif
#ifndef UNCLEARED
#define UNCLEARED
#endif

#define ARRAY_LENGTH(array) (sizeof(array) / sizeof *(array))
