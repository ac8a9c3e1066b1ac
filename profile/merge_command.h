/* What `trace-profile merge` does: reads profiles, makes one of them, and writes it. */
#pragma once

#include <stdbool.h>

#include "profile/look.h"

struct merge_command {
	char *const *names; /* of the profiles */
	size_t count;
	size_t min_seen;
	const char *output; /* NULL or "-": standard output */
	bool force;	    /* replaces a file that is there */
};

/*
 * Nothing is written when one cannot be read. The bytes that are written are entered in the list of trusted ones when
 * those of all inputs stand there: they allow nothing that a person did not let in.
 */
int merge_command_run(const struct merge_command *command, const struct look *look, struct error *err);
