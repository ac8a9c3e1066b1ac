/*
 * The numbers of system calls by name, on each architecture that is known (base/architecture.h). libseccomp is asked
 * for them by the build (make_call_numbers.c): the number of a name never changes, so no start has to ask.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "base/architecture.h"

#define CALL_NUMBERS_NAME 32  /* bytes of the longest name, and more */
#define CALL_NUMBERS_MOST 640 /* names */

struct call_numbers {
	char name[CALL_NUMBERS_NAME];
	int16_t numbers[ARCHITECTURES]; /* by architecture_index(), without a variant's bit; -1 where it has none */
};

/* All calls, sorted by name (strcmp). */
extern const struct call_numbers call_numbers_table[];
extern const size_t call_numbers_count;

/* NULL where no architecture has a call of that name, or nobody knows its number. */
const struct call_numbers *call_numbers_find(const char *name);

/* The number there, with the bit of a variant; -1 for none. The call may be NULL. */
int call_number(const struct call_numbers *call, uint32_t architecture);
int call_number_of(const char *name, uint32_t architecture);
