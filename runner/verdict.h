/* What is to be said of the refusals of a session: the lines that would allow them, and what no line would. */
#pragma once

#include "runner/remedy.h"

struct unexplained {
	const struct refusal *refusal;
	char *reason;
};

struct verdict {
	struct remedy *remedies;    /* sorted as in a profile; those without a line last */
	struct unexplained *others; /* refused, but not by the profile */
	size_t other_count, other_capacity;
};

/* Borrows from explain, which has seen the whole session. */
void verdict_make(struct verdict *verdict, struct explain *explain);
void verdict_finish(struct verdict *verdict);
