#include "tracer/previous.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "profile/merge.h"
#include "profile/portable.h"
#include "profile/profile_file.h"

int previous_read(struct previous *previous, const char *name, bool may_be_new, const struct variables *variables,
		  struct error *err)
{
	int result = profile_load(name, variables, &previous->profile, previous->sha256, &previous->status, err);

	if (result == -ENOENT && may_be_new) {
		error_finish(err);
		return 0;
	}
	if (result == 0)
		previous->name = name;
	return result;
}

/* The terminal has its variable in every profile. */
bool previous_is_portable(const struct previous *previous, const struct variables *variables)
{
	bool has_variable = false;

	for (size_t i = 0; i < previous->profile.grant_count; i++) {
		const struct grant *grant = &previous->profile.grants[i];
		const char *written = grant->origin.written;

		if (written && strncmp(written, "${", 2) == 0)
			has_variable = has_variable || strncmp(written, "${TTY}", 6) != 0;
		else if (portable_base(variables, grant->path))
			return false;
	}
	return has_variable;
}

static struct profile without_grants(const struct profile *profile)
{
	struct profile rest = *profile;

	rest.grants = NULL;
	rest.grant_count = rest.grant_capacity = 0;
	rest.grant_index = NULL;
	return rest;
}

static void hand_over_grants(struct profile *from, struct profile *into)
{
	free(into->grants);
	into->grants = from->grants;
	into->grant_count = from->grant_count;
	into->grant_capacity = from->grant_capacity;
	from->grants = NULL;
	from->grant_count = from->grant_capacity = 0;
}

int previous_merge(struct previous *previous, const struct tiers *tiers, struct profile *session, struct error *err)
{
	const struct profile rest = without_grants(&previous->profile);
	const struct merge_input inputs[] = {{&rest, previous->name}, {session, "this session"}};
	struct profile merged;
	int result = merge_profiles(inputs, 2, 1, tiers, &merged, err);

	if (result < 0)
		return result;
	hand_over_grants(&previous->profile, &merged);
	profile_finish(session);
	*session = merged;
	return 0;
}

int previous_check(const struct previous *previous, struct error *err)
{
	struct profile now;
	scoped_error why = {0};
	char sha256[HASH_TEXT_SIZE] = "";
	int result = profile_load(previous->name, NULL, &now, sha256, NULL, &why);

	profile_finish(&now);
	if (result == -ENOENT || !strcmp(sha256, previous->sha256))
		return 0;
	return error_set(err, ESTALE, "%s was changed while the program ran", previous->name);
}

void previous_finish(struct previous *previous)
{
	profile_finish(&previous->profile);
}
