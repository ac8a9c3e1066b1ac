/* What the parts of the loop share: one traced session. Private to the loop (trace.c) and its parts. */
#pragma once

#include <signal.h>
#include <stdint.h>

#include "tracer/decode.h"
#include "tracer/poll.h"
#include "tracer/task.h"
#include "tracer/trace.h"

/* A signal that was sent to the tool and is on its way to the program. */
struct forwarded {
	siginfo_t info; /* as the tool got it */
	uint64_t time;	/* when the tool got it */
	bool copy;	/* the program has got it by itself */
};
#define FORWARDED_MAX 32

/* The last signal of its number that the program got from somebody else. */
struct delivered {
	pid_t sender;
	uint64_t time;
};

struct jobs {
	struct forwarded forwarded[FORWARDED_MAX]; /* oldest first */
	size_t forwarded_count;
	struct delivered delivered[_NSIG];
	bool program_stopped; /* in a group stop */
	int stop_signal;      /* the tool is to stop itself with this one, once nothing else is to be done; or 0 */
};

enum ending_phase {
	PHASE_RUNNING,
	PHASE_ASKED,	   /* INT or TERM was forwarded: the program has until the deadline */
	PHASE_LINGERING,   /* the program ended, others run on until the deadline */
	PHASE_TERMINATING, /* all were sent TERM */
	PHASE_KILLING,	   /* all were sent KILL, and new ones are at once */
	PHASE_GIVEN_UP,	   /* even that did not end them: PTRACE_O_EXITKILL is left */
};

struct ending {
	enum ending_phase phase;
	uint64_t deadline; /* of the phase; 0 for none */
	uint64_t timeout;  /* of --timeout; 0 for none */
	uint64_t asked_at; /* when the last INT or TERM came */
	int asked;	   /* the first of them; 0 for none */
};

/* The one task that shares the tool's processor now, and what is known for the next one (colocate.h). */
struct colocation {
	bool on;	    /* tasks may be moved */
	bool used;	    /* one was */
	struct task *moved; /* the one that runs there; NULL for none */
	pid_t quiet;	    /* was given back as it did not stop, and is the next one; 0 for none */
	pid_t bereaved;	    /* process that made the one which was moved and has ended, and is the next; 0 for none */
	bool stays;	    /* the tool keeps to its processor */
	unsigned period;    /* ms after which it looks how that goes; 0: it does not */
	unsigned makers;    /* tasks that wait beside it for what they made */
	unsigned lenders;   /* tasks that were given back and have not stopped since */
	int processor;	    /* the shared one */
	uint64_t moved_at;  /* this and all times: microseconds */
	pid_t last;	    /* that stopped, … */
	unsigned streak;    /* … so often in a row, … */
	uint64_t since;	    /* … from then on */
	uint64_t retry_at;  /* nothing is moved before */
	uint64_t pause;	    /* the next one's length */
	uint64_t stops, seen, taken_at; /* all, those before the last tick, and those before the task was moved */
};

struct session {
	const struct trace_options *options;
	const struct trace_observer *observer;
	struct trace_result *result;
	struct error *err;  /* where a failure goes: the caller's, then `later` */
	struct error later; /* failures after the first, which are not told */
	struct decoder *decoder;
	struct task_table tasks;
	pid_t program;	  /* process id of what was started */
	int start_fd;	  /* to the child until it executes: what stopped it; -1 afterwards */
	bool heard;	  /* the probe arrived: from here on all that is to stop does */
	bool every_call;  /* stops, without a filter of ours */
	bool executed;	  /* the program was executed */
	bool ended;	  /* the program's end was waited for */
	bool kept;	  /* the observer keeps something back */
	bool strangers;	  /* we had children before the session: the wait may report them too */
	pid_t waited;	  /* the task that the last wait told of, … */
	unsigned repeats; /* … and how often in a row before */
	unsigned found;	  /* others that were looked for when one was waited for, the last time */
	struct ending ending;
	struct colocation colocation;
	struct poll poll;
	struct jobs jobs; /* the last, since it is large: what is touched at each stop lies together above */
};
