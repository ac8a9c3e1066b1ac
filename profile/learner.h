/* What a learner remembers of its session: facts that can be joined in any order. Private to learn*.c. */
#pragma once

#include "profile/learn.h"
#include "profile/learn_calls.h"
#include "profile/names.h"
#include "profile/refused.h"
#include "profile/seen_moves.h"

#define PORT_COUNT 65537 /* PORT_ANY is the first */

struct learner {
	struct learn_options options;
	char *tty; /* what options.tty points to */
	struct names names;
	struct seen_move *moves;
	struct refused *refused;
	unsigned char *
		ports; /* rights, from RIGHTS_NETWORK_SHIFT up; PORT_COUNT of them, by port - PORT_ANY; NULL for none */
	rights_t scope;
	struct seen_calls calls;
	char **reasons; /* why the profile is incomplete, each once */
	size_t reason_count, reason_capacity;
	struct widenings widened;
	bool makes_in_own;     /* made something in a directory that it had made: learner_has_made() */
	bool is_touched_known; /* names_touch() was called, and nothing came since */
};

/* learn_made.c: something was to be made in the directory, which asked for these rights there. */
void learner_make_within(struct learner *learner, struct name *directory, rights_t rights);
