#include "profile/hold.h"

#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/memory.h"
#include "profile/path.h"

rights_t hold_never_granted(const char *path, rights_t rights)
{
	return strcmp(path, "/") ? 0 : rights & ~RIGHT_READ_DIR;
}

struct holding {
	struct profile *profile;
	const struct tiers *tiers;
	enum tier from;
	const struct cover *kept;
	bool held;
};

static rights_t fresh_rights(const struct holding *holding, const struct grant *grant)
{
	return grant->rights & ~cover_rights(holding->kept, grant->path);
}

static void hold(struct holding *holding, struct grant *grant)
{
	grant->section = SECTION_HELD;
	holding->held = true;
}

static void hold_tiers(struct holding *holding)
{
	for (size_t i = 0; i < holding->profile->grant_count; i++) {
		struct grant *grant = &holding->profile->grants[i];

		if (!grant_is_enforced(grant) || !strcmp(grant->path, "/"))
			continue;
		if (tiers_of_grant(holding->tiers, grant->path, fresh_rights(holding, grant)) >= holding->from)
			hold(holding, grant);
	}
}

/* What a line is held for: the rights whose tier is high enough by themselves; all when a person holds it. */
static rights_t reasons(const struct holding *holding, const char *path, rights_t rights)
{
	rights_t reasons = 0;

	if (holding->from == TIER_NORMAL)
		return rights;
	for (rights_t bit = 1; bit <= rights; bit <<= 1)
		if (rights & bit && tiers_of_grant(holding->tiers, path, bit) >= holding->from)
			reasons |= bit;
	return reasons ? reasons : rights;
}

/* Returns whether something above path was held. */
static bool hold_above(struct holding *holding, const char *path, rights_t rights)
{
	scoped_free char *above = duplicate(path);
	bool held = false;

	for (size_t length = path_parent_length(above); length > 1; length = path_parent_length(above)) {
		struct grant *grant;

		above[length] = '\0';
		grant = profile_find_grant(holding->profile, SECTION_NORMAL, above);
		if (!grant || !(fresh_rights(holding, grant) & rights))
			continue;
		hold(holding, grant);
		held = true;
	}
	return held;
}

static bool hold_wider(struct holding *holding)
{
	bool held = false;

	for (size_t i = 0; i < holding->profile->grant_count; i++) {
		const struct grant *grant = &holding->profile->grants[i];

		if (grant->path && grant->section == SECTION_HELD)
			held |= hold_above(holding, grant->path, reasons(holding, grant->path, grant->rights));
	}
	return held;
}

bool hold_back(struct profile *profile, const struct tiers *tiers, enum tier from, const struct cover *kept)
{
	struct holding holding = {.profile = profile, .tiers = tiers, .from = from, .kept = kept};

	if (from > TIER_NORMAL)
		hold_tiers(&holding);
	while (hold_wider(&holding))
		;
	return holding.held;
}

const char *hold_beneath(const struct profile *profile, const struct grant *grant)
{
	if (hold_never_granted(grant->path, grant->rights))
		return NULL;
	for (size_t i = 0; i < profile->grant_count; i++) {
		const struct grant *other = &profile->grants[i];

		if (other->section == SECTION_HELD && other->path && other->rights & grant->rights &&
		    path_is_strictly_beneath(other->path, grant->path))
			return other->path;
	}
	return NULL;
}

static bool has_held(const struct profile *profile)
{
	for (size_t i = 0; i < profile->grant_count; i++)
		if (profile->grants[i].section == SECTION_HELD)
			return true;
	return false;
}

bool hold_is_settled(const struct profile *profile, const char *reason)
{
	return (!strcmp(reason, HOLD_REASON) || !strcmp(reason, HOLD_ROOT_REASON)) && !has_held(profile);
}
