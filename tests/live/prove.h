/*
 * Proofs of the kernel's order of checks: a scenario is run natively, under a Landlock domain that denies everything,
 * and traced. Where the domain changes the errno, a grant is needed, and the decoder must say that Landlock was asked;
 * where it does not, none is.
 */
#pragma once

#include <stdio.h>
#include <unistd.h>

#include "tests/live/recording.h"

/* -1 with errno, as a system call. */
typedef long act_fn(void);

/* What the act finds: made before each of its runs, outside of any domain and unseen, in a fresh directory. The process
 * has one thread; it exits with CANNOT_FURNISH where that is so. */
#define CANNOT_FURNISH 77
typedef void furnish_fn(void);

void prove(act_fn *act, furnish_fn *furnish);

/* A test that proves it for one call. */
#define PROVE(suite, furnish, name, call)                                                                              \
	static long name(void)                                                                                         \
	{                                                                                                              \
		return (call);                                                                                         \
	}                                                                                                              \
	Test(suite, name)                                                                                              \
	{                                                                                                              \
		prove(name, furnish);                                                                                  \
	}

/* For furnishing, which runs in a process of its own: that ends when something is not so, with a line. */
#define must(condition)                                                                                                \
	do {                                                                                                           \
		if (!(condition)) {                                                                                    \
			perror(#condition);                                                                            \
			_exit(5);                                                                                      \
		}                                                                                                      \
	} while (0)

/* A file with mode 0755. */
void make_file(const char *name, const char *content);
