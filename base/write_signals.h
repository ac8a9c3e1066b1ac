/*
 * Signals by which a failed write(2) would end the command: SIGXFSZ (a limit on the size of files), and SIGPIPE (a
 * reader that is gone). Ignored, the write fails instead, and the command can say so. A program that is executed has to
 * get what was there before.
 */
#pragma once

/* SIGXFSZ alone is for commands that are filters: those end with their reader. */
enum write_signals { WRITE_SIGNALS_LIMIT, WRITE_SIGNALS_ALL };

/* Once, at the beginning of main(). */
void write_signals_ignore(enum write_signals which);

/* Around execve(2): as they were, and, when it failed, ignored again. */
void write_signals_restore(void);
void write_signals_ignore_again(void);
