#include "profile/incomplete.h"

#include <string.h>

#include "profile/hold.h"

#define PROC_ALL " (trace-learn --proc=all grants reading them)"

/* Whether the line stands that --proc=all writes, or a wider one on the same directory. */
static bool grants_reading_proc(const struct profile *profile)
{
	const rights_t reading = RIGHT_READ_FILE | RIGHT_READ_DIR;

	for (size_t i = 0; i < profile->grant_count; i++) {
		const struct grant *grant = &profile->grants[i];

		if (section_is_enforced(grant->section) && grant->path && !strcmp(grant->path, "/proc") &&
		    (grant->rights & reading) == reading)
			return true;
	}
	return false;
}

const char *incomplete_note(const struct profile *profile, const char *reason)
{
	if (hold_is_settled(profile, reason))
		return " (nothing is held any more: see trace-profile check)";
	if (strcmp(reason, INCOMPLETE_PROC) != 0)
		return "";
	return grants_reading_proc(profile) ? " (reading them is granted now: see trace-profile check)" : PROC_ALL;
}

const char *incomplete_advice(const struct profile *profile, const char *reason)
{
	if (hold_is_settled(profile, reason))
		return " (nothing is held any more: where those lines were moved, and not taken away, remove this one, "
		       "and `complete = no')";
	if (strcmp(reason, INCOMPLETE_PROC) != 0)
		return "";
	return grants_reading_proc(profile) ? " (reading them is granted now: where they were not changed, remove this "
					      "one, and `complete = no')"
					    : PROC_ALL;
}
