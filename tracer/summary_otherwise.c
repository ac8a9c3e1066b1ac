#include "base/buffer.h"
#include "base/cleanup.h"
#include "base/memory.h"
#include "base/message.h"
#include "base/shell.h"
#include "profile/learn_next.h"
#include "tracer/summary.h"

/* One is named: mostly it is what the loader looks for in every program, and no matter. */
static void print_missing(struct learner *learner)
{
	size_t count = learner_missing_count(learner);
	scoped_free char *name = count == 1 ? format_text(" (%s)", learner_missing(learner)) : NULL;

	if (count)
		message_notice(
			"%zu file%s looked for and missing%s: what exists next time is not granted; learn with fresh "
			"caches and with warm ones, and merge the profiles (trace-profile merge, or -m FILE)",
			count, count == 1 ? " was" : "s were", name ? name : "");
}

static void print_made_directory(const struct summary *summary)
{
	struct made made = learner_made_directory(summary->learner, summary->profile);
	const char *anew = summary->name ? ", with -f," : "";

	if (made.count == 1)
		message_notice("%s was made in this session, so what was done in it is granted on all of the directory "
			       "above it; it is there now: learn anew%s for a grant on it alone",
			       made.path, anew);
	else if (made.count)
		message_notice(
			"%zu directories were made in this session (%s …), so what was done in them is granted on "
			"all of the directories above; they are there now: learn anew%s for grants on them alone",
			made.count, made.path, anew);
}

/* Where the directory's grant reaches secrets it is worth a second session to do without. */
static void print_made_file(const struct summary *summary)
{
	struct made made = learner_made_file(summary->learner, summary->profile);
	const char *anew = summary->name ? ", with -f," : "";

	if (made.count == 1)
		message_notice(
			"%s was made in this session, and to make it is a right on all of the directory above it; "
			"it is there now: learn anew%s for a grant on it alone, if nothing else is made there",
			made.path, anew);
	else if (made.count)
		message_notice(
			"%zu files were made in this session (%s …), and to make them is a right on all of the "
			"directories above; they are there now: learn anew%s for grants on them alone, if nothing "
			"else is made there",
			made.count, made.path, anew);
}

/* -m makes the profile grow, and only a name can be merged into. */
static void print_left(const struct summary *summary)
{
	struct left left = learner_left(summary->learner, summary->profile);
	scoped_free char *name = summary->name ? shell_file(summary->name) : NULL;
	scoped_buffer rights = {0};
	const char *uses = "empty or replace";

	if (!left.count)
		return;
	rights_write(&rights, left.rights);
	if (left.rights & ~(RIGHT_TRUNCATE | RIGHT_REMOVE_FILE))
		uses = "empty, replace or use";
	message_notice("%zu file%s made that %s there at the next start (%s%s): should the program %s %s then, "
		       "that takes %s, which is not granted; learn once more now%s%s",
		       left.count, left.count == 1 ? " was" : "s were", left.count == 1 ? "is" : "are", left.path,
		       left.count == 1 ? "" : " …", uses, left.count == 1 ? "it" : "one", buffer_text(&rights),
		       name ? ", with -m " : ", and merge", name ? name : "");
}

void summary_print_otherwise(const struct summary *summary)
{
	print_missing(summary->learner);
	print_left(summary);
	print_made_directory(summary);
	print_made_file(summary);
}
