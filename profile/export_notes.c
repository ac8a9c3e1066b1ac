#include "base/cleanup.h"
#include "profile/export_plan.h"
#include "profile/fact.h"

/* All that can be done to an object of a mount that can be written. */
static rights_t all_rights(const struct export_mount *mount)
{
	rights_t rights = mount->wide ? RIGHTS_FILE_SYSTEM : RIGHTS_ON_FILE;

	return mount->mode == EXPORT_DEVICE ? rights : rights & ~RIGHT_IOCTL_DEV;
}

static void note_mount(struct export_plan *plan, const struct export_mount *mount)
{
	scoped_free char *path = fact_path(mount->path);
	scoped_free char *rights = fact_rights(mount->rights);

	if (mount->mode == EXPORT_LIST)
		export_note(plan, "%s: only %s is granted; here it has nothing in it but what stands below", path,
			    rights);
	else if (mount->mode != EXPORT_READ && all_rights(mount) & ~mount->rights)
		export_note(plan, "wider: %s: only %s is granted; here everything can be done with it%s", path, rights,
			    mount->wide ? " and beneath it" : "");
}

static void note_mounts(struct export_plan *plan)
{
	export_note(plan, "wider: what can be read can be executed, and listed if it is a directory");
	for (size_t i = 0; i < plan->mount_count; i++)
		note_mount(plan, &plan->mounts[i]);
	export_note(
		plan,
		"names outside cannot be seen at all, where Landlock lets stat(2), readlink(2), chdir(2) and "
		"connecting to a socket by its path be; what the program only does so is missing here, and a program "
		"that needs such a name may not start (Python looks for the sources of its modules)");
	export_note(plan, "symbolic links on the way to what is granted are followed at each start, also those that "
			  "the program could have made");
	if (plan->profile->move_count)
		export_note(plan,
			    "a rename or link from one mount to another fails (EXDEV), and so does a rename onto "
			    "a file that is mounted by itself (EBUSY); the profile has %zu moves",
			    plan->profile->move_count);
}

static void note_profile(struct export_plan *plan)
{
	const struct profile *profile = plan->profile;
	size_t held = 0, skipped = 0;

	for (size_t i = 0; i < profile->grant_count; i++) {
		held += profile->grants[i].section == SECTION_HELD;
		skipped += profile->grants[i].skipped;
	}
	if (held)
		export_note(plan, "%zu held lines are left out", held);
	if (skipped)
		export_note(plan, "%zu lines on a terminal are left out: there is none here", skipped);
	if (!profile->complete)
		export_note(plan, "the profile is incomplete: a confined run may differ from the session");
	export_note(plan, "variables such as ${HOME} are replaced by what they are here and now");
	export_note(plan, "system calls are not filtered%s",
		    profile->has_seccomp ? ": the words of [seccomp] are left out" : "");
}

void export_note_common(struct export_plan *plan)
{
	note_mounts(plan);
	note_profile(plan);
}
