/*
 * Learning under limits (trace-learn -b BASE): what a profile says of network, scopes, environment and system calls is
 * in force while the file system is open.
 */
#pragma once

#include <sys/stat.h>

#include "base/error.h"
#include "base/hash.h"
#include "profile/profile.h"
#include "profile/tiers.h"
#include "profile/variables.h"
#include "runner/ruleset.h"

struct learning_base {
	const char
		*name; /* as it was named; NULL: there is none, and nothing but the file system's domain is in force */
	struct profile profile;
	struct ruleset ruleset;
	char **environment; /* NULL: as it is */
};

/*
 * Reads it. -errno where trace-run would not start under it either, or where this kernel (abi, or a negative errno
 * without Landlock) cannot put in force what it counts on.
 */
int learning_base_read(struct learning_base *base, const char *name, const struct variables *variables,
		       const struct tiers *tiers, int abi, struct error *err);

/* Gives a profile that has none of them the base's sections, with the comments in them. */
void learning_base_put(const struct learning_base *base, struct profile *profile);

/*
 * In the child: the domain of learning, with the base's ports and scopes, and the filter. As confine_learning(). What
 * is refused always stops with the mark (struct seccomp_learning), for the tracer to refuse; but a base's limits are
 * kept by the filter alone (learning_base_is_heard()), since no program gets round that.
 */
int learning_base_confine(const struct learning_base *base, uint16_t mark, struct error *err);
bool learning_base_is_heard(const struct learning_base *base);

/* What the program gets. */
char **learning_base_environment(const struct learning_base *base);

void learning_base_finish(struct learning_base *base);
