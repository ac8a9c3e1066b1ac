/*
 * The one rule for errors: a function that can fail is `int f(…, struct error *err)`. It returns 0 (or a value >= 0
 * that it documents) on success and -errno on failure; *err is filled exactly when it fails. Callers add context on
 * the way up; only the *_main.c files print and exit. Out of memory ends the program (base/memory.h).
 */
#pragma once

struct error {
	int number;    /* errno value, > 0 once set */
	char *message; /* owned; text from outside in it is escaped when it is printed, not here */
};

/* Sets err to the formatted message; returns -number. A number of 0 counts as EINVAL. */
int error_set(struct error *err, int number, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* Like error_set(), with ": " and the description of the number at the end. */
int error_set_errno(struct error *err, int number, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* Puts "context: " in front of the message of a set err; returns -err->number. */
int error_context(struct error *err, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Frees the message; err may be set again. Fine on a zeroed one. */
void error_finish(struct error *err);

#define scoped_error __attribute__((cleanup(error_finish))) struct error
