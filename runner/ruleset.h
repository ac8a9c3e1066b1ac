/*
 * A ruleset: the list of operations that enforce a profile on a kernel with a given ABI, and what that kernel cannot
 * enforce. Compiling is pure; --print shows the list; runner/confine.h applies it.
 */
#pragma once

#include <stdio.h>

#include "profile/profile.h"
#include "profile/seccomp_groups.h"

struct ruleset_path {
	const char *path;	   /* borrowed from the profile */
	rights_t rights;	   /* cut down to what the ABI knows */
	const struct grant *grant; /* borrowed: the line it came from */
};

struct ruleset_port {
	uint16_t port;
	rights_t rights;
};

struct ruleset {
	int abi;
	bool own_served; /* lines below /proc/self get no rule, since a supervisor opens those entries for their owners;
			    false when compiled */
	rights_t handled;	    /* every right of all classes that the ABI knows, less what is open to any port */
	rights_t missing;	    /* rights that the newest table knows and this ABI does not: not enforced, unless
				       the group of calls that could use them is refused; never refer, which
				       Landlock refuses where it does not know it */
	rights_t needed;	    /* of `missing`: what the profile's own `landlock = N` counts on */
	seccomp_set_t refused;	    /* groups of calls; those that the ABI limits by path or port are not among them */
	seccomp_set_t loose;	    /* open groups that Landlock would limit by path or port at a higher ABI */
	struct ruleset_path *paths; /* sorted by path */
	size_t path_count, path_capacity;
	struct ruleset_port *ports;
	size_t port_count, port_capacity;
};

/* Never fails: whether `missing` is acceptable is the caller's decision (fail closed below profile->landlock). */
void ruleset_compile(const struct profile *profile, int abi, struct ruleset *ruleset);
void ruleset_finish(struct ruleset *ruleset);
void ruleset_print(const struct ruleset *ruleset, FILE *out);
