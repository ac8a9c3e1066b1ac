/*
 * A program under a profile, and under a tracer that says what it was denied (trace-run -e and -n, trace-learn
 * --replay): what the runner, who starts it, and the tracer, who looks, say to each other. Neither room knows the
 * other.
 */
#pragma once

#include <stdbool.h>
#include <sys/types.h>

#include "base/error.h"
#include "profile/access.h"
#include "profile/profile.h"
#include "profile/tiers.h"

/* The audit log of such a run, and what it says of it. All is borrowed. */
struct traced_log {
	const char *name; /* of a file that is not there */
	char *const *arguments;
	const char *program; /* its file */
	const char *tty;     /* name of the controlling terminal, or NULL */
	const struct tiers *tiers;
	int abi;		       /* of Landlock */
	const struct profile *profile; /* that is in force, or looked at */
	const char *profile_name, *profile_hash;
};

/* The callbacks are as struct trace_program and trace_observer (tracer/trace.h) have them. */
struct traced_program {
	bool confined;
	unsigned timeout; /* seconds, 0 for none */
	int (*prepare)(void *data, struct error *err);
	int (*execute)(void *data, struct error *err);
	pid_t (*make)(void *data, void (*begin)(void *birth), void *birth, struct error *err); /* NULL: a child */
	void *data;
	void (*access)(void *observer, const struct access *access, pid_t pid, pid_t tid);
	void (*notice)(void *observer, const char *text);
	void (*incomplete)(void *observer, const char *reason);
	void (*no_core)(void *observer, const char *image, const char *directory);
	void *observer;
	const struct traced_log *log; /* NULL for none */
};

struct traced_end {
	int status; /* wait status; the signal that ended the session, if one was sent to us alone */
	bool timed_out;
	int exec_error;	    /* the exec failed, and nothing has run */
	char *exec_message; /* the caller frees */
};

/* -errno when it could not be traced. */
typedef int trace_fn(const struct traced_program *program, struct traced_end *end, struct error *err);
