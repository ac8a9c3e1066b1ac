/*
 * Syscalls to accesses. The loop (trace.c) calls these at its stops; what happened goes to the observer. The decoder
 * never resumes, waits or signals: it reads the task's memory, registers by way of the event, and /proc.
 */
#pragma once

#include "tracer/event.h"
#include "tracer/task.h"
#include "tracer/trace.h"

struct decoder;

/* Looks at the tasks while it lives. */
struct decoder *decoder_create(const struct trace_options *options, const struct trace_observer *observer,
			       const struct task_table *tasks);
void decoder_destroy(struct decoder *decoder);

/* At EVENT_SYSCALL_ENTRY. Returns whether the exit stop is needed (then decoder_exit() follows, unless it dies). */
bool decoder_entry(struct decoder *decoder, struct task *task, const struct event *event);
void decoder_exit(struct decoder *decoder, struct task *task, const struct event *event);
/* Before all else at each stop, of whatever kind: tells of a call whose exit was not waited for. */
void decoder_tell_expected(struct decoder *decoder);

/*
 * At EVENT_SYSCALL_ENTRY, with options.refuses, before all else: the errno with which the call is to fail, whatever
 * made it stop; then decoder_exit() follows. 0 where it is not refused.
 */
int decoder_refuses(struct decoder *decoder, struct task *task, const struct event *event);

/* decoder_entry() at EVENT_CALL: of all calls that a program makes, those of the table that a filter would stop. */
bool decoder_call(struct decoder *decoder, struct task *task, const struct event *event);
/* At EVENT_CALL: whether it is for the loop, as what carries FILTER_MARK_CLONE. */
bool decoder_call_clones(const struct decoder *decoder, const struct event *event);

/* From now on descriptors that come from elsewhere may lie on mounts that are not ours. */
void decoder_mounts_differ(struct decoder *decoder);

/* Whether anything was opened that shows what processors a task may use. */
bool decoder_shows_processors(const struct decoder *decoder);

/* At EVENT_EXEC: sets task->image, and reports what the exec needed: binary, script chain, interpreter, loader.
 * The call is over then. */
void decoder_exec(struct decoder *decoder, struct task *task);

/*
 * Whether a process of the session sent this signal to the tool alone, not to a group or all there are, since it takes
 * it for the parent that it would have without us. Yes for each once.
 */
bool decoder_is_for_parent(struct decoder *decoder, pid_t sender, int signal);
/* Once all signals that came were asked about: those whose sender was killed in its call are expected no more. */
void decoder_drop_for_parent(struct decoder *decoder);

/* At the end of a task: releases task->call. */
void decoder_forget(struct decoder *decoder, struct task *task);

/*
 * The seccomp filter that makes the calls of the syscall table stop: loaded into the calling process (no_new_privs or
 * CAP_SYS_ADMIN needed). Everything else passes untouched; calls of an ABI that the table does not know (x32 where the
 * kernel has it) stop as well, so that they can be reported.
 *
 * Its stops carry a mark (SECCOMP_RET_DATA), so the loop can tell them from those of a filter of the program's own.
 */
int filter_load(const struct trace_options *options, struct error *err);
#define FILTER_MARK 0x7472 /* a call of the table: for decoder_entry() */
/* For the loop alone: */
#define FILTER_MARK_CLONE 0x7463 /* clone with CLONE_UNTRACED (in its flags), any clone3 */
#define FILTER_MARK_ASK	  0x7461 /* which processors a task may use */
#define FILTER_MARK_SET	  0x7473 /* the same, to be set */
/* Of the runner's filter, for decoder_refuses(); where the table has the call too, ours is the one that is heard. */
#define FILTER_MARK_REFUSED 0x7272
