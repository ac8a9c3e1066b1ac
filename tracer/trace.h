/*
 * A traced session: starts a program, follows every task that comes of it, and reports what they did as accesses.
 * The one entry to this room for trace-learn and trace-run -e.
 */
#pragma once

#include <stdbool.h>
#include <sys/types.h>

#include "base/error.h"
#include "profile/access.h"

struct stack_moment; /* tracer/stack_moment.h */

enum trace_calls {
	TRACE_CALLS_ALL,      /* every call that names a path */
	TRACE_CALLS_ENFORCED, /* only what Landlock may be asked for */
};

enum trace_colocate {
	TRACE_COLOCATE_AUTO, /* tool and task share a processor where that is faster */
	TRACE_COLOCATE_NEVER,
};

struct trace_program {
	/* Both run in the child, attached and before the filter; 0 or -errno with err set, reported as the session's.
	 */
	int (*prepare)(void *data, struct error *err);
	/* Executes; returns only on failure. */
	int (*execute)(void *data, struct error *err);
	void *data;
	/*
	 * Makes the process that the program starts in: it calls begin(birth), which does not return. It may be the
	 * child of a child of ours, and there must be somebody to reap it. Its id, or -errno. NULL: a child of ours.
	 */
	pid_t (*make)(void *data, void (*begin)(void *birth), void *birth, struct error *err);
};

/* A step in the life of a process (threads are not told). */
struct trace_process {
	enum { PROCESS_FORKED, PROCESS_EXECUTED, PROCESS_ENDED } step;
	pid_t pid;
	pid_t tid;
	pid_t parent;	   /* FORKED, EXECUTED */
	const char *image; /* that it runs from now on, or ran until its end; NULL when unknown */
	int status;	   /* ENDED: wait status */
};

/* How urgent it is to write what was kept back. */
enum trace_due {
	TRACE_DUE_NOT,
	TRACE_DUE_SOON, /* some of it has waited long enough */
	TRACE_DUE_NOW,	/* the tool may end before the next chance */
};

struct trace_observer {
	void (*access)(void *data, const struct access *access, pid_t pid, pid_t tid);
	/* Something that the user should know; each distinct text once. */
	void (*notice)(void *data, const char *text);
	/* Something that can make a confined run differ: makes the profile incomplete; each distinct text once. */
	void (*incomplete)(void *data, const char *reason);
	void *data;
	/*
	 * With options.confined: a process of this image (may be NULL) died of a signal, and left no core, though its
	 * limit allows one. No call was made and no answer given; it would lie in `directory` ("": that cannot be
	 * told).
	 */
	void (*no_core)(void *data, const char *image, const char *directory);
	/* The program is about to be executed, and can be traced. May be NULL. */
	void (*begin)(void *data);
	/* May be NULL. */
	void (*process)(void *data, const struct trace_process *process);
	/*
	 * Nothing is to be done until a task stops again: what was kept back can be written. Returns whether something
	 * is kept back; then it is soon due. May be NULL.
	 */
	bool (*idle)(void *data, enum trace_due due);
	/*
	 * With options.stacks: what is told from now on happened at this moment, since the task does not stand there
	 * any more (exec); NULL: each access at its own stop again. May be NULL.
	 */
	void (*stood)(void *data, struct stack_moment *moment);
	/*
	 * Of an ACCESS_CREATE that is about to happen: whether its failure would add nothing, whatever it is for, but
	 * where the directory is missing. Then its exit may not be waited for, and it is told of at the next stop if it
	 * succeeded, or as ACCESS_MISSING. access: NULL: of any. has_made: NULL: each is to be waited for.
	 */
	bool (*has_made)(void *data, const struct access *access);
};

struct trace_options {
	enum trace_calls calls;
	enum trace_colocate colocate;
	unsigned timeout; /* seconds, 0 for none */
	bool proc_all;	  /* entries of other processes count as /proc as a whole */
	bool keep_links;  /* tell links in system directories by their names too (access->link) */
	/*
	 * The program is under a profile: EACCES, and what else Landlock answers, may be its refusal, so it counts as
	 * asked and is reported. With every_call.
	 */
	bool confined;
	/*
	 * Filters of the runner's answer before one of ours could, so every call stops, at its entry and at its exit,
	 * and what they always refuse is told.
	 */
	bool every_call;
	/*
	 * The program has a filter that makes what no profile allows stop with FILTER_MARK_REFUSED: it is refused here,
	 * and told. Not with every_call.
	 */
	bool refuses;
	bool allow_rings; /* io_uring works, and what goes through it is not seen */
	bool unbound;	  /* no Landlock domain keeps the program from mounting and from other processes */
	bool stacks;	  /* observer.stood is told */
	bool absent;	  /* what access(2) misses is told with TRACE_CALLS_ENFORCED too */
	/*
	 * Somebody keeps what needs no grant: names that are only looked at (with TRACE_CALLS_ALL) and changes of
	 * metadata are told too. Else most of them do not stop.
	 */
	bool looks;
};

struct trace_result {
	bool executed;	    /* the program was executed; if not, it has no status of its own */
	int exec_error;	    /* errno of the exec that failed, 0 otherwise */
	char *exec_message; /* with its text, which the caller frees */
	int status;	    /* wait status of the program, or of the child that a signal killed before the exec */
	bool timed_out;
	int interrupted; /* INT or TERM that was sent to us alone and ended the session; 0 for none */
};

/*
 * Returns 0 when the program was started or its exec failed (see the result); -errno with the cause and the remedy when
 * tracing is not possible. Nothing of the session is left running when it returns: what outlives the program is
 * followed for five seconds, then ended. From the start on we are not dumpable.
 *
 * On return the signals that it caught are blocked (all that would end us but SIGQUIT), so that what was learned can be
 * written down.
 */
int trace_session(const struct trace_options *options, const struct trace_program *program,
		  const struct trace_observer *observer, struct trace_result *result, struct error *err);
