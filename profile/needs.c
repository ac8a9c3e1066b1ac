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

/* Only what covers the lines of one kind, so that a long profile is in memory twice and not three times. */
struct covering {
	const struct cover *granted; /* of held lines: these would not be held here and now, whatever covers them */
	const struct alike *alike;   /* of enforced lines */
	const struct cover *kept;    /* what those keep all the same; or NULL */
};

static rights_t covered_of(const struct covering *covering, const struct grant *grant)
{
	rights_t covered;

	if (!grant->path || grant->section == SECTION_ABSENT)
		return 0;
	if (grant->section == SECTION_HELD) {
		if (!covering->granted || grant->origin.line)
			return 0; /* a person's line that contradicts another is for check to say */
		return cover_rights_between(covering->granted, grant->path, grant_variable_base(grant));
	}
	covered = covering->alike ? alike_rights_above(covering->alike, grant) : 0;
	return covering->kept ? covered & ~cover_rights_on(covering->kept, grant->path) : covered;
}

static void drop_covered(struct profile *profile, const struct covering *covering)
{
	size_t count = 0;

	for (size_t i = 0; i < profile->grant_count; i++) {
		struct grant *grant = &profile->grants[i];
		rights_t covered = covered_of(covering, grant);

		grant->rights &= ~covered;
		if (!covered || grant->rights) {
			profile->grants[count++] = *grant;
			continue;
		}
		free(grant->path);
		origin_finish(&grant->origin);
	}
	profile->grant_count = count;
}

static bool has_section(const struct profile *profile, enum section section)
{
	for (size_t i = 0; i < profile->grant_count; i++)
		if (profile->grants[i].section == section)
			return true;
	return false;
}

static void drop_covered_held(struct profile *profile)
{
	struct cover *granted;

	if (!has_section(profile, SECTION_HELD))
		return;
	granted = cover_create(profile, COVER_ENFORCED);
	drop_covered(profile, &(struct covering){.granted = granted});
	cover_destroy(granted);
}

void needs_drop_covered(struct profile *profile, const struct cover *kept)
{
	struct alike *alike;

	drop_covered_held(profile);
	alike = alike_create(profile);
	drop_covered(profile, &(struct covering){.alike = alike, .kept = kept});
	alike_destroy(alike);
}

void needs_drop_present(struct profile *profile)
{
	struct cover *granted;

	if (!has_section(profile, SECTION_ABSENT))
		return;
	granted = cover_create(profile, COVER_ENFORCED);
	for (size_t i = 0; i < profile->grant_count; i++)
		if (profile->grants[i].path && profile->grants[i].section == SECTION_ABSENT)
			profile->grants[i].rights &= ~cover_rights(granted, profile->grants[i].path);
	cover_destroy(granted);
}
