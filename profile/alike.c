#include "profile/alike.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "profile/cover.h"
#include "profile/portable.h"

struct family {
	char *variable; /* as it is written, with braces; "" for none */
	size_t length;
	struct cover *cover;
};

struct alike {
	struct family *families; /* as many as there are variables, at most */
	size_t count;
	size_t capacity;
};

static size_t variable_length(const struct grant *grant)
{
	const char *written = grant->origin.written;
	const char *end = written && !strncmp(written, "${", 2) ? strchr(written, '}') : NULL;

	return end ? (size_t)(end + 1 - written) : 0;
}

bool grants_are_alike(const struct grant *a, const struct grant *b)
{
	size_t length = variable_length(a);

	return length == variable_length(b) && (!length || !strncmp(a->origin.written, b->origin.written, length));
}

static struct family *find_family(const struct alike *alike, const struct grant *grant)
{
	size_t length = variable_length(grant);

	for (size_t i = 0; i < alike->count; i++)
		if (alike->families[i].length == length &&
		    (!length || !strncmp(alike->families[i].variable, grant->origin.written, length)))
			return &alike->families[i];
	return NULL;
}

static struct family *add_family(struct alike *alike, const struct grant *grant)
{
	static const struct profile nothing;
	struct family *family = ARRAY_APPEND(alike->families, alike->count, alike->capacity);

	*family = (struct family){.length = variable_length(grant), .cover = cover_create(&nothing, 0)};
	family->variable = duplicate(family->length ? grant->origin.written : "");
	return family;
}

struct alike *alike_create(const struct profile *profile)
{
	struct alike *alike = allocate(sizeof *alike);

	for (size_t i = 0; i < profile->grant_count; i++) {
		const struct grant *grant = &profile->grants[i];
		struct family *family;

		if (!grant_is_enforced(grant))
			continue;
		family = find_family(alike, grant);
		if (!family)
			family = add_family(alike, grant);
		cover_add(family->cover, grant->path, grant->rights);
	}
	return alike;
}

void alike_destroy(struct alike *alike)
{
	if (!alike)
		return;
	for (size_t i = 0; i < alike->count; i++) {
		free(alike->families[i].variable);
		cover_destroy(alike->families[i].cover);
	}
	free(alike->families);
	free(alike);
}

rights_t alike_rights_above(const struct alike *alike, const struct grant *grant)
{
	const struct family *family = find_family(alike, grant);

	return family ? cover_rights_between(family->cover, grant->path, grant_variable_base(grant)) : 0;
}
