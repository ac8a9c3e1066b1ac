/*
 * Processes that wait for what they made, beside the tool as well: once it has ended they go on there, without a
 * wake-up across processors and with what is in that processor's caches. Only one that sleeps for that is brought
 * there: what naps or reads a pipe computes beside its child soon. One that is found awake gets all processors back.
 */
#pragma once

#include "tracer/session.h"

/* The maker of this task, which is the one that was moved. */
void makers_keep(struct session *session, const struct task *task);

/* All of them. */
void makers_give_back(struct session *session);

/* At each tick: those that do not wait are given back. */
void makers_look(struct session *session);

/* The task is none of them any more; its processors stay as they are. */
void makers_drop(struct colocation *colocation, struct task *task);
