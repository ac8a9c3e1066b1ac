/*
 * The changes to a call that keep us invisible, or that refuse it. Linux 6.16 can do so on
 * every architecture (PTRACE_SET_SYSCALL_INFO); before, on x86-64.
 */
#pragma once

#include "tracer/event.h"

/* At its entry. The call is not made and fails with ENOSYS: what a filter's RET_TRACE means where nobody traces.
 * -errno. */
int rewrite_skip(const struct event *event);

/* At the exit stop of what was skipped: it failed with this errno instead. -errno. */
int rewrite_result(const struct event *event, int error);

/* At its entry. Takes CLONE_UNTRACED away: the child has our filter and would get ENOSYS for every call that it stops.
 * -errno. */
int rewrite_clone(const struct event *event);
