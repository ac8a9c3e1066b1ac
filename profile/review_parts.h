/* Between the files of review. */
#pragma once

#include "profile/cover.h"
#include "profile/review.h"

struct review {
	struct review_options options;
	struct profile original;
	struct cover *kept;	     /* rights that stay on their lines, though a line above gives them too */
	struct cover *before;	     /* of options.before, or of nothing */
	struct review_item *answers; /* oldest first; `held` is where the line stood */
	size_t answer_count, answer_capacity;
	struct profile working;	 /* the original with all answers */
	struct profile previous; /* the one before the last change */
	struct review_item *items;
	size_t item_count, item_capacity;
	struct review_item undone;
};

/* Whether both are about the same line, wherever it stands. */
bool review_is_same(const struct review_item *a, const struct review_item *b);
/* The last answer about the line, or NULL. */
const struct review_item *review_last_answer(const struct review *review, const struct review_item *item);
struct review_item review_item_copy(const struct review_item *item);
void review_item_finish(struct review_item *item);

/* Makes `working` of the original and the answers, and `items` of that. */
void review_apply(struct review *review);
void review_list(struct review *review);

/*
 * Whether the rules let the answer be: to be asked before it is taken (review_rules()), and of what came of it
 * (review_took_effect()). -EPERM with the reason.
 */
int review_rules(struct review *review, const struct review_item *item, enum review_answer answer, struct error *err);
int review_took_effect(struct review *review, const struct review_item *answer, struct error *err);
