/*
 * Putting the calling process under a ruleset, for good. The caller is about to exec: what is said about single lines
 * (missing paths, links) goes through `warn` before anything is restricted.
 */
#pragma once

#include "runner/ruleset.h"

typedef void confine_warn_fn(void *data, const char *text);

/*
 * no_new_privs, then the ruleset with every rule whose path can be opened. Fail closed: when a control cannot be put in
 * force nothing was started, and err says which and why (E2BIG: 16 domains are there already).
 */
int confine(const struct profile *profile, const struct ruleset *ruleset, confine_warn_fn *warn, void *data,
	    struct error *err);

/*
 * The domain of learning (DESIGN principle 3): no_new_privs, and a domain that handles every file right this kernel
 * knows and grants all of them on "/". Returns 0; 1 when there is no Landlock (the caller says so); -errno.
 */
int confine_learning(struct error *err);
