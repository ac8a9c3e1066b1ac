/*
 * Putting the calling process under a ruleset, for good. The caller is about to exec: what is said about single lines
 * (missing paths, links) goes through `warn` before anything is restricted.
 */
#pragma once

#include <sys/types.h>

#include "profile/reach.h"
#include "runner/early_rules.h"
#include "runner/ruleset.h"

/* `line` is the profile's; 0: of no single line. */
typedef void confine_warn_fn(void *data, unsigned line, const char *text);

/*
 * no_new_privs, then the ruleset with every rule whose path can be opened; `reach` is that of the same profile; `early`
 * has rules that are made already, or is NULL. Fail closed: when a control cannot be put in force nothing was started,
 * and err says which and why (E2BIG: as many domains as the kernel allows are there already).
 */
int confine(const struct ruleset *ruleset, const struct reach *reach, const struct early_rules *early,
	    confine_warn_fn *warn, void *data, struct error *err);

/* A ruleset of the kernel's without any rule, close on exec; or -errno. */
int confine_ruleset(const struct ruleset *ruleset, struct error *err);
/* What of the rights can be in a rule on an object of this kind. */
rights_t confine_rights_on(mode_t mode, rights_t rights);

/* Only says what confine() would say about single lines; nothing is restricted. */
int confine_look(const struct ruleset *ruleset, const struct reach *reach, confine_warn_fn *warn, void *data,
		 struct error *err);

/*
 * The domain of learning, so that it happens under the conditions of running: no_new_privs, and a domain that handles
 * every file right this kernel knows and grants all of them on "/"; with `limits` (may be NULL) also the ports and
 * scopes of that ruleset. Returns 0; 1 when there is no Landlock (the caller says so); -errno.
 */
int confine_learning(const struct ruleset *limits, struct error *err);
