/*
 * Rules that are made while it is found out which of the profile's paths lead through links (reach.h): the descriptor
 * that tells is the rule's, so that each path is opened once. They are those of the paths without any link, whose rules
 * depend on nothing else; confine() makes the others, and puts all in force.
 */
#pragma once

#include "profile/reach.h"
#include "runner/ruleset.h"

struct early_rules {
	const struct ruleset *ruleset;
	const struct profile *profile;
	int fd;	       /* of the kernel's ruleset; -1 for none, and then no rule was made */
	bool *is_made; /* by the number of the grant */
};

/* Without a ruleset of the kernel's it makes no rules; why there is none confine() tells. `ruleset` is borrowed. */
void early_rules_init(struct early_rules *rules, const struct profile *profile, const struct ruleset *ruleset);
void early_rules_finish(struct early_rules *rules);

/* For reach_init_opening(); `rules` is a struct early_rules. */
void early_rules_take(void *rules, const struct grant *grant, int path_fd);

/* Whether the grant's rule is in the ruleset; `rules` may be NULL. */
bool early_rules_has(const struct early_rules *rules, const struct grant *grant);
