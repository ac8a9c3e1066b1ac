/*
 * A person's answers to what a profile grants, held against the profile's rules: what is held stays held whatever else
 * is granted, moves stay closed, comments stay. Pure; the dialogue is review_dialogue.h.
 *
 * The profile that comes of it is made anew from the one at the beginning and the answers so far, so an answer can be
 * taken back as if it had never been given.
 */
#pragma once

#include "profile/diff.h"
#include "profile/profile.h"
#include "profile/tiers.h"

/* Why a profile is incomplete from which a person took what the sessions needed. */
#define REVIEW_DROP_REASON "grants that were needed were dropped in a review"

/* The last three are offered with `all` only. */
enum review_kind {
	REVIEW_GRANT,
	REVIEW_PORT,
	REVIEW_SCOPE,
	REVIEW_CALLS,
	REVIEW_ABSENT,
	REVIEW_MOVE,
	REVIEW_ENVIRONMENT,
};

enum review_answer {
	REVIEW_OPEN,   /* not answered */
	REVIEW_BEFORE, /* not asked: the profile that the session adds to has it */
	REVIEW_GRANTED,
	REVIEW_HELD, /* grants only: a file format without a place for held ports keeps none */
	REVIEW_DROPPED,
	REVIEW_WIDENED, /* grants only: the same rights on the directory above, in its stead */
};

/* A line to decide about. */
struct review_item {
	enum review_kind kind;
	char *text; /* path of a grant or absent one, word of [seccomp], what a move or variable says; else NULL */
	int port;
	rights_t rights;
	bool held; /* under [held] */
	unsigned line;
	enum tier tier; /* computed; a port counts as guarded, a scope or word as protected, what lets in nothing as
			   normal */
	enum review_answer answer;
	char *wider; /* REVIEW_WIDENED: the directory */
};

struct review_options {
	const struct tiers *tiers;
	bool all;		      /* offer every line; else what lets in something above normal, and what is held */
	const struct profile *before; /* what it allows needs no answer; NULL for none */
};

struct review;

/* Keeps no pointer to the profile; the options' pointers must outlive it. */
struct review *review_create(const struct profile *profile, const struct review_options *options);
void review_destroy(struct review *review); /* NULL is fine */

/* What is offered, the highest tier first; changes with each answer. Items are valid until then. */
size_t review_count(const struct review *review);
const struct review_item *review_item(const struct review *review, size_t index);
size_t review_find(const struct review *review, const struct review_item *like); /* review_count() if it is gone */
size_t review_open_count(const struct review *review);				 /* in force and not answered */

/*
 * Takes an answer about an item: REVIEW_GRANTED, REVIEW_HELD, REVIEW_DROPPED or REVIEW_WIDENED. -EPERM with the reason
 * in err, and nothing changed, when the profile's rules do not let it be.
 */
int review_answer(struct review *review, size_t index, enum review_answer answer, struct error *err);

/* Takes the last answer back. The item as it was answered, valid until the next change; NULL when there is none. */
const struct review_item *review_undo(struct review *review);
size_t review_answer_count(const struct review *review);			      /* given and not taken back */
const struct review_item *review_answered(const struct review *review, size_t index); /* in the order of the answers */

/*
 * Holds all that is in force and not answered; what cannot be held is dropped. Each counts as an answer. Afterwards
 * review_open_count() is 0.
 */
void review_hold_rest(struct review *review);

/* Whether the line lets in something, or is obeyed. */
bool review_is_in_force(const struct review_item *item);

/* As it is to be written: sorted, under the headings of its tiers. */
const struct profile *review_profile(const struct review *review);
/* What the last change (an answer, undo) changed; and all since the beginning. The caller finishes *diff. */
void review_last_change(const struct review *review, struct diff *diff);
void review_whole_change(const struct review *review, struct diff *diff);

/* "read_file /etc/hosts", "network: connect_tcp 443"; not escaped for a terminal. The caller frees. */
char *review_fact(const struct review_item *item);
const char *review_answer_name(enum review_answer answer); /* "granted", … */
