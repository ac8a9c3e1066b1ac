#include "runner/learning_base.h"

#include <errno.h>
#include <unistd.h>

#include "profile/profile_copy.h"
#include "profile/profile_file.h"
#include "profile/reach.h"
#include "runner/confine.h"
#include "runner/environment.h"
#include "runner/landlock.h"
#include "runner/profile_gate.h"
#include "runner/seccomp_filter.h"

static int pass_gate(const struct learning_base *base, const struct stat *status, const char *sha256,
		     const struct tiers *tiers, struct error *err)
{
	struct reach reach;
	int result;

	reach_init(&reach, &base->profile);
	result = profile_gate_files(&(struct profile_gate){.file = base->name,
							   .status = status,
							   .sha256 = sha256,
							   .reach = &reach,
							   .tiers = tiers,
							   .no_way_round = true},
				    err);
	reach_finish(&reach);
	return result;
}

int learning_base_read(struct learning_base *base, const char *name, const struct variables *variables,
		       const struct tiers *tiers, int abi, struct error *err)
{
	char sha256[HASH_TEXT_SIZE];
	struct stat status;

	if (!name)
		return 0;
	base->name = name;
	if (abi < 0)
		return error_set(err, -abi, "-b %s: its limits cannot be put in force: %s", name,
				 landlock_absence(abi));
	if (profile_load(name, variables, &base->profile, sha256, &status, err) < 0 ||
	    pass_gate(base, &status, sha256, tiers, err) < 0)
		return -err->number;
	ruleset_compile(&base->profile, abi, &base->ruleset);
	if (profile_gate_kernel(&base->profile, &base->ruleset, false, err) < 0)
		return error_context(err, "%s", name);
	base->environment = environment_build(&base->profile, environ);
	return 0;
}

void learning_base_put(const struct learning_base *base, struct profile *profile)
{
	if (base->name)
		profile_copy_limits(&base->profile, profile);
}

bool learning_base_is_heard(const struct learning_base *base)
{
	return !base->name;
}

int learning_base_confine(const struct learning_base *base, uint16_t mark, struct error *err)
{
	const struct seccomp_learning learning = {.mark = learning_base_is_heard(base) ? mark : 0};
	seccomp_set_t refused = base->name ? base->ruleset.refused : SECCOMP_SET(SECCOMP_ALWAYS);
	int result = confine_learning(base->name ? &base->ruleset : NULL, err);

	if (result < 0)
		return result;
	if (seccomp_filter_load_learning(refused, &learning, err) < 0)
		return error_context(err, "tracing is not possible");
	return 0;
}

char **learning_base_environment(const struct learning_base *base)
{
	return base->environment ? base->environment : environ;
}

void learning_base_finish(struct learning_base *base)
{
	environment_destroy(base->environment);
	ruleset_finish(&base->ruleset);
	profile_finish(&base->profile);
}
