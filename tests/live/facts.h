/*
 * For tests of what the kernel does (not of our code): an attempt is made in a fresh directory, by a child of its own,
 * once without a domain (the control) and then under Landlock rules that are varied right by right.
 *
 * The directory holds: f (a file), d/ with d/f, e/ (empty), l (a link to f), p (a copy of a program that exits with 0),
 * s (a script with #!, that does the same), t (executable text without #!).
 */
#pragma once

#include <criterion/criterion.h>

#include "profile/rights.h"

struct rule {
	const char *path; /* relative to the directory, or absolute */
	rights_t rights;
	bool given; /* not part of the claim: never taken away */
};
#define ON(path, rights)                                                                                               \
	{                                                                                                              \
		path, rights, false                                                                                    \
	}
#define GIVEN(path, rights)                                                                                            \
	{                                                                                                              \
		path, rights, true                                                                                     \
	}
#define MOST_RULES 12
#define RULES(...) ((const struct rule[MOST_RULES + 1]){__VA_ARGS__}) /* ends with one without a path */

typedef int attempt_fn(void); /* 0 or errno */

/*
 * Claims that the attempt ends in `result` without a domain, and in one that handles every file right and has these
 * rules, but in `denied` as soon as one right of one rule is missing. Without rules: that it is never asked for. Rights
 * that this kernel does not know count as not there.
 */
void needs(attempt_fn *attempt, int result, int denied, const struct rule *rules);

/* What the attempt gives under these rules; NULL: without a domain. */
int attempt_under(attempt_fn *attempt, const struct rule *rules);

/* Restricts this process to the rules: every file right that the kernel knows is handled. */
void restrict_to(const struct rule *rules);

int kernel_abi(void);

/* The dynamic loader of this program: the canonical name. */
const char *loader(void);

/* What the loader needs for p to run, besides its own rights: libraries and their cache. */
#define LIBRARIES                                                                                                      \
	GIVEN("/usr", RIGHT_READ_FILE | RIGHT_READ_DIR), GIVEN("/lib", RIGHT_READ_FILE | RIGHT_READ_DIR),              \
		GIVEN("/etc", RIGHT_READ_FILE)

#define ATTEMPT(name, expression)                                                                                      \
	static int name(void)                                                                                          \
	{                                                                                                              \
		return (expression) < 0 ? errno : 0;                                                                   \
	}

/* One fact: the expression is >= 0 exactly when these rights are there, else -1 with errno `denied`. */
#define NEEDS(suite, test, expression, denied, ...)                                                                    \
	ATTEMPT(suite##_##test, expression)                                                                            \
	Test(suite, test)                                                                                              \
	{                                                                                                              \
		needs(suite##_##test, 0, denied, RULES(__VA_ARGS__));                                                  \
	}

/* One fact: the expression fails with `error`, whatever the rules. */
#define FAILS_FIRST(suite, test, expression, error)                                                                    \
	ATTEMPT(suite##_##test, expression)                                                                            \
	Test(suite, test)                                                                                              \
	{                                                                                                              \
		needs(suite##_##test, error, 0, RULES());                                                              \
	}

/* One fact: the expression fails with `error`, but with EACCES when these rights are missing. */
#define CHECKED_FIRST(suite, test, expression, error, ...)                                                             \
	ATTEMPT(suite##_##test, expression)                                                                            \
	Test(suite, test)                                                                                              \
	{                                                                                                              \
		needs(suite##_##test, error, EACCES, RULES(__VA_ARGS__));                                              \
	}
