#include "tracer/summary.h"

#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "base/cleanup.h"
#include "base/escape.h"
#include "base/message.h"
#include "profile/fact.h"
#include "profile/reach_list.h"
#include "profile/swap.h"

#define GRANTS_MAX 20 /* lines for one tier */
#define REACH_MAX  60
#define SWAPS_MAX  3

static size_t count_grants(const struct profile *profile, enum section section)
{
	size_t count = 0;

	for (size_t i = 0; i < profile->grant_count; i++)
		count += profile->grants[i].section == section;
	return count;
}

static void print_counts(const struct profile *profile)
{
	scoped_buffer text = {0};

	for (enum section section = 0; section < SECTION_ABSENT; section++) {
		size_t count = count_grants(profile, section);

		if (count || section == SECTION_NORMAL)
			buffer_format(&text, "%s%zu %s", text.length ? ", " : "", count, section_name(section));
	}
	if (profile->port_count)
		buffer_format(&text, ", %zu of the network", profile->port_count);
	message_notice("grants: %s", text.data);
}

/* Warnings are said with -q too. */
static void print_grant(const struct grant *grant)
{
	scoped_free char *fact = fact_grant(grant->rights, grant->path);

	if (grant->section == SECTION_NORMAL)
		message_detail("normal: %s", fact);
	else if (grant->section == SECTION_PROTECTED)
		message_warning("protected: %s", fact);
	else if (grant->section == SECTION_HELD)
		message_notice("held, not enforced until a person moves the line: %s", fact);
	else
		message_notice("%s: %s", section_name(grant->section), fact);
}

static void print_section(const struct summary *summary, enum section section)
{
	const struct profile *profile = summary->profile;
	size_t count = 0;

	for (size_t i = 0; i < profile->grant_count; i++)
		if (profile->grants[i].section == section && (count++ < GRANTS_MAX || summary->whole))
			print_grant(&profile->grants[i]);
	if (count > GRANTS_MAX && section != SECTION_NORMAL && !summary->whole)
		message_notice("and %zu more that are %s: see the profile", count - GRANTS_MAX, section_name(section));
}

static bool was_touched(void *data, const char *path)
{
	return learner_touched(data, path);
}

static bool was_widened(void *data, const char *path)
{
	return widenings_has(learner_widened(data), path);
}

/* Before the list of what that reaches. */
static void print_widened(const struct summary *summary)
{
	const struct widenings *widened = learner_widened(summary->learner);
	size_t count = 0;

	for (size_t i = 0; i < widened->count; i++) {
		scoped_free char *text = widening_text(&widened->items[i], summary->profile);

		if (text && (count++ < GRANTS_MAX || summary->whole))
			message_notice("%s", text);
	}
	if (count > GRANTS_MAX && !summary->whole)
		message_notice("and %zu more of that kind: -v lists all", count - GRANTS_MAX);
}

static void print_reach(const struct summary *summary)
{
	struct reach_list list;
	size_t shown;

	reach_list_make_with(&list, summary->profile, summary->tiers, was_touched, was_widened, summary->learner);
	shown = summary->whole || list.count <= REACH_MAX ? list.count : REACH_MAX;
	for (size_t i = 0; i < shown; i++)
		message_notice("%s", list.lines[i]);
	if (shown < list.count)
		message_notice("and more of that kind: -v lists all");
	reach_list_finish(&list);
}

static void print_calls(const struct profile *profile)
{
	scoped_buffer words = {0};

	for (size_t i = 0; i < profile->seccomp_count; i++)
		buffer_format(&words, "%s%s", i ? ", " : "", profile->seccomp[i].text);
	if (words.length)
		message_notice("system calls that Landlock does not reach are open: %s", words.data);
}

static void print_swaps(const struct summary *summary)
{
	struct cover *cover = cover_create(summary->profile, COVER_ENFORCED);
	size_t count = 0;

	for (size_t i = 0; i < summary->profile->grant_count; i++) {
		const struct grant *grant = &summary->profile->grants[i];
		struct swap swap;

		if (swap_find(cover, grant, &swap) && (count++ < SWAPS_MAX || summary->whole)) {
			scoped_free char *text = swap_text(grant, &swap);

			message_notice("%s", text);
		}
	}
	if (count > SWAPS_MAX && !summary->whole)
		message_notice("and %zu more names of that kind: trace-profile check lists all", count - SWAPS_MAX);
	cover_destroy(cover);
}

static void print_incomplete(const struct profile *profile)
{
	for (size_t i = 0; i < profile->incomplete_count; i++)
		message_warning("incomplete, a confined run may differ: %s", profile->incomplete[i].text);
}

static void print_missing(struct learner *learner)
{
	size_t count = learner_missing_count(learner);

	if (count)
		message_notice(
			"%zu file%s looked for and missing: what exists next time is not granted; learn with fresh "
			"caches and with warm ones, and merge the profiles (trace-profile merge, or -m FILE)",
			count, count == 1 ? " was" : "s were");
}

static bool is_plain(const char *word)
{
	return *word && !word[strspn(word, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
					   "%+,-./:=@_")];
}

/* What would not reach the terminal as it is, or not come back from it. */
static bool is_visible(const char *word)
{
	scoped_buffer shown = {0};

	escape_display(&shown, word);
	return !strcmp(buffer_text(&shown), word);
}

/* $'…' of bash, zsh and ksh. */
static void add_invisible(struct buffer *line, const char *word)
{
	buffer_add_text(line, " $'");
	for (; *word; word++)
		if (*word == '\\' || *word == '\'')
			buffer_format(line, "\\%c", *word);
		else if (*word >= ' ' && *word <= '~')
			buffer_add_byte(line, *word);
		else
			buffer_format(line, "\\%03o", (unsigned char)*word);
	buffer_add_byte(line, '\'');
}

/* As it can be typed in a shell. */
static void add_word(struct buffer *line, const char *word)
{
	if (is_plain(word)) {
		buffer_format(line, " %s", word);
		return;
	}
	if (!is_visible(word)) {
		add_invisible(line, word);
		return;
	}
	buffer_add_text(line, " '");
	for (; *word; word++)
		if (*word == '\'')
			buffer_add_text(line, "'\\''");
		else
			buffer_add_byte(line, *word);
	buffer_add_byte(line, '\'');
}

static void print_log(const struct summary *summary)
{
	if (summary->log_name)
		message_notice("the log is %s (SHA-256 %s)", summary->log_name, summary->log_hash);
}

static void print_next(const struct summary *summary)
{
	scoped_buffer line = {0};
	scoped_error refusal = {0};

	if (!summary->name)
		return;
	if (summary->gate(summary->name, summary->profile, summary->hash, summary->tiers, &refusal) < 0) {
		message_warning("the profile is %s, and trace-run refuses it as it is: %s", summary->name,
				refusal.message);
		return;
	}
	message_notice("the profile is %s; next:", summary->name);
	buffer_add_text(&line, "trace-run -p");
	add_word(&line, summary->name);
	buffer_add_text(&line, " --");
	for (char *const *word = summary->program; *word; word++)
		add_word(&line, *word);
	message_notice("  %s", line.data);
}

void summary_print(const struct summary *summary)
{
	print_counts(summary->profile);
	for (enum section section = 0; section < SECTION_ABSENT; section++)
		print_section(summary, section);
	print_widened(summary);
	print_reach(summary);
	print_swaps(summary);
	print_calls(summary->profile);
	print_incomplete(summary->profile);
	print_missing(summary->learner);
	print_log(summary);
	print_next(summary);
}
