/* What audit logs tell of the lines that a profile gained (trace-diff --why). */
#pragma once

#include "profile/diff.h"
#include "profile/why.h"

struct diff_why {
	struct evidence *evidence;
	const struct tiers *tiers;
};

/* Both take NULL, and changes that nothing was gained by: then nothing is printed, or put. */
void diff_why_print(const struct diff_why *source, const struct change *change, FILE *out, bool colour);
void diff_why_put(const struct diff_why *source, const struct change *change, struct json *object);
