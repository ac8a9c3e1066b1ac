/* What `trace-profile review` does: asks about a profile, and writes what comes of it. */
#pragma once

#include <stdbool.h>

#include "profile/look.h"

struct review_command {
	const char *name;  /* of the profile */
	bool all;	   /* asks about normal lines too */
	char *const *logs; /* audit logs to explain lines from */
	size_t log_count;
};

/*
 * 0: saved, or nothing to ask; 1: left, and nothing was written; -errno. Says what became of it. A profile that was
 * changed meanwhile is not overwritten. The bytes that are saved are entered in the list of trusted ones if each line
 * above normal was answered, or those that were read stand there. A signal that ends the dialogue ends the process.
 */
int review_command_run(const struct review_command *command, const struct look *look, struct error *err);
