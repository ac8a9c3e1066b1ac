/* What a session made already, for those who ask before they wait for a call. */
#include "profile/learner.h"
#include "profile/path.h"

void learner_make_within(struct learner *learner, struct name *directory, rights_t rights)
{
	directory->within |= rights;
	learner->makes_in_own = learner->makes_in_own || names_is_own(&learner->names, directory);
}

/* In a directory that is gone an open may fail before it is missed, as of EMFILE: the exit alone tells. */
bool learner_has_made(const struct learner *learner, const struct access *access)
{
	const struct name *directory, *name;
	rights_t rights;

	if (!learner->makes_in_own || !access)
		return learner->makes_in_own;
	directory = names_find_first(&learner->names, access->path, path_parent_length(access->path));
	name = names_find(&learner->names, access->path);
	if (name && name->born && !name->gone)
		return false;
	rights = access_make_right(access->type) | access->rights;
	return directory && !directory->target && !(rights & ~directory->within) &&
	       names_is_own(&learner->names, directory) && !names_is_gone(&learner->names, directory->path);
}
