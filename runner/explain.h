/*
 * What a profile denies to a program that runs under a tracer (trace-run -e), or would deny to one that runs without
 * (-n). It is given the accesses of the session as the tracer sees them: what was denied is known from the kernel's
 * answers, what would allow it from the one engine for that (profile/allowed.h).
 */
#pragma once

#include "base/uthash.h"
#include "profile/access.h"
#include "profile/profile.h"
#include "profile/reach.h"
#include "profile/seccomp_groups.h"
#include "profile/tiers.h"
#include "runner/explain_rules.h"

#define EXPLAIN_CORE "core dump" /* in place of a call's name */

struct explain_options {
	const char *file;	 /* the profile, as it was named */
	struct profile *profile; /* these four are borrowed, and stay unchanged */
	const struct tiers *tiers;
	struct reach *reach;
	const char *tty;       /* name of the controlling terminal, or NULL */
	rights_t handled;      /* by this kernel's ruleset: nothing else is denied */
	seccomp_set_t refused; /* groups of calls, by its filter */
	bool replay;	       /* as struct start_options has it: that nothing was denied is a notice */
	bool enforced;	       /* -e; else everything is let pass, and what would have been denied is told */
};

struct explain_note {
	char *text;
	bool unseen; /* of something that was not seen, so that more may have been denied */
};

/* A use that was denied, or would be: each one once. */
struct refusal {
	struct access access; /* owns its strings */
	size_t count;	      /* how often */
	size_t group;	      /* accesses of one exec: its file, interpreters, loader */
	bool forbidden;	      /* ordinary permissions refuse it as well */
	UT_hash_handle hh;
	size_t key_length;
	char key[];
};

struct explain {
	struct explain_options options;
	struct explain_rules rules;
	struct profile followed; /* what the profile allows through links */
	struct learner *session;
	struct refusal *refusals;   /* in the order in which they happened */
	size_t groups, group;	    /* how many there are, and the present one */
	struct explain_note *notes; /* what cannot be told as a line, in the order in which it came */
	size_t note_count, note_capacity;
	size_t unseen_count; /* of the notes */
};

/* Looks at what the rules of the profile are on, so before the program starts. */
void explain_init(struct explain *explain, const struct explain_options *options);
void explain_finish(struct explain *explain); /* fine on a zeroed one */

/* While the task that did it is stopped after the call. */
void explain_access(struct explain *explain, const struct access *access, pid_t tid);
/* What the user should know that is no access. `unseen` as in struct explain_note. */
void explain_note(struct explain *explain, const char *text, bool unseen);
/*
 * A process of this image (may be NULL) left no core, though one was due in this directory, "" where that is not known.
 * The kernel would have opened it as the process, and told nobody of a refusal; so the profile alone says whether it
 * was one.
 */
void explain_no_core(struct explain *explain, const char *image, const char *directory);

/* Whether it is a core that is missing, which no call made. */
bool explain_is_core(const struct access *access);
/* Whether it is a call that no word opens. */
bool explain_is_always(const struct access *access);
