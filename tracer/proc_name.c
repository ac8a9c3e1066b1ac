#include "tracer/proc_name.h"

#include "base/digits.h"

#define ENTRY_MAX 32

/* At most `size` bytes; returns where it ends. */
static char *add_text(char *at, const char *text, size_t size)
{
	while (*text && size--)
		*at++ = *text++;
	*at = '\0';
	return at;
}

static char *add_number(char *at, int number)
{
	char digits[DIGITS_SIZE];

	return add_text(at, digits_of(digits, number), sizeof digits);
}

const char *proc_name(char name[PROC_NAME_SIZE], pid_t id, const char *entry)
{
	char *at = add_number(add_text(name, "/proc/", ENTRY_MAX), id);

	add_text(add_text(at, "/", 1), entry, ENTRY_MAX);
	return name;
}

const char *proc_name_fd(char name[PROC_NAME_SIZE], pid_t id, int fd)
{
	char *at = add_number(add_text(name, "/proc/", ENTRY_MAX), id);

	add_number(add_text(at, "/fd/", ENTRY_MAX), fd);
	return name;
}

const char *proc_name_own_fd(char name[PROC_NAME_SIZE], int fd)
{
	add_number(add_text(name, "/proc/self/fd/", ENTRY_MAX), fd);
	return name;
}
