/* Steps in the lives of processes, for the observer. */
#pragma once

#include "tracer/session.h"

/* Told once. `made` may be a thread of the same process: then there is nothing to tell. */
void process_forked(const struct session *session, const struct task *task, struct task *made);
/* Its image is the new one already. */
void process_executed(const struct session *session, const struct task *task);
/* A signal is delivered to the task; 0 for none. */
void process_signalled(struct session *session, const struct task *task, int signal);
/* The task that leads a process ends last. */
void process_ended(const struct session *session, const struct task *task, int status);
