#include "tracer/summary.h"

#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "base/cleanup.h"
#include "base/memory.h"
#include "base/message.h"
#include "base/shell.h"
#include "profile/fact.h"
#include "profile/hold.h"
#include "profile/incomplete.h"
#include "profile/reach_list.h"
#include "profile/seccomp_groups.h"
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

static void add_count(struct buffer *text, size_t count, const char *one, const char *many)
{
	if (count)
		buffer_format(text, ", %zu %s", count, count == 1 ? one : many);
}

static void print_counts(const struct profile *profile)
{
	scoped_buffer text = {0};

	for (enum section section = 0; section < SECTION_ABSENT; section++) {
		size_t count = count_grants(profile, section);

		if (count || section == SECTION_NORMAL)
			buffer_format(&text, "%s%zu %s", text.length ? ", " : "", count, section_name(section));
	}
	add_count(&text, profile->port_count, "port", "ports");
	add_count(&text, (size_t)__builtin_popcountll(profile->scope), "scope", "scopes");
	add_count(&text, profile->seccomp_count, "group of calls", "groups of calls");
	message_notice("grants: %s", text.data);
}

/* What is above normal is said with -q too. */
static void print_fact(enum tier tier, const char *fact)
{
	if (tier == TIER_NORMAL)
		message_detail("normal: %s", fact);
	else if (tier == TIER_GUARDED)
		message("guarded: %s", fact);
	else
		message_warning("protected: %s", fact);
}

/* What has no path is granted all the same: [held] has no place for it. */
static void print_other(const struct summary *summary, enum tier tier, const char *fact)
{
	if (summary->hold > TIER_NORMAL && tier >= summary->hold)
		message_warning("%s, and not held, since --hold is for paths (--review asks about it): %s",
				tier_name(tier), fact);
	else
		print_fact(tier, fact);
}

static void print_held(const struct summary *summary, const struct grant *grant, const char *fact)
{
	enum tier tier = grant->path ? tiers_of_grant(summary->tiers, grant->path, grant->rights) : TIER_NORMAL;
	bool is_high = summary->hold > TIER_NORMAL && tier >= summary->hold;
	const char *beneath = grant->path && !is_high ? hold_beneath(summary->profile, grant) : NULL;
	scoped_free char *path = beneath ? fact_path(beneath) : NULL;

	message_notice("held (%s)%s%s, not enforced until a person moves the line: %s", tier_name(tier),
		       path ? ", for it would let in what is held on " : "", path ? path : "", fact);
}

static void print_grant(const struct summary *summary, const struct grant *grant)
{
	scoped_free char *fact = fact_grant(grant->rights, grant->path);

	if (section_is_enforced(grant->section))
		print_fact((enum tier)grant->section, fact);
	else
		print_held(summary, grant, fact);
}

static void print_section(const struct summary *summary, enum section section)
{
	const struct profile *profile = summary->profile;
	size_t count = 0;

	for (size_t i = 0; i < profile->grant_count; i++)
		if (profile->grants[i].section == section && (count++ < GRANTS_MAX || summary->whole))
			print_grant(summary, &profile->grants[i]);
	if (count <= GRANTS_MAX || section == SECTION_NORMAL || summary->whole)
		return;
	if (section == SECTION_HELD)
		message_notice("and %zu more that are held: see the profile", count - GRANTS_MAX);
	else
		message("and %zu more that are %s: see the profile", count - GRANTS_MAX, section_name(section));
}

static void print_ports(const struct summary *summary)
{
	const struct profile *profile = summary->profile;
	size_t shown = summary->whole || profile->port_count < GRANTS_MAX ? profile->port_count : GRANTS_MAX;

	for (size_t i = 0; i < shown; i++) {
		scoped_free char *port = fact_port(profile->ports[i].rights, profile->ports[i].port);
		scoped_free char *fact = format_text("network: %s", port);

		print_other(summary, TIER_OF_PORT, fact);
	}
	if (shown < profile->port_count)
		message("and %zu more of the network: see the profile", profile->port_count - shown);
}

static void print_scopes(const struct summary *summary)
{
	const struct profile *profile = summary->profile;

	for (const struct right *right = right_table; right->name; right++) {
		scoped_free char *fact = format_text("scope: %s", right->name);

		if (profile->scope & right->bit)
			print_other(summary, TIER_OF_SCOPE, fact);
	}
}

/* Of each, what it opens. */
static void print_words(const struct summary *summary)
{
	const struct profile *profile = summary->profile;

	for (size_t i = 0; i < profile->seccomp_count; i++) {
		const char *word = profile->seccomp[i].text;
		enum seccomp_group group = seccomp_group_of_word(word);
		scoped_free char *fact = format_text("seccomp: %s (%s)", word, seccomp_group_table[group].help);

		print_other(summary, TIER_OF_WORD, fact);
	}
}

static bool was_touched(void *data, const char *path)
{
	return learner_touched(data, path);
}

