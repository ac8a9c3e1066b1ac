/* Which tasks of the session run now, as /proc tells. */
#pragma once

#include "tracer/session.h"

/*
 * Whether any beside this one runs, or has stopped with a status that was not taken yet. Where there are very many
 * tasks none is asked, and one does.
 */
bool running_beside(const struct session *session, const struct task *task);

/* Whether it waits for something. */
bool running_sleeps(const struct task *task);

/* Whether it waits for what it made: wait4(2) or waitid(2), not poll(2) or a pipe. */
bool running_waits_for_child(const struct task *task);

/* Where it ran last; -1 when that cannot be told. */
int running_processor(const struct task *task);
