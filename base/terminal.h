/*
 * A dialogue on the controlling terminal, by single keys. Whatever standard input and output are, and however the
 * dialogue ends, the terminal is afterwards as it was found: also while it is stopped (^Z), and after a signal that is
 * to end the program.
 *
 * One dialogue at a time: a signal handler knows no other place than the file's own variables.
 */
#pragma once

#include <signal.h>
#include <stdio.h>
#include <termios.h>

#include "base/error.h"

struct terminal {
	FILE *out; /* where to write; what it says is flushed before a key is waited for */
	int fd;
	struct termios found;
	sigset_t mask; /* of signals, as it was found */
	int signal;    /* which one is to end the program, once TERMINAL_SIGNAL was returned */
};
#define TERMINAL_NONE ((struct terminal){.fd = -1})

/* What terminal_key() returns besides a byte. */
enum {
	TERMINAL_CLOSED = -1,	/* it hung up */
	TERMINAL_SIGNAL = -2,	/* INT, TERM, HUP or QUIT came */
	TERMINAL_RESUMED = -3,	/* the program was stopped meanwhile: what stood on the terminal may be gone */
	TERMINAL_SEQUENCE = -4, /* a key that sends more than one byte, such as an arrow */
};
#define TERMINAL_END_OF_INPUT 4 /* the byte of ^D */

/* -ENXIO when there is none. Nothing is changed yet. */
int terminal_open(struct terminal *terminal, struct error *err);

/* From here on keys come at once and unseen, and signals wait until one is asked for. */
void terminal_begin(struct terminal *terminal);

/* The next key. What was typed before the call is thrown away: nobody answers what he has not seen yet. */
int terminal_key(struct terminal *terminal);

/* A line, typed as elsewhere; *line is the caller's. 0, or one of the above with *line NULL. */
int terminal_line(struct terminal *terminal, char **line);

/* Each at least 1; 80 and 24 when the terminal does not say. */
void terminal_size(const struct terminal *terminal, unsigned *columns, unsigned *rows);

/* Gives back what was found. Fine after any of the above, and twice. */
void terminal_finish(struct terminal *terminal);

/* Ends this process by the signal that ended the dialogue. */
_Noreturn void terminal_die(int signal);
