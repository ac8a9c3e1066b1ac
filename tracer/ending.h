/*
 * How a session ends. What outlives the program cannot be let go: it has the filter, and without a tracer each call
 * that the filter stops would fail with ENOSYS. So it is followed for LINGER, then it gets TERM, then KILL. The same
 * steps serve --timeout, and INT or TERM sent to us.
 */
#pragma once

#include "tracer/session.h"

/* Sets the session's clock going. */
void ending_begin(struct session *session);

/* Somebody wants the session to end: INT or TERM sent to us (the program has got it), or ^C when it has ended. */
void ending_asked(struct session *session, int signal);

/* It was not meant for us: all of the process group got it. */
void ending_not_asked(struct session *session);

/* The program has ended; others may be left. */
void ending_program_ended(struct session *session);

/* A task that was not followed before: killed at once when all the others were. */
void ending_new_task(const struct session *session, const struct task *task);

/* Kills all that is followed. */
void ending_kill(struct session *session);

/* Does what is due, and returns when to look again (clock_now()), 0 for never. */
uint64_t ending_look(struct session *session);
