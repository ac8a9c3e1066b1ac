#include "profile/needs.h"

#include <stdlib.h>
#include <string.h>

#include "profile/alike.h"
#include "profile/portable.h"

rights_t needs_add(struct profile *profile, const char *path, rights_t rights)
{
	const struct grant *held = profile_find_grant(profile, SECTION_HELD, path);
	rights_t granted = rights;

	if (!strcmp(path, "/"))
		granted &= RIGHT_READ_DIR & ~(held ? held->rights : 0);
	else if (held)
		granted = 0;
	if (granted)
		profile_add_grant(profile, SECTION_NORMAL, granted, path);
	if (rights & ~granted)
		profile_add_grant(profile, SECTION_HELD, rights & ~granted, path);
	return granted;
}

static bool is_needless(struct grant *grant, const struct alike *alike, const struct cover *granted,
			const struct cover *kept)
{
	rights_t covered;

	if (!grant->path || grant->section == SECTION_ABSENT)
		return false;
	if (grant->section == SECTION_HELD && grant->origin.line)
		return false; /* a person's line that contradicts another is for check to say */
	/* What is held would not be held here and now, whatever covers it. */
	covered = grant->section == SECTION_HELD
			  ? cover_rights_between(granted, grant->path, grant_variable_base(grant))
			  : alike_rights_above(alike, grant);
	if (kept && section_is_enforced(grant->section))
		covered &= ~cover_rights_on(kept, grant->path);
	grant->rights &= ~covered;
	return !grant->rights;
}

void needs_drop_covered(struct profile *profile, const struct cover *kept)
{
	struct cover *granted = cover_create(profile, COVER_ENFORCED);
	struct alike *alike = alike_create(profile);
	size_t count = 0;

	for (size_t i = 0; i < profile->grant_count; i++) {
		struct grant *grant = &profile->grants[i];

		if (!is_needless(grant, alike, granted, kept)) {
			profile->grants[count++] = *grant;
			continue;
		}
		free(grant->path);
		origin_finish(&grant->origin);
	}
	profile->grant_count = count;
	alike_destroy(alike);
	cover_destroy(granted);
}

void needs_drop_present(struct profile *profile)
{
	struct cover *granted = cover_create(profile, COVER_ENFORCED);

	for (size_t i = 0; i < profile->grant_count; i++)
		if (profile->grants[i].path && profile->grants[i].section == SECTION_ABSENT)
			profile->grants[i].rights &= ~cover_rights(granted, profile->grants[i].path);
	cover_destroy(granted);
}
