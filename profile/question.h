/*
 * What `trace-profile why` is asked about: a path, or what a line of a profile allows. trace-diff and review ask about
 * lines that they have at hand.
 */
#pragma once

#include "base/error.h"
#include "profile/profile.h"
#include "profile/variables.h"

enum question_kind {
	QUESTION_PATH,	/* all that concerns `path` */
	QUESTION_GRANT, /* `rights` on `path`, as a line has it */
	QUESTION_PORT,	/* `rights` on `port` */
	QUESTION_SCOPE, /* `rights`: one scope */
	QUESTION_CALL,	/* `path` is a word of [seccomp] */
};

struct question {
	enum question_kind kind;
	rights_t rights;
	int port;
	char *path;  /* of the terminal as a profile that is looked at has it: TERMINAL_PLACEHOLDER (fact.h) */
	char *other; /* as it was typed, where links lead elsewhere from there; or NULL */
	bool use;    /* about using it (RIGHT and PATH), not about a line: exec asks for read_file too */
	char *file;  /* FILE:NUMBER: the profile whose line it is; nothing else is known before question_of_line() */
	unsigned line;
};

/*
 * From the words of a command line:
 *   PATH                     as it is typed; relative to the present directory
 *   FILE:NUMBER              a line of a profile, unless there is a file of that whole name
 *   RIGHT[,RIGHT...] PATH    two words, the path as it is typed; with rights on ports a port or "any"
 *   LINE                     "read_file /etc/hosts", "connect_tcp 443", "signal", "udp": one word in the form of a
 *                            profile, also pasted with "allow = " in front, then in as many words as may be
 * -EINVAL with err set for anything else.
 */
int question_read(char *const *words, size_t count, const struct variables *variables, struct question *question,
		  struct error *err);

/* What the line `number` of the profile allows, would allow ([held]) or tells ([absent]); keeps file and line. */
int question_of_line(const struct profile *profile, unsigned number, struct question *question, struct error *err);

void question_finish(struct question *question);
#define scoped_question __attribute__((cleanup(question_finish))) struct question

/* As a line says it ("read_file /etc/hosts"), or the path; escaped. Caller frees. */
char *question_text(const struct question *question);
