/* What a profile says to a question (question.h), for people and for scripts. */
#pragma once

#include <stdio.h>

#include "base/json.h"
#include "profile/allowed.h"
#include "profile/evidence.h"
#include "profile/question.h"

struct verdict {
	bool allowed; /* all that is asked about; of a path: anything */
	struct needs needs;
	struct answer *answers; /* one for each need */
};

/*
 * `tty`: the controlling terminal, or NULL. The sessions of `evidence` tell which names are made anew each time: their
 * directory is asked about then.
 */
void verdict_find(struct allowed *allowed, struct evidence *evidence, const char *tty, const struct question *question,
		  struct verdict *verdict);
void verdict_finish(struct verdict *verdict);
#define scoped_verdict __attribute__((cleanup(verdict_finish))) struct verdict

/* `name`: of the profile. */
void verdict_print(const struct verdict *verdict, const struct question *question, const char *name, FILE *out,
		   bool colour);
/* In the form of docs/trace-profile-why.schema.json. */
struct json *verdict_json(const struct verdict *verdict, const char *name);
