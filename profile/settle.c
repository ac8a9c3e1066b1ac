#include "profile/settle.h"

#include <string.h>

#include "profile/closure.h"
#include "profile/hold.h"
#include "profile/merge_parts.h"
#include "profile/needs.h"

/* On "/" some rights may be granted and others held; any other path is held as a whole. */
static rights_t contested(const struct grant *held, const struct grant *granted)
{
	return !strcmp(held->path, "/") ? held->rights & granted->rights : granted->rights;
}

/* What one input grants and another one holds is held. */
static bool hold_same_paths(struct profile *profile)
{
	bool any = false;

	for (size_t i = 0; i < profile->grant_count; i++) {
		struct grant *held = &profile->grants[i], *granted;
		rights_t rights;

		if (held->section != SECTION_HELD)
			continue;
		granted = profile_find_grant(profile, SECTION_NORMAL, held->path ? held->path : held->origin.written);
		rights = granted ? (held->path ? contested(held, granted) : granted->rights) : 0;
		if (!rights)
			continue;
		held->rights |= rights;
		granted->rights &= ~rights;
		if (!granted->rights)
			merge_origin(&held->origin, &granted->origin);
		any = true;
	}
	return any;
}

/* hold_back() leaves "/" what it has; but nothing may let in what an input holds. */
static bool hold_root(struct profile *profile)
{
	struct grant *root = profile_find_grant(profile, SECTION_NORMAL, "/");
	rights_t rights = 0;

	if (!root)
		return false;
	for (size_t i = 0; i < profile->grant_count; i++)
		if (profile->grants[i].section == SECTION_HELD && profile->grants[i].path)
			rights |= profile->grants[i].rights & root->rights;
	root->rights &= ~rights;
	if (rights)
		profile_add_grant(profile, SECTION_HELD, rights, "/");
	return rights != 0;
}

/* Returns whether something that was granted is held now. */
static bool hold_contested(struct profile *profile, const struct tiers *tiers)
{
	struct cover *none = cover_create(&(struct profile){0}, COVER_ENFORCED);
	bool any = hold_same_paths(profile), more = true;

	while (more) {
		more = hold_back(profile, tiers, TIER_NORMAL, none);
		more |= hold_root(profile);
		any |= more;
	}
	cover_destroy(none);
	return any;
}

/* What closing adds may let in what is held, and what is held then covers no longer. */
bool settle(struct profile *profile, const struct tiers *tiers, const struct cover *kept)
{
	bool held = hold_contested(profile, tiers);
	bool open = !closure_close(profile);

	while (hold_contested(profile, tiers)) {
		held = true;
		open = !closure_close(profile);
	}
	needs_drop_present(profile);
	needs_drop_covered(profile, kept);
	tiers_apply(tiers, profile);
	profile_sort(profile);
	return held || open;
}
