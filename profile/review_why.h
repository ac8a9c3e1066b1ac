/* What audit logs tell of a line in a review. */
#pragma once

#include "profile/evidence.h"
#include "profile/review.h"

struct review_why {
	const struct tiers *tiers;
	struct evidence evidence;
	bool read; /* there are logs, and they were read */
};

/* Reads one more log. Errors: those of evidence_read(). A log that is not whole is said. */
int review_why_read(struct review_why *why, const char *log, struct error *err);
void review_why_finish(struct review_why *why);

/* Who needed the line, and by which rule. Says nothing where no log was read. */
void review_why_print(struct review_why *why, const struct review_item *item, FILE *out, bool colour);
