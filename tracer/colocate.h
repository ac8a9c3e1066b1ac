/*
 * Tool and task on one processor. A stop costs five times as much when the kernel has to wake the tool on another
 * processor; so a task that stops often, while no other task of the session runs, is moved to where the tool is.
 *
 * The program never sees it. What could tell is a stop: before sched_getaffinity(2) all is given back, for good before
 * the program sets processors or a policy of scheduling itself (a realtime task would keep the tool from running), or
 * once it has opened some /proc/PID/status. A new task, which inherits its maker's processors, gets them back before
 * its first instruction; but where its maker was the one that is moved, the new process is it from then on, and when it
 * has ended its maker again, which has waited for it, in its sleep beside the tool too (makers.h). One that does not
 * stop for a while is given back, and the tool stays where it expects its next stop. Given back is the set of all
 * processors, which the kernel cuts to the task's cpuset, now and when that changes; so nothing is moved where the tool
 * was started with less than all processors of the machine. (Processors that somebody outside sets for a task while it
 * is moved are lost.)
 */
#pragma once

#include "tracer/session.h"

void colocate_begin(struct session *session);

/* At each stop at a call: counts it, and may move the task, which has to be in that stop. */
void colocate_stop(struct session *session, struct task *task);

/* Before a new task runs, or is told of. maker: NULL when unknown. */
void colocate_birth(struct session *session, struct task *task, const struct task *maker);

/* The event that tells of a new task (NULL: it is gone), in place of colocate_birth(). */
void colocate_made(struct session *session, struct task *maker, struct task *made);

/* At the stop of a task that is told of a child's end. */
void colocate_child_ended(struct session *session, struct task *task);

void colocate_give_back(struct session *session);

/* For good. */
void colocate_end(struct session *session);

/* A stop of this task was handled: what it had made before has been given back too. */
void colocate_handled(struct session *session, pid_t tid);

/* The task has ended. */
void colocate_forget(struct session *session, struct task *task);

/* What was moved and has not stopped for a while is given back. */
void colocate_look(struct session *session);
