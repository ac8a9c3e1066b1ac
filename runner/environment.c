#include "runner/environment.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

static const struct environment_line *find(const struct profile *profile, enum environment_action action,
					   const char *name, size_t length)
{
	for (size_t i = 0; i < profile->environment_count; i++) {
		const struct environment_line *line = &profile->environment[i];

		if (line->action == action && strncmp(line->name, name, length) == 0 && !line->name[length])
			return line;
	}
	return NULL;
}

static bool has_action(const struct profile *profile, enum environment_action action)
{
	for (size_t i = 0; i < profile->environment_count; i++)
		if (profile->environment[i].action == action)
			return true;
	return false;
}

/* Whether an entry "NAME=VALUE" (or a strange one without '=') passes as it is. */
static bool passes(const struct profile *profile, const char *entry)
{
	size_t length = strcspn(entry, "=");

	if (find(profile, ENVIRONMENT_SET, entry, length) || find(profile, ENVIRONMENT_UNSET, entry, length))
		return false;
	return !has_action(profile, ENVIRONMENT_KEEP) || find(profile, ENVIRONMENT_KEEP, entry, length);
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
