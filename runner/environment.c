#include "runner/environment.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

/* Whether an entry "NAME=VALUE" (or a strange one without '=') passes as it is. */
static bool passes(const struct profile *profile, const char *entry)
{
	size_t length = strcspn(entry, "=");

	if (profile_environment_line(profile, ENVIRONMENT_SET, entry, length) ||
	    profile_environment_line(profile, ENVIRONMENT_UNSET, entry, length))
		return false;
	return !profile_has_action(profile, ENVIRONMENT_KEEP) ||
	       profile_environment_line(profile, ENVIRONMENT_KEEP, entry, length);
}

char **environment_build(const struct profile *profile, char *const environment[])
{
	char **built;
	size_t count = 0;

	if (!profile->has_environment)
		return NULL;
	while (environment[count])
		count++;
	built = allocate_array(count + profile->environment_count + 1, sizeof *built);
	count = 0;
	for (; *environment; environment++)
		if (passes(profile, *environment))
			built[count++] = duplicate(*environment);
	for (size_t i = 0; i < profile->environment_count; i++)
		if (profile->environment[i].action == ENVIRONMENT_SET)
			built[count++] =
				format_text("%s=%s", profile->environment[i].name, profile->environment[i].value);
	return built;
}

void environment_destroy(char **environment)
{
	for (size_t i = 0; environment && environment[i]; i++)
		free(environment[i]);
	free(environment);
}
