/*
 * The part of diff that concerns [environment]. Without the section everything passes, so its loss counts as protected.
 * A variable that may pass again, or that gets another value, counts as guarded: it may carry a secret to the program
 * or steer it (LD_PRELOAD, PATH). A variable that no longer passes is told and gains nothing.
 */
#include <string.h>

#include "base/cleanup.h"
#include "base/memory.h"
#include "profile/diff_parts.h"
#include "profile/fact.h"

static const struct environment_line *find_line(const struct profile *profile, enum environment_action action,
						const char *name)
{
	return profile_environment_line(profile, action, name, strlen(name));
}

static struct change *add_line(struct diff *diff, enum change_kind kind, const struct environment_line *line,
			       bool gains, const char *note)
{
	struct change *change = diff_add_enforced(diff, kind, "environment", fact_environment(line),
						  gains ? TIER_GUARDED : TIER_NORMAL, gains);

	change->note = duplicate(note);
	return change;
}

static void compare_new_set(const struct environment_line *was, const struct environment_line *line, struct diff *diff)
{
	scoped_free char *old_value = NULL;
	struct change *change;

	if (was && strcmp(was->value, line->value) == 0)
		return;
	change = add_line(diff, was ? CHANGE_CHANGED : CHANGE_GAINED, line, true, NULL);
	if (was) {
		old_value = fact_path(was->value);
		change->note = format_text("was %s", old_value);
	}
}

static void compare_new_line(const struct profile *old, const struct environment_line *line, struct diff *diff)
{
	const struct environment_line *was = find_line(old, line->action, line->name);

	if (line->action == ENVIRONMENT_SET)
		compare_new_set(was, line, diff);
	else if (was)
		return;
	else if (line->action == ENVIRONMENT_KEEP)
		add_line(diff, CHANGE_GAINED, line, old->has_environment, NULL);
	else
		add_line(diff, CHANGE_CHANGED, line, false, "new: it no longer passes");
}

static void compare_old_line(const struct profile *new, const struct environment_line *line, struct diff *diff)
{
	bool decided = find_line(new, ENVIRONMENT_SET, line->name) || find_line(new, ENVIRONMENT_UNSET, line->name);

	if (find_line(new, line->action, line->name) || (line->action == ENVIRONMENT_SET && decided))
		return;
	if (line->action == ENVIRONMENT_KEEP)
		add_line(diff, CHANGE_LOST, line, false, NULL);
	else if (line->action == ENVIRONMENT_SET)
		add_line(diff, CHANGE_LOST, line, true, "the caller's own value may pass");
	else
		add_line(diff, CHANGE_CHANGED, line, !decided, "gone: it may pass again");
}

static void add_section(struct diff *diff, const char *text, bool gains, const char *note)
{
	struct change *change = diff_add_enforced(diff, CHANGE_CHANGED, "environment", duplicate(text),
						  gains ? TIER_PROTECTED : TIER_NORMAL, gains);

	change->note = duplicate(note);
}

void diff_environment(const struct profile *old, const struct profile *new, struct diff *diff)
{
	if (!new->has_environment) {
		if (old->has_environment)
			add_section(diff, "no [environment]", true, "was there: every variable passes now");
		return;
	}
	if (!old->has_environment)
		add_section(diff, "[environment]", false, "is new: every variable passed before");
	else if (profile_has_action(old, ENVIRONMENT_KEEP) && !profile_has_action(new, ENVIRONMENT_KEEP))
		add_section(diff, "no keep", true, "had some: what passes is no longer a list");
	for (size_t i = 0; i < new->environment_count; i++)
		compare_new_line(old, &new->environment[i], diff);
	for (size_t i = 0; i < old->environment_count; i++)
		compare_old_line(new, &old->environment[i], diff);
}
