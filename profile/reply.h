/* What a profile says to a question (question.h), for people and for scripts. */
#pragma once

#include <stdio.h>

#include "base/json.h"
#include "profile/allowed.h"
#include "profile/evidence.h"
#include "profile/question.h"

struct reply {
	bool allowed; /* all that is asked about; of a path: anything */
	struct needs needs;
	struct answer *answers; /* one for each need */
};

/*
 * `tty`: the controlling terminal, or NULL. The sessions of `evidence` tell which names are made anew each time: their
 * directory is asked about then.
 */
void reply_find(struct allowed *allowed, struct evidence *evidence, const char *tty, const struct question *question,
		struct reply *reply);
void reply_finish(struct reply *reply);
#define scoped_reply __attribute__((cleanup(reply_finish))) struct reply

/* `name`: of the profile. */
void reply_print(const struct reply *reply, const struct question *question, const char *name, FILE *out, bool colour);
/* In the form of docs/trace-profile-why.schema.json. */
struct json *reply_json(const struct reply *reply, const char *name);
