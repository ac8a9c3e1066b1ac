/* The tasks that a session follows: who comes, who goes, and who gets another one's id. */
#pragma once

#include "tracer/session.h"

/* The task that the event of `maker` names, for the first time; NULL when it has ended (task_add_made()). */
struct task *followed_add_made(struct session *session, pid_t tid, const struct task *maker);
void followed_forget(struct session *session, struct task *task);
void followed_forget_all(struct session *session);

/*
 * After an exec by `task`, whose id was `former_tid`: it has the leader's id from now on; leader and other threads are
 * gone, the leader without a status. Returns the task that is left.
 */
struct task *followed_take_over(struct session *session, struct task *task, pid_t former_tid);

/* Queues a wait status. Of a task that is not followed: a new one, unless it has ended (or is a child we had before).
 */
void followed_note(struct session *session, pid_t tid, int status);
