#include "profile/tiers.h"

#include <errno.h>
#include <string.h>

#include "base/memory.h"
#include "profile/path.h"
#include "profile/tiers_table.h"

static const char *const tier_names[] = {
	[TIER_NORMAL] = "normal",
	[TIER_GUARDED] = "guarded",
	[TIER_PROTECTED] = "protected",
};

const char *tier_name(enum tier tier)
{
	return tier_names[tier];
}

int tier_read(const char *name, enum tier *tier, struct error *err)
{
	for (size_t i = 0; i < ARRAY_LENGTH(tier_names); i++) {
		if (!strcmp(name, tier_names[i])) {
			*tier = (enum tier)i;
			return 0;
		}
	}
	return error_set(err, EINVAL, "unknown tier %s (known: normal, guarded, protected)", name);
}

enum section section_of_tier(enum tier tier)
{
	static const enum section sections[] = {
		[TIER_NORMAL] = SECTION_NORMAL,
		[TIER_GUARDED] = SECTION_GUARDED,
		[TIER_PROTECTED] = SECTION_PROTECTED,
	};

	return sections[tier];
}

const char *tiers_hash(const struct tiers *tiers)
{
	return tiers->hash;
}

const char *tiers_file(const struct tiers *tiers)
{
	return tiers->file;
}

static enum tier higher(enum tier a, enum tier b)
{
	return a > b ? a : b;
}

/* The rights of this use; refer counts as neither, it only lets a move pass. */
static rights_t use_rights(enum tier_use use)
{
	return use == TIER_USE_READING ? RIGHTS_READING : RIGHTS_FILE_SYSTEM & ~RIGHTS_READING & ~RIGHT_REFER;
}

enum tier tier_line_tier(const struct tier_line *line, rights_t rights)
{
	enum tier tier = TIER_NORMAL;

	if (line->rights)
		return line->rights & rights ? line->raised : TIER_NORMAL;
	for (enum tier_use use = 0; use < TIER_USE_COUNT; use++)
		if (rights & use_rights(use) && line->tiers[use] != TIER_UNSAID)
			tier = higher(tier, (enum tier)line->tiers[use]);
	return tier;
}

/* What the table says of one path: by use, the closest line; apart from that, lines that can only raise. */
struct verdict {
	const struct tier_line *on[TIER_USE_COUNT]; /* of the path */
	const struct tier_line
		*inside[TIER_USE_COUNT]; /* of what lies beneath it, where no other line speaks of that */
	enum tier raised;
	enum tier beneath; /* of lines for what lies beneath the path */
};

static void prefer(const struct tier_line **best, const struct tier_line *line)
{
	/* The later of two equally close lines counts. */
	if (!*best || !tier_pattern_is_closer(&(*best)->pattern, &line->pattern))
		*best = line;
}

static bool can_only_raise(const struct tier_line *line)
{
	return line->rights || line->pattern.anywhere;
}

static void hear(struct verdict *verdict, const struct tier_line *line, enum tier_relation relation, rights_t rights)
{
	if (relation == TIER_APART)
		return;
	if (relation == TIER_BENEATH) {
		verdict->beneath = higher(verdict->beneath, tier_line_tier(line, rights));
		return;
	}
	if (can_only_raise(line)) {
		verdict->raised = higher(verdict->raised, tier_line_tier(line, rights));
		return;
	}
	for (enum tier_use use = 0; use < TIER_USE_COUNT; use++) {
		if (line->tiers[use] == TIER_UNSAID)
			continue;
		prefer(&verdict->on[use], line);
		if (line->pattern.beneath)
			prefer(&verdict->inside[use], line);
	}
}

/* Of / or of what lies in it: without keeping, for the next one, what may speak of all that does. */
static struct verdict ask_at_top(const struct tiers *tiers, const char *path, rights_t rights)
{
	struct verdict verdict = {0};

	tiers_read_for(tiers, path);
	for (size_t i = 0; i < tiers->count; i++) {
		const struct tier_line *line = &tiers->lines[i];

		if (line->pattern.text && !tier_pattern_is_elsewhere(&line->pattern, path))
			hear(&verdict, line, tier_pattern_relation(&line->pattern, path), rights);
	}
	return verdict;
}

