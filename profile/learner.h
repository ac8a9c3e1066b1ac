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
	bool is_touched_known; /* names_touch() was called, and nothing came since */
};