static bool was_widened(void *data, const char *path)
{
	return widenings_has(learner_widened(data), path);
}

static bool was_file(void *data, const char *path)
{
	return learner_saw_file(data, path);
}

/* Before the list of what that reaches. */
static void print_widened(const struct summary *summary)
{
	const struct widenings *widened = learner_widened(summary->learner);
	size_t count = 0;

	for (size_t i = 0; i < widened->count; i++) {
		scoped_free char *text = widening_text(&widened->items[i], summary->profile);

		if (text && (count++ < GRANTS_MAX || summary->whole))
			message("%s", text);
	}
	if (count > GRANTS_MAX && !summary->whole)
		message("and %zu more of that kind: -v lists all", count - GRANTS_MAX);
}

static void print_reach(const struct summary *summary)
{
	const struct reach_session session = {
		.touched = was_touched, .widened = was_widened, .is_file = was_file, .data = summary->learner};
	struct reach_list list;
	size_t shown, left = 0;

	reach_list_make(&list, summary->profile, summary->tiers, &session);
	shown = summary->whole || list.count <= REACH_MAX ? list.count : REACH_MAX;
	for (size_t i = 0; i < list.count; i++)
		if (list.lines[i].untold)
			message_warning("%s", list.lines[i].text);
		else if (i < shown)
			message_notice("%s", list.lines[i].text);
		else
			left++;
	if (left)
		message_notice("and %zu more lines of that kind: -v lists all", left);
	reach_list_finish(&list);
}

static void print_swaps(const struct summary *summary)
{
	struct cover *cover;
	size_t count = 0;

	if (!swap_is_possible(summary->profile))
		return;
	cover = cover_create(summary->profile, COVER_ENFORCED);
	for (size_t i = 0; i < summary->profile->grant_count; i++) {
		const struct grant *grant = &summary->profile->grants[i];
		struct swap swap;

		if (swap_find(cover, grant, &swap) && (count++ < SWAPS_MAX || summary->whole)) {
			scoped_free char *text = swap_text(grant, &swap);

			message_notice("%s", text);
		}
	}
	if (count > SWAPS_MAX && !summary->whole)
		message_notice("and %zu more %s of that kind: trace-profile check lists all", count - SWAPS_MAX,
			       count - SWAPS_MAX == 1 ? "name" : "names");
	cover_destroy(cover);
}

static void print_incomplete(const struct summary *summary)
{
	const struct profile *profile = summary->profile;

	for (size_t i = 0; i < profile->incomplete_count; i++)
		if (!summary->told || strcmp(summary->told, profile->incomplete[i].text) != 0)
			message_warning("incomplete, a confined run may differ: %s%s", profile->incomplete[i].text,
					incomplete_note(profile, profile->incomplete[i].text));
}

static void print_log(const struct summary *summary)
{
	if (summary->log_name)
		message_notice("the log is %s (SHA-256 %s)", summary->log_name, summary->log_hash);
}

/* What is held waits for a person, who may want to know why it is there. */
static void print_review(const struct summary *summary)
{
	scoped_free char *name = shell_file(summary->name);
	scoped_buffer line = {0};

	buffer_add_text(&line, "trace-profile review ");
	if (summary->log_name) {
		scoped_free char *log = format_text("--log=%s", summary->log_name);

		shell_add_word(&line, log);
		buffer_add_byte(&line, ' ');
	}
	message_notice("  %s-- %s", buffer_text(&line), name);
}

static void print_next(const struct summary *summary)
{
	scoped_free char *name = summary->name ? shell_file(summary->name) : NULL;
	scoped_buffer line = {0};
	scoped_error refusal = {0};

	if (!name)
		return;
	if (summary->passed_on) {
		message_notice("the profile went to %s, where nothing can be run from it", summary->name);
		return;
	}
	if (summary->gate(summary->name, summary->profile, summary->hash, summary->tiers, &refusal) < 0) {
		message_warning("the profile is %s, and trace-run refuses it as it is: %s", summary->name,
				refusal.message);
		return;
	}
	message_notice("the profile is %s; next:", summary->name);
	if (count_grants(summary->profile, SECTION_HELD))
		print_review(summary);
	buffer_format(&line, "trace-run -p %s --", name);
	for (char *const *word = summary->program; *word; word++) {
		buffer_add_byte(&line, ' ');
		shell_add_word(&line, *word);
	}
	message_notice("  %s", line.data);
}

void summary_print(const struct summary *summary)
{
	print_counts(summary->profile);
	for (enum section section = 0; section < SECTION_ABSENT; section++)
		print_section(summary, section);
	print_ports(summary);
	print_scopes(summary);
	print_words(summary);
	print_widened(summary);
	print_reach(summary);
	print_swaps(summary);
	print_incomplete(summary);
	summary_print_otherwise(summary);
	print_log(summary);
	print_next(summary);
}