static struct verdict ask(const struct tiers *tiers, const char *path, rights_t rights)
{
	const struct tiers_near *near;
	struct verdict verdict = {0};

	if (path_parent_length(path) <= 1)
		return ask_at_top(tiers, path, rights);
	near = tiers_near(tiers, path);
	for (size_t i = 0; i < near->count; i++)
		hear(&verdict, near->lines[i].line, tiers_near_relation(near, &near->lines[i], path), rights);
	return verdict;
}

static enum tier tier_of_uses(const struct tier_line *const lines[TIER_USE_COUNT], rights_t rights)
{
	enum tier tier = TIER_NORMAL;

	for (enum tier_use use = 0; use < TIER_USE_COUNT; use++)
		if (lines[use])
			tier = higher(tier, tier_line_tier(lines[use], rights & use_rights(use)));
	return tier;
}

enum tier tiers_of_path(const struct tiers *tiers, const char *path, rights_t rights)
{
	struct verdict verdict = ask(tiers, path, rights);

	return higher(verdict.raised, tier_of_uses(verdict.on, rights));
}

enum tier tiers_of_grant(const struct tiers *tiers, const char *path, rights_t rights)
{
	struct verdict verdict = ask(tiers, path, rights);
	enum tier tier = higher(verdict.raised, tier_of_uses(verdict.on, rights));

	tier = higher(tier, verdict.beneath);
	/* An exact line speaks of the path alone; what lies beneath it counts where the path must be a directory. */
	if (rights & ~RIGHTS_ON_FILE)
		tier = higher(tier, tier_of_uses(verdict.inside, rights));
	return tier;
}

/* Of the lines that give the grant its tier the one for the path itself, else the first for what it reaches. */
static const struct tier_line *find_reason(const struct tiers *tiers, const char *path, rights_t rights, enum tier tier)
{
	struct verdict verdict = ask(tiers, path, rights);
	size_t beneath = tiers->count;

	tiers_read_for(tiers, path);
	for (enum tier_use use = 0; use < TIER_USE_COUNT; use++)
		if (verdict.on[use] && tier_line_tier(verdict.on[use], rights & use_rights(use)) == tier)
			return verdict.on[use];
	for (size_t i = 0; i < tiers->count; i++) {
		const struct tier_line *line = &tiers->lines[i];
		enum tier_relation relation =
			line->pattern.text ? tier_pattern_relation(&line->pattern, path) : TIER_APART;

		if (relation == TIER_APART || tier_line_tier(line, rights) != tier)
			continue;
		if (relation != TIER_BENEATH && can_only_raise(line))
			return line;
		if (beneath == tiers->count && relation == TIER_BENEATH)
			beneath = i;
	}
	if (beneath < tiers->count)
		return &tiers->lines[beneath];
	for (enum tier_use use = 0; use < TIER_USE_COUNT; use++)
		if (verdict.inside[use])
			return verdict.inside[use];
	return NULL;
}

char *tiers_reason(const struct tiers *tiers, const char *path, rights_t rights)
{
	enum tier tier = tiers_of_grant(tiers, path, rights);
	const struct tier_line *line = tier > TIER_NORMAL ? find_reason(tiers, path, rights, tier) : NULL;

	if (!line)
		return duplicate(tier > TIER_NORMAL ? "by the table of tiers" : "no line of the table speaks of it");
	if (tier_pattern_relation(&line->pattern, path) == TIER_BENEATH)
		return format_text("it reaches %s", line->pattern.text);
	return format_text("the table names %s", line->pattern.text);
}

void tiers_apply(const struct tiers *tiers, struct profile *profile)
{
	for (size_t i = 0; i < profile->grant_count; i++) {
		struct grant *grant = &profile->grants[i];

		if (grant_is_enforced(grant))
			grant->section = section_of_tier(tiers_of_grant(tiers, grant->path, grant->rights));
	}
}
