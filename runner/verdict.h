/* What is to be said of the refusals of a session: the lines that would allow them, and what no line would. */
#pragma once

#include "profile/allowed.h"
#include "runner/explain.h"

struct cause {
	const struct refusal *refusal;
	char *missing; /* rights, or the word of [seccomp] */
	char *detail;  /* what else is to be known, for people; NULL for nothing */
};

/* A line that is to be added, with all that it is for. Where no line can be, `text` is NULL and `reason` says why. */
struct remedy {
	enum need_kind kind;
	const char *section; /* that it is to stand under: "normal", "network" … */
	enum tier tier;
	rights_t rights; /* joined */
	char *path;	 /* of a grant: where the line goes; of a call: its word */
	int port;
	char *text;	   /* as in the file, but for "allow = " */
	char *reason;	   /* for people; NULL for none */
	bool is_directory; /* of a grant */
	struct cause *causes;
	size_t count, capacity;
	char *key;
	UT_hash_handle hh;
};

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
