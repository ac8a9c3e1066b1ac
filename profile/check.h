/* What is wrong with a profile, or worth a word, line by line (trace-profile check). */
#pragma once

#include <stdbool.h>
#include <stdio.h>

#include "profile/file_gate.h"
#include "profile/profile.h"
#include "profile/tiers.h"

enum finding_level {
	FINDING_NOTE,	    /* can be better; does not count as a finding for the exit status */
	FINDING_INCOMPLETE, /* the session may differ from a confined run */
	FINDING_WARNING,    /* a run will not do what the line says */
	FINDING_ERROR,	    /* the line says something false or dangerous */
};

struct finding {
	unsigned line; /* 0: of the whole file */
	enum finding_level level;
	char *text; /* what, and what to do */
};

struct check {
	struct finding *findings;
	size_t count, capacity;
};

/* Each adds what it finds. What the lines say: headings, held lines, needless ones, completeness. Pure. */
void check_lines(struct check *check, struct profile *profile, const struct tiers *tiers);
/* What a kernel of this ABI (landlock_abi(): may be negative) cannot enforce of it. Pure. */
void check_kernel(struct check *check, const struct profile *profile, int abi);
/* The objects of its grants, as they are now: missing, symbolic links, rights that they cannot have. */
void check_paths(struct check *check, struct profile *profile);
/* Whether a start believes the profile and its tiers file. */
void check_files(struct check *check, const struct profile_gate *gate);

void check_add(struct check *check, enum finding_level level, unsigned line, const char *format, ...)
	__attribute__((format(printf, 4, 5)));
bool check_passes(const struct check *check);					 /* nothing above a note */
void check_print(struct check *check, const char *name, FILE *out, bool colour); /* sorted by line */
void check_finish(struct check *check);
