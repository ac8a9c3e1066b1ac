#include "profile/learn_calls.h"

#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/memory.h"

static bool has_failed(const struct seen_calls *calls, enum seccomp_group group, const char *name)
{
	for (size_t i = 0; i < calls->failed_count; i++)
		if (calls->failed[i].group == group && strcmp(calls->failed[i].name, name) == 0)
			return true;
	return false;
}

void seen_calls_add(struct seen_calls *calls, const struct access *access)
{
	enum seccomp_group group = seccomp_group_of_word(access->path);
	const char *name = access->call ? access->call : "a call";

	if (group == SECCOMP_GROUPS)
		return;
	if (!access->error)
		calls->succeeded |= SECCOMP_SET(group);
	else if (access->error != seccomp_error(group, name) && !has_failed(calls, group, name))
		*ARRAY_APPEND(calls->failed, calls->failed_count, calls->failed_capacity) =
			(struct failed_call){group, duplicate(name), access->error};
}

static seccomp_set_t open_groups(const struct profile *profile)
{
	seccomp_set_t groups = 0;

	for (size_t i = 0; i < profile->seccomp_count; i++)
		groups |= SECCOMP_SET(seccomp_group_of_word(profile->seccomp[i].text));
	return groups;
}

static const char *name_of(int error)
{
	const char *name = strerrorname_np(error);

	return name ? name : "an unknown error";
}

static void say_failed(const struct failed_call *call, struct profile *profile)
{
	int error = seccomp_error(call->group, call->name);
	scoped_free char *reason =
		format_text("%s failed with %s, and fails with %s without %s in [seccomp]", call->name,
			    name_of(call->error), name_of(error), seccomp_group_table[call->group].word);

	profile_add_incomplete(profile, reason);
}

void seen_calls_put(const struct seen_calls *calls, struct profile *profile)
{
	seccomp_set_t open = open_groups(profile);

	for (unsigned group = 0; group < SECCOMP_GROUPS; group++)
		if (calls->succeeded & ~open & SECCOMP_SET(group))
			profile_add_seccomp(profile, seccomp_group_table[group].word);
	open |= calls->succeeded;
	for (size_t i = 0; i < calls->failed_count; i++)
		if (!(open & SECCOMP_SET(calls->failed[i].group)))
			say_failed(&calls->failed[i], profile);
}

void seen_calls_finish(struct seen_calls *calls)
{
	for (size_t i = 0; i < calls->failed_count; i++)
		free(calls->failed[i].name);
	free(calls->failed);
	*calls = (struct seen_calls){0};
}
