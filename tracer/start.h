/* The child's way from fork to exec: attached first, then prepared, then under the filter. */
#pragma once

#include "tracer/session.h"

/*
 * Makes the child and attaches to it, then lets it go on. The child changes nothing of what it inherits but what
 * `program` does, so the program starts with our mask, dispositions, descriptors, process group and terminal. -errno
 * with the cause and the remedy when it cannot be traced; then nothing of it is left.
 */
int start_program(struct session *session, const struct trace_program *program, struct error *err);

/*
 * At an entry before the child's probe was heard: if this is the probe, tells the child. A child that is not told gives
 * up instead of executing the program: its calls would not be seen.
 */
void start_hear(struct session *session, const struct event *event);

/*
 * Where every call is to stop: whether this signal is the child's own, by which it says that it is prepared. It is not
 * delivered.
 */
bool start_is_ready(struct session *session, int signal);

/* At the program's exec: closes the connection to the child. */
void start_executed(struct session *session);

/*
 * The child ended before it executed. Returns 0 when the exec failed (result.exec_error) or a signal killed the child;
 * -errno with what the child had to say.
 */
int start_failed(struct session *session, struct error *err);
