/*
 * What `trace-profile why` does: asks a profile whether something is allowed, and audit logs who did it and by which
 * rule it was granted.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "profile/look.h"

struct why_command {
	char *const *words; /* the question, see question.h */
	size_t count;
	const char *profile; /* NULL for none, or that of the question */
	char *const *logs;
	size_t log_count;
	bool json;
};

/*
 * Prints the answer. 0: a profile allows it, or, without one, the logs tell of it; 1: not. -errno with err set, and
 * nothing printed, in trouble.
 */
int why_command_run(const struct why_command *command, const struct look *look, struct error *err);
