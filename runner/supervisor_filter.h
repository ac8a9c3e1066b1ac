/* The two seccomp filters: what the program's tasks ask the supervisor about, and what the supervisor may do itself. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/call_filter.h"
#include "base/error.h"
#include "profile/rights.h"

/* Calls that open. (creat always makes or empties a file.) */
enum open_kind { OPEN_PLAIN, OPEN_AT, OPEN_AT2, OPEN_KINDS };

#define OPEN_ARCHITECTURES 2
struct open_numbers {
	uint32_t architecture; /* AUDIT_ARCH_*, 0 for none */
	int number[OPEN_KINDS];
};

/* Of the architectures that this kernel runs. */
void open_numbers_init(struct open_numbers numbers[OPEN_ARCHITECTURES]);

/*
 * Loads the filter of the program and returns its listener (close on exec); -EBUSY where there is a listener. Asked
 * about is what can be answered where the lines on own entries grant `served` in all (supervisor_rights()).
 */
int filter_load_program(rights_t served, struct error *err);

/* The same filter as code, for a kernel of that architecture (AUDIT_ARCH_*); the caller frees `.filter`. */
struct sock_fprog filter_make_program(rights_t served, uint32_t native);

/* Has each question wake the supervisor at once, on the asking processor; false before Linux 6.6. */
bool filter_wake_synchronously(int listener);

/* Loads the supervisor's own allow-list; anything else kills it. */
extern const struct call_filter filter_of_supervisor;
int filter_load_supervisor(struct error *err);
