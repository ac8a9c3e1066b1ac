/* A review as a dialogue on the terminal: one line after the other, one key an answer (trace-profile(1)). */
#pragma once

#include "profile/reach_list.h"
#include "profile/review.h"

enum review_told { REVIEW_GIVEN, REVIEW_UNDONE, REVIEW_UNANSWERED /* held or dropped since nobody answered */ };
/* item->answer is the answer that was given or taken back. */
typedef void review_told_fn(void *data, const struct review_item *item, enum review_told told);
/* Writes the profile; `name` is another one for it, or NULL. -ESTALE: another profile stands there meanwhile. */
typedef int review_save_fn(void *data, const char *name, struct error *err);
/* What is known of how the line came about, for people. */
typedef void review_why_fn(void *data, const struct review_item *item, FILE *out, bool colour);

struct review_dialogue {
	struct review *review;
	const struct tiers *tiers;
	const char *name;	   /* of the profile */
	bool gate;		   /* what is not answered is held when it is saved; else it stays as it is */
	reach_touched_fn *touched; /* may be NULL, as each of the following */
	void *touched_data;
	review_why_fn *why;
	review_told_fn *told;
	review_save_fn *save;
	void *data; /* of why, told and save */
};

enum review_end {
	REVIEW_SAVED,
	REVIEW_LEFT,   /* by the person, or since the terminal hung up */
	REVIEW_KILLED, /* by the signal in *signal */
};

/* -ENXIO without a terminal: nothing was asked. Else enum review_end. */
int review_talk(const struct review_dialogue *dialogue, int *signal, struct error *err);
