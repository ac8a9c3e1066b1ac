#include "runner/profile_notes.h"

#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/message.h"
#include "profile/hold.h"
#include "profile/incomplete.h"
#include "profile/path.h"

#define MOST_REASONS 10

/* Lines of one kind: how many, and the first in the file. */
struct lines {
	size_t count;
	const struct grant *first;
};

static void count_line(struct lines *lines, const struct grant *grant)
{
	if (!lines->count++ || grant->origin.line < lines->first->origin.line)
		lines->first = grant;
}

static void say_held(const struct profile_notes *notes)
{
	const struct profile *profile = notes->reach->profile;
	struct lines held = {0}, covered = {0};
	scoped_buffer names = {0};

	for (size_t i = 0; i < profile->grant_count; i++) {
		const struct grant *grant = &profile->grants[i];

		if (grant->section != SECTION_HELD || grant->skipped)
			continue;
		count_line(&held, grant);
		if (!(grant->rights & ~reach_rights(notes->reach, grant->path)))
			count_line(&covered, grant);
	}
	if (!held.count)
		return;
	rights_write(&names, held.first->rights);
	message_warning("%s: %zu held line%s not enforced; the first is line %u: %s %s", notes->file, held.count,
			held.count == 1 ? " is" : "s are", held.first->origin.line, names.data, held.first->path);
	if (covered.count)
		message_warning("%s: %zu held line%s allowed all the same by other grants, since Landlock cannot take "
				"away; the first is line %u: %s",
				notes->file, covered.count, covered.count == 1 ? " is" : "s are",
				covered.first->origin.line, covered.first->path);
}

static void count_low(const struct profile_notes *notes, const struct profile *profile, struct lines *low)
{
	for (size_t i = 0; i < profile->grant_count; i++) {
		const struct grant *grant = &profile->grants[i];

		if (grant_is_enforced(grant) &&
		    section_of_tier(tiers_of_grant(notes->tiers, grant->path, grant->rights)) > grant->section)
			count_line(low, grant);
	}
}

/* By the name in the line, and by that of what it leads to through links. */
static void say_headings(const struct profile_notes *notes)
{
	struct lines low = {0};
	enum tier tier;

	count_low(notes, notes->reach->profile, &low);
	count_low(notes, &notes->reach->others, &low);
	if (!low.count)
		return;
	tier = tiers_of_grant(notes->tiers, low.first->path, low.first->rights);
	message_warning("%s: %zu line%s under too low a heading; the first is line %u: %s is %s, not %s (see "
			"trace-profile check)",
			notes->file, low.count, low.count == 1 ? " stands" : "s stand", low.first->origin.line,
			low.first->path, tier_name(tier), section_name(low.first->section));
}

/* Nothing but a hand writes such a line. By other names of / as well. */
static void say_root(const struct profile_notes *notes)
{
	rights_t rights = hold_never_granted("/", reach_rights(notes->reach, "/"));
	scoped_buffer names = {0};

	rights_write(&names, rights);
	if (rights)
		message_warning("%s: it grants %s on /, which reaches every file (see trace-profile check)",
				notes->file, names.data);
}

static void say_incomplete(const struct profile_notes *notes)
{
	const struct profile *profile = notes->reach->profile;
	size_t count = profile->incomplete_count;

	for (size_t i = 0; i < count && i < MOST_REASONS; i++)
		message_warning("%s: incomplete: %s%s", notes->file, profile->incomplete[i].text,
				incomplete_note(profile, profile->incomplete[i].text));
	if (count > MOST_REASONS)
		message_warning("%s: incomplete: %zu more reasons", notes->file, count - MOST_REASONS);
	if (!profile->complete && !count)
		message_warning("%s: incomplete, without a reason", notes->file);
}

static void say_tiers(const struct profile_notes *notes)
{
	const char *then = notes->reach->profile->tiers;
	const char *now = tiers_hash(notes->tiers);

	if (then ? !now || strcmp(then, now) != 0 : now != NULL)
		message_notice("%s: its headings come from another table of tiers than the present one (%s)",
			       notes->file, now ? tiers_file(notes->tiers) : "the one built in");
}

static bool grants_beneath(const struct profile *profile, const char *directory)
{
	for (size_t i = 0; i < profile->grant_count; i++)
		if (grant_is_enforced(&profile->grants[i]) && path_is_beneath(profile->grants[i].path, directory))
			return true;
	return false;
}

static void say_directory(const struct profile_notes *notes)
{
	const struct profile *profile = notes->reach->profile;
	scoped_free char *present = getcwd(NULL, 0);

	if (profile->directory && !(present && strcmp(present, profile->directory) == 0) &&
	    grants_beneath(profile, profile->directory))
		message_notice("%s: learned in %s, and its grants stay there; the present directory is %s", notes->file,
			       profile->directory, present ? present : "without a name");
}

static void say_skipped(const struct profile_notes *notes)
{
	const struct profile *profile = notes->reach->profile;
	struct lines skipped = {0};

	for (size_t i = 0; i < profile->grant_count; i++)
		if (section_is_enforced(profile->grants[i].section) && profile->grants[i].skipped)
			count_line(&skipped, &profile->grants[i]);
	if (skipped.count)
		message_notice("%s: %zu line%s passed over, as there is no terminal for ${TTY}; the first is line %u",
			       notes->file, skipped.count, skipped.count == 1 ? " is" : "s are",
			       skipped.first->origin.line);
}

static void say_kernel(const struct profile_notes *notes)
{
	const struct ruleset *ruleset = notes->ruleset;
	scoped_buffer missing = {0};
	scoped_buffer needed = {0};
	scoped_buffer loose = {0};

	rights_write(&needed, ruleset->needed);
	rights_write(&missing, ruleset->missing & ~ruleset->needed);
	if (ruleset->abi < notes->reach->profile->landlock)
		message_warning("%s: it asks for Landlock ABI %d and runs with %d%s%s", notes->file,
				notes->reach->profile->landlock, ruleset->abi, needed.length ? "; not enforced: " : "",
				buffer_text(&needed));
	seccomp_set_write(&loose, ruleset->loose);
	if (missing.length)
		message_notice("Landlock ABI %d of this kernel does not enforce %s%s%s", ruleset->abi, missing.data,
			       loose.length ? ", so that every path or port is open to what [seccomp] allows: " : "",
			       buffer_text(&loose));
}

/* Nothing is lost by that, but the program may fail. */
static void say_refer(const struct profile_notes *notes)
{
	const struct profile *profile = notes->reach->profile;

	if (notes->ruleset->abi >= 2)
		return;
	for (size_t i = 0; i < profile->grant_count; i++)
		if (section_is_enforced(profile->grants[i].section) && profile->grants[i].rights & RIGHT_REFER) {
			message_warning(
				"%s:%u: refer is granted, but Landlock ABI %d of this kernel refuses each rename and "
				"link across directories",
				notes->file, profile->grants[i].origin.line, notes->ruleset->abi);
			return;
		}
}

void profile_notes_say(const struct profile_notes *notes)
{
	say_kernel(notes);
	say_refer(notes);
	say_incomplete(notes);
	say_held(notes);
	say_root(notes);
	say_headings(notes);
	say_tiers(notes);
	say_directory(notes);
	say_skipped(notes);
}
