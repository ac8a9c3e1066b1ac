#include "profile/closure.h"

#include "profile/needs.h"

/* is_access_to_paths_allowed() in the kernel's security/landlock/fs.c: a file can only gain what files can have. */
rights_t closure_gained(const struct move *move, const struct cover *cover)
{
	rights_t possible = move->directory ? RIGHTS_FILE_SYSTEM : RIGHTS_ON_FILE;

	return cover_rights(cover, move->to) & possible & ~cover_rights(cover, move->from);
}

/* Adds once what each move lacks; returns whether anything was granted. What was open and stays so sets *open. */
static bool close_once(struct profile *profile, struct cover *cover, bool *open)
{
	bool grew = false;

	*open = false;
	for (size_t i = 0; i < profile->move_count; i++) {
		const struct move *move = &profile->moves[i];
		rights_t missing = closure_gained(move, cover);
		rights_t granted = missing ? needs_add(profile, move->from, missing) : 0;

		cover_add(cover, move->from, granted);
		grew |= granted != 0;
		*open |= granted != missing;
	}
	return grew;
}

bool closure_close(struct profile *profile)
{
	struct cover *cover = cover_create(profile, COVER_ENFORCED);
	bool open;

	/* Each round adds a right somewhere, and what was added may be gained by another move. */
	while (close_once(profile, cover, &open))
		;
	cover_destroy(cover);
	return !open;
}
