/* Which tasks of the session run now, as /proc tells. */
#pragma once

#include "tracer/session.h"

/*
 * How many beside this one (NULL for none) run, or have stopped with a status that was not taken yet: counted up to
 * `enough`. Where there are very many tasks none is asked, and it is `enough`.
 */
unsigned running_beside(const struct session *session, const struct task *task, unsigned enough);

/* Where it ran last; -1 when that cannot be told. */
int running_processor(const struct task *task);
