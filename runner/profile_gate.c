#include "runner/profile_gate.h"

#include <errno.h>
#include <stdlib.h>

#include "base/buffer.h"
#include "base/cleanup.h"
#include "base/memory.h"
#include "profile/landlock_abi.h"

int profile_gate_kernel(const struct profile *profile, const struct ruleset *ruleset, bool best_effort,
			struct error *err)
{
	scoped_buffer names = {0};

	if (ruleset->abi >= profile->landlock || best_effort)
		return 0;
	rights_write(&names, ruleset->needed);
	return error_set(err, EOPNOTSUPP,
			 "the profile asks for Landlock ABI %d, and this kernel has %d%s%s: use a newer kernel, or "
			 "--best-effort to start without",
			 profile->landlock, ruleset->abi, ruleset->needed ? ", which does not enforce " : "",
			 buffer_text(&names));
}

static int check_kernel(const struct profile *profile, struct error *err)
{
	int abi = landlock_abi();
	struct ruleset ruleset;
	int result;

	if (abi < 0)
		return error_set(err, EOPNOTSUPP, "%s", landlock_absence(abi));
	ruleset_compile(profile, abi, &ruleset);
	result = profile_gate_kernel(profile, &ruleset, false, err);
	ruleset_finish(&ruleset);
	return result;
}

/* The grants that let a program change something. They stay the profile's; the caller frees the array alone. */
static struct profile changing_grants(const struct profile *profile)
{
	struct profile changing = {0};

	for (size_t i = 0; i < profile->grant_count; i++)
		if (profile->grants[i].rights & (RIGHTS_ON_CONTENTS | RIGHTS_ON_NAMES))
			*ARRAY_APPEND(changing.grants, changing.grant_count, changing.grant_capacity) =
				profile->grants[i];
	return changing;
}

int profile_gate_written(const char *file, const struct profile *profile, const char *sha256, const struct tiers *tiers,
			 struct error *err)
{
	struct profile changing; /* a look at each other line is spared: only these could reach the file */
	struct stat status;
	struct reach reach;
	int result;

	if (stat(file, &status) < 0)
		return error_set_errno(err, errno, "%s", file);
	changing = changing_grants(profile);
	reach_init(&reach, &changing);
	result = profile_gate_files(
		&(struct profile_gate){
			.file = file, .status = &status, .sha256 = sha256, .reach = &reach, .tiers = tiers},
		err);
	if (result == 0)
		result = check_kernel(profile, err);
	reach_finish(&reach);
	free(changing.grants);
	return result;
}
