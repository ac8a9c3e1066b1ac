/*
 * Tasks that were moved beside the tool and given back. What such a task made before, and nobody has heard of yet, has
 * one processor: so until it stops, what turns up may be its child.
 */
#pragma once

#include "tracer/session.h"

/* Gives the task all processors. */
void lend_give_back(struct colocation *colocation, struct task *task);

/* It has stopped since, or ended. */
void lend_end(struct colocation *colocation, struct task *task);

/* Whether the new task may have been born of one of them, and runs where it did. maker: NULL when unknown. */
bool lend_may_have_made(const struct session *session, const struct task *task, const struct task *maker);
