/* The lines that would allow what was refused to a session, each once, with what they are for. */
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

/* Of one refusal: what it needed, and what the profile says to that. */
struct finding {
	const struct refusal *refusal;
	const struct need *need;
	const struct answer *answer;
	char *detail; /* handed over */
};

/* Adds what the finding asks for to its remedy, which is made where there is none. */
void remedies_add(struct remedy **remedies, const struct explain_options *options, struct finding *finding);
void remedies_sort(struct remedy **remedies); /* as in a profile; those without a line last */
void remedies_finish(struct remedy **remedies);

/* Of a line of the profile, for people; "" where its lines may still move. The caller frees. */
char *remedy_line_name(unsigned line);
