#include "profile/learn_next.h"

#include <string.h>

#include "profile/cover.h"
#include "profile/learner.h"

static bool is_missing(const struct name *name)
{
	return name->missing && !name->born;
}

size_t learner_missing_count(const struct learner *learner)
{
	size_t count = 0;

	for (const struct name *name = learner->names.first; name; name = name->next)
		count += is_missing(name);
	return count;
}

const char *learner_missing(const struct learner *learner)
{
	for (const struct name *name = learner->names.first; name; name = name->next)
		if (is_missing(name))
			return name->path;
	return NULL;
}

/* What was looked for before it was made is found at the next start, and used. */
static rights_t asked_again(const struct name *name)
{
	return name->again | (name->born && !name->was_directory ? name->sought & RIGHTS_ON_FILE : 0);
}

/* Where making it is not granted, as on what is held, the next start does not come as far. */
static rights_t lacking(const struct cover *cover, const struct name *name)
{
	rights_t granted = cover_rights(cover, name->path);

	return granted & RIGHT_MAKE_REG ? asked_again(name) & ~granted : 0;
}

struct left learner_left(const struct learner *learner, const struct profile *profile)
{
	struct cover *cover = NULL; /* few sessions need one, and it takes its time */
	struct left left = {0};

	for (const struct name *name = learner->names.first; name; name = name->next) {
		rights_t rights;

		if (!asked_again(name) || names_is_gone(&learner->names, name->path))
			continue;
		if (!cover)
			cover = cover_create(profile, COVER_ENFORCED);
		rights = lacking(cover, name);
		left.rights |= rights;
		if (rights && !left.count++)
			left.path = name->path;
	}
	cover_destroy(cover);
	return left;
}

/* How much the grants on the first `length` bytes of path deserve a look: SECTION_NORMAL for those that do not. */
static enum section section_of(const struct profile *profile, const char *path, size_t length)
{
	enum section highest = SECTION_NORMAL;

	for (size_t i = 0; i < profile->grant_count; i++) {
		const struct grant *grant = &profile->grants[i];

		if (grant->section > highest && grant->section <= SECTION_PROTECTED && strlen(grant->path) == length &&
		    memcmp(grant->path, path, length) == 0)
			highest = grant->section;
	}
	return highest;
}

/* It was made and left, is not within another such one, and something was done in it. */
static bool is_made_directory(const struct names *names, const struct name *name)
{
	return name->born && name->was_directory && (name->on | name->within) && !names_is_gone(names, name->path) &&
	       !strchr(name->path + names_place(names, name->path) + 1, '/');
}

static bool is_made_file(const struct names *names, const struct name *name)
{
	return name->born && !name->was_directory && !names_is_gone(names, name->path) &&
	       !strchr(name->path + names_place(names, name->path) + 1, '/');
}

/* Of those names, where the grants on the directory above are in a section higher than `lowest`. */
static struct made find_made(const struct learner *learner, const struct profile *profile, enum section lowest,
			     bool (*is_made)(const struct names *names, const struct name *name))
{
	enum section highest = lowest, section = lowest;
	const struct names *names = &learner->names;
	const char *last = NULL; /* whose place was asked for: mostly many are made in one place */
	struct made made = {0};
	size_t place = 0;

	for (const struct name *name = names->first; name; name = name->next) {
		size_t above;

		if (!is_made(names, name))
			continue;
		above = names_place(names, name->path);
		if (!last || above != place || memcmp(name->path, last, place) != 0)
			section = section_of(profile, name->path, above);
		last = name->path;
		place = above;
		made.count += section > lowest;
		if (section > highest) {
			highest = section;
			made.path = name->path;
		}
	}
	return made;
}

struct made learner_made_directory(const struct learner *learner, const struct profile *profile)
{
	return find_made(learner, profile, SECTION_NORMAL, is_made_directory);
}

struct made learner_made_file(const struct learner *learner, const struct profile *profile)
{
	return find_made(learner, profile, SECTION_GUARDED, is_made_file);
}
