/*
 * What each rule of a profile was on when the program started. A rule is on an object, not on a name: where a name
 * leads to another object now, or led to none then, a line grants nothing though it stands there.
 */
#pragma once

#include <sys/types.h>

#include "base/error.h"
#include "profile/reach.h"

struct explain_rule {
	const char *path; /* borrowed from the profile */
	unsigned line;
	rights_t rights;
	dev_t device;
	ino_t inode;
	char *failure; /* why there is no rule; NULL: there is one */
};

struct explain_rules {
	struct explain_rule *items;
	size_t count, capacity;
};

void explain_rules_look(struct explain_rules *rules, const struct reach *reach);
void explain_rules_finish(struct explain_rules *rules);

/*
 * Which of `rights` on path the lines that grant them do not give, since they were on nothing or on something else;
 * *line and *reason (the caller's to free; NULL: none) are of the first of those lines.
 */
rights_t explain_rules_failed(const struct explain_rules *rules, const char *path, rights_t rights, unsigned *line,
			      char **reason);
