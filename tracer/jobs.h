/*
 * Signals and job control as a good parent does it. The rules:
 *
 * - What the terminal sends (^C, ^\, ^Z, hangup) has reached the program too: the tool ignores its copy. Only a session
 *   leader is hung up alone, and passes it on.
 * - What somebody sends to the tool alone goes on to the program, with its siginfo; INT and TERM also ask the session
 *   to end. What was sent to the whole group with kill(2) has reached the program too: the tool's copy is dropped.
 * - What the session's own processes send to the tool by `kill 0` is dropped, since our parent has got its own; what
 *   they send to the tool alone, as to their parent, goes on to ours.
 * - When the program stops, the tool stops itself by the same signal, so that the shell sees the job stopped; when it
 *   is continued, so is the program. A program that handles SIGTSTP without stopping does not stop the tool. SIGSTOP is
 *   often how a program waits for another one of its own, which needs us: it stops the tool only where a shell with
 *   job control started it.
 */
#pragma once

#include "tracer/session.h"

/* Takes the signals that came. */
void jobs_look(struct session *session);

/* At EVENT_SIGNAL: the signal to inject, 0 for none. Gives a forwarded one the siginfo that it was sent with. */
int jobs_deliver(struct session *session, const struct task *task, int signal);

void jobs_program_stopped(struct session *session, int signal);
void jobs_program_continued(struct session *session);

/* Stops the tool as it was asked to; returns when it was continued. */
void jobs_stop(struct session *session);
