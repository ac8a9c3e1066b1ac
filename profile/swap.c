#include "profile/swap.h"

#include <string.h>

#include "base/cleanup.h"
#include "base/memory.h"
#include "profile/path.h"

/* rename(2) asks for both. The part of a way that is no directory is the last one alone. */
static bool may_rename(rights_t rights, bool is_last)
{
	const rights_t directories = RIGHT_MAKE_DIR | RIGHT_REMOVE_DIR, files = RIGHT_MAKE_REG | RIGHT_REMOVE_FILE;

	return (rights & directories) == directories || (is_last && (rights & files) == files);
}

bool swap_is_possible(const struct profile *profile)
{
	rights_t rights = 0;

	for (size_t i = 0; i < profile->grant_count; i++)
		if (section_is_enforced(profile->grants[i].section))
			rights |= profile->grants[i].rights;
	return may_rename(rights, true);
}

bool swap_find(const struct cover *cover, const struct grant *grant, struct swap *swap)
{
	scoped_free char *path = NULL;
	rights_t rights;
	bool is_last = true;

	if (!grant_is_enforced(grant))
		return false;
	path = duplicate(grant->path);
	rights = cover_rights(cover, path);
	if (!may_rename(rights, true))
		return false; /* then nothing above may either */
	for (size_t length = path_parent_length(path); length; length = path_parent_length(path)) {
		rights_t above;

		if (length == 1)
			return false; /* nothing is renamed in "/" */
		path[length] = '\0';
		above = cover_rights(cover, path);
		if (may_rename(above, is_last) && rights & ~above) {
			*swap = (struct swap){.gained = rights & ~above, .directory = length};
			return true;
		}
		is_last = false;
	}
	return false;
}

char *swap_text(const struct grant *grant, const struct swap *swap)
{
	scoped_free char *directory = duplicate_bytes(grant->path, swap->directory);
	scoped_buffer rights = {0};

	rights_write(&rights, swap->gained);
	return format_text(
		"the program may put something else of %s under the name %s, and has %s on that from the next "
		"start on: keep what is not meant for it elsewhere than in %s",
		directory, grant->path, buffer_text(&rights), directory);
}
