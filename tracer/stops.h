/* What is done when a task has stopped or ended. Private to the loop (trace.c). */
#pragma once

#include "tracer/session.h"

/*
 * Handles task->status: asks the kernel what the stop is, lets decoder and jobs do their part, and resumes the task.
 * The task may be gone, or be another one, when it returns.
 */
void stops_handle(struct session *session, struct task *task);
