/* Between the files of review. */
#pragma once

#include "base/table.h"
#include "profile/cover.h"
#include "profile/review.h"

struct review {
	struct review_options options;
	struct profile original;
	struct cover *kept;	     /* rights that stay on their lines, though a line above gives them too */
	struct cover *before;	     /* of options.before, or of nothing */
	struct review_item *answers; /* oldest first; `held` is where the line stood */
	size_t answer_count, answer_capacity;
	struct table answered;	 /* lines that there are answers about (review_answers.c) */
	struct profile working;	 /* the original with all answers */
	struct profile previous; /* the one before the last change */
	struct review_item *items;
	size_t item_count, item_capacity;
	struct review_item undone;
};

/* Whether both are about the same line, wherever it stands. */
bool review_is_same(const struct review_item *a, const struct review_item *b);
struct review_item review_item_copy(const struct review_item *item);
void review_item_finish(struct review_item *item);

/* To be called when the answers have changed: the following go by it. */
void review_answers_collect(struct review *review);
void review_answers_drop(struct review *review);
/* The last answer about the line, or NULL. */
const struct review_item *review_last_answer(const struct review *review, const struct review_item *item);
/* What was let in on this very line: by the last answer about it, and since then by answers about others. */
rights_t review_accepted(const struct review *review, const struct review_item *item);
/* Whether an answer about another line, widened or absent, let in something on this one. */
bool review_is_target(const struct review *review, const struct review_item *item);
/* Of lines with an answer: whether they are among the items. */
void review_mark_listed(struct review *review, const struct review_item *item);
bool review_is_listed(const struct review *review, const struct review_item *answer);

/* Makes `working` of the original and the answers, and `items` of that. */
void review_apply(struct review *review);
void review_list(struct review *review);

/*
 * Whether the rules let the answer be: to be asked before it is taken (review_rules()), and of what came of it
 * (review_took_effect()). -EPERM with the reason.
 */
int review_rules(struct review *review, const struct review_item *item, enum review_answer answer, struct error *err);
int review_took_effect(struct review *review, const struct review_item *answer, struct error *err);
