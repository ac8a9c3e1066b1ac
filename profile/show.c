#include "profile/show.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/cleanup.h"
#include "base/memory.h"
#include "base/output.h"
#include "profile/fact.h"
#include "profile/named_paths.h"
#include "profile/reach_list.h"
#include "profile/show_tree.h"

#define LABEL_COLUMNS 13 /* in front of everything: a label, or a tier */
#define NAME_COLUMNS  60 /* beyond it, rights follow a name directly */

struct page {
	const struct profile *profile;
	const struct tiers *tiers;
	FILE *out;
	bool colour;
};

bool show_is_wide(const struct grant *grant)
{
	struct stat status;

	if (lstat(grant->path, &status) == 0 && !S_ISLNK(status.st_mode))
		return S_ISDIR(status.st_mode);
	return grant->rights & ~RIGHTS_ON_FILE;
}

static enum tier tier_of(const struct page *page, const struct grant *grant)
{
	return tiers_of_grant(page->tiers, grant->path, grant->rights);
}

/* Begins a line with what stands in its first columns. */
static void begin_line(const struct page *page, struct buffer *line, enum style style, const char *label)
{
	output_add(line, page->colour, style, label);
	output_pad(line, label, LABEL_COLUMNS);
}

static void print_field(const struct page *page, const char *label, enum style style, const char *format, ...)
	__attribute__((format(printf, 4, 5)));

static void print_field(const struct page *page, const char *label, enum style style, const char *format, ...)
{
	scoped_buffer line = {0};
	scoped_free char *text = NULL;
	va_list arguments;

	va_start(arguments, format);
	text = format_text_list(format, arguments);
	va_end(arguments);
	begin_line(page, &line, STYLE_BOLD, label);
	output_add(&line, page->colour, style, text);
	output_line(page->out, &line);
}

static void print_program(const struct page *page)
{
	const struct profile *profile = page->profile;
	scoped_free char *program = profile->program ? fact_path(profile->program) : NULL;
	scoped_free char *argv0 = profile->argv0 ? fact_path(profile->argv0) : NULL;
	scoped_free char *arguments = fact_arguments(profile);
	scoped_free char *directory = profile->directory ? fact_path(profile->directory) : NULL;

	if (program)
		print_field(page, "program", STYLE_PLAIN, argv0 ? "%s (as %s)" : "%s", program, argv0);
	if (profile->argument_count)
		print_field(page, "arguments", STYLE_PLAIN, "%s", arguments);
	if (directory)
		print_field(page, "directory", STYLE_PLAIN, "%s", directory);
}

static void print_session(const struct page *page)
{
	const struct profile *profile = page->profile;

	print_field(page, "sessions", STYLE_PLAIN, "%u", profile->sessions);
	if (profile->landlock)
		print_field(page, "landlock", STYLE_PLAIN, "ABI %d or newer", profile->landlock);
	else
		print_field(page, "landlock", STYLE_YELLOW, "any ABI, also one that can enforce little of it");
	if (profile->complete)
		print_field(page, "complete", STYLE_PLAIN, "yes");
	else
		print_field(page, "complete", STYLE_YELLOW, "no: a confined run may differ from the session");
	for (size_t i = 0; i < profile->incomplete_count; i++)
		print_field(page, "", STYLE_YELLOW, "  %s", profile->incomplete[i].text);
}

static void print_counts(const struct page *page)
{
	size_t counts[TIER_PROTECTED + 1] = {0}, all = 0;
	scoped_buffer line = {0};

	for (size_t i = 0; i < page->profile->grant_count; i++) {
		const struct grant *grant = &page->profile->grants[i];

		if (!grant_is_enforced(grant))
			continue;
		counts[tier_of(page, grant)]++;
		all++;
	}
	begin_line(page, &line, STYLE_BOLD, "files");
	if (!all)
		output_add(&line, page->colour, STYLE_YELLOW, "none: the program cannot even be executed");
	for (int tier = TIER_PROTECTED; tier >= TIER_NORMAL; tier--) {
		scoped_free char *text = format_text("%zu %s", counts[tier], tier_name(tier));

		if (!counts[tier])
			continue;
		output_add(&line, page->colour, tier_style(tier), text);
		if ((all -= counts[tier]))
			buffer_add_text(&line, ", ");
	}
	output_line(page->out, &line);
}

static size_t name_columns(const struct tree_line *line)
{
	return line->depth * 2 + output_width(line->name);
}

static size_t widest_name(const struct tree *tree)
{
	size_t widest = 0;

	for (size_t i = 0; i < tree->count; i++) {
		size_t columns = name_columns(&tree->lines[i]);

		if (tree->lines[i].grant && columns > widest && columns <= NAME_COLUMNS)
			widest = columns;
	}
	return widest;
}

static void print_tree_line(const struct page *page, const struct tree_line *tree_line, size_t widest)
{
	const struct grant *grant = tree_line->grant;
	enum tier tier = grant ? tier_of(page, grant) : TIER_NORMAL;
	scoped_free char *rights = grant ? fact_rights(grant->rights) : NULL;
	scoped_buffer line = {0};

	begin_line(page, &line, tier_style(tier), tier > TIER_NORMAL ? tier_name(tier) : "");
	output_pad(&line, "", tree_line->depth * 2);
	output_add(&line, page->colour, grant ? tier_style(tier) : STYLE_DIM, tree_line->name);
	if (grant) {
		for (size_t i = name_columns(tree_line); i < widest + 2 || i < name_columns(tree_line) + 2; i++)
			buffer_add_byte(&line, ' ');
		output_add(&line, page->colour, STYLE_PLAIN, rights);
		if (section_of_tier(tier) > grant->section) {
			scoped_free char *note = format_text("  (stands under [%s])", section_name(grant->section));

			output_add(&line, page->colour, STYLE_YELLOW, note);
		}
	}
	output_line(page->out, &line);
}

static void print_tree(const struct page *page)
{
	struct tree tree = {0};
	size_t widest;

	tree_make(page->profile, &tree);
	widest = widest_name(&tree);
	if (tree.count)
		fputc('\n', page->out);
	for (size_t i = 0; i < tree.count; i++)
		print_tree_line(page, &tree.lines[i], widest);
	fputc('\n', page->out);
	tree_finish(&tree);
}

static void print_reached(const struct page *page, const struct grant *grant, struct named_paths *named)
{
	struct grant_reach reach;
	scoped_free char *fact = fact_grant(grant->rights, grant->path);

	grant_reach_find(&reach, grant, page->tiers, named_paths_has, named);
	if (reach.total)
		print_field(page, "reach", tier_style(tier_of(page, grant)),
			    "%s also reaches, and no line names:", fact);
	for (size_t i = 0; i < reach.count; i++) {
		scoped_free char *path = fact_path(reach.entries[i].path);
		enum tier tier = reach.entries[i].tier;

		print_field(page, tier > TIER_NORMAL ? tier_name(tier) : "", tier_style(tier), "  %s", path);
	}
	if (reach.total > reach.count)
		print_field(page, "", STYLE_DIM, "  and %zu more", reach.total - reach.count);
	if (reach.links)
		print_field(page, "reach", STYLE_YELLOW,
			    "%s: the file has %zu links, and is written under all its names", fact, reach.links);
	grant_reach_finish(&reach);
}

/* What lies in the directories that are granted above normal, beside what the lines name. */
static void print_reach(const struct page *page)
{
	struct named_paths *named = named_paths_create(page->profile);

	for (size_t i = 0; i < page->profile->grant_count; i++) {
		const struct grant *grant = &page->profile->grants[i];

		if (grant_is_enforced(grant))
			print_reached(page, grant, named);
	}
	named_paths_destroy(named);
}

static void print_network(const struct page *page)
{
	const char *label = "network";

	if (!page->profile->port_count)
		print_field(page, label, STYLE_PLAIN, "no TCP or UDP port");
	for (size_t i = 0; i < page->profile->port_count; i++) {
		scoped_free char *fact = fact_port(page->profile->ports[i].rights, page->profile->ports[i].port);

		print_field(page, label, tier_style(TIER_GUARDED), "%s", fact);
		label = "";
	}
}

static void print_scope(const struct page *page)
{
	scoped_free char *scope = fact_rights(page->profile->scope);

	if (page->profile->scope)
		print_field(page, "scope", tier_style(TIER_PROTECTED), "open to processes outside: %s", scope);
	else
		print_field(page, "scope", STYLE_PLAIN, "signals and abstract sockets stay inside");
}

static void print_environment(const struct page *page)
{
	const char *label = "environment";

	if (!page->profile->has_environment)
		print_field(page, label, STYLE_PLAIN, "passes unchanged");
	else if (!page->profile->environment_count)
		print_field(page, label, STYLE_PLAIN, "an empty section");
	for (size_t i = 0; i < page->profile->environment_count; i++) {
		scoped_free char *fact = fact_environment(&page->profile->environment[i]);

		print_field(page, label, STYLE_PLAIN, "%s", fact);
		label = "";
	}
}

static void print_seccomp(const struct page *page)
{
	const char *label = "seccomp";

	if (!page->profile->seccomp_count)
		print_field(page, label, STYLE_PLAIN, "no group of calls is opened");
	for (size_t i = 0; i < page->profile->seccomp_count; i++) {
		print_field(page, label, tier_style(TIER_PROTECTED), "%s", page->profile->seccomp[i].text);
		label = "";
	}
}

static void print_told(const struct page *page, enum section section)
{
	size_t count = 0;

	for (size_t i = 0; i < page->profile->grant_count; i++)
		count += page->profile->grants[i].section == section;
	if (count)
		print_field(page, section_name(section), STYLE_DIM, "%zu, not enforced", count);
	for (size_t i = 0; i < page->profile->grant_count; i++) {
		const struct grant *grant = &page->profile->grants[i];
		scoped_free char *fact = grant->path ? fact_grant(grant->rights, grant->path) : NULL;
		scoped_buffer line = {0};
		enum tier tier;

		if (grant->section != section || !fact)
			continue;
		tier = tier_of(page, grant);
		begin_line(page, &line, tier_style(tier), tier > TIER_NORMAL ? tier_name(tier) : "");
		buffer_add_text(&line, "  ");
		output_add(&line, page->colour, STYLE_PLAIN, fact);
		output_line(page->out, &line);
	}
}

static void print_moves(const struct page *page)
{
	if (page->profile->move_count)
		print_field(page, "moves", STYLE_DIM, "%zu, not enforced", page->profile->move_count);
	for (size_t i = 0; i < page->profile->move_count; i++) {
		scoped_free char *fact = fact_move(&page->profile->moves[i]);

		print_field(page, "", STYLE_PLAIN, "  %s", fact);
	}
}

void show_text(const struct profile *profile, const struct tiers *tiers, const char *name, FILE *out, bool colour)
{
	struct page page = {.profile = profile, .tiers = tiers, .out = out, .colour = colour};

	print_field(&page, "profile", STYLE_BOLD, "%s", name);
	print_program(&page);
	print_session(&page);
	print_counts(&page);
	print_tree(&page);
	print_reach(&page);
	print_network(&page);
	print_scope(&page);
	print_environment(&page);
	print_seccomp(&page);
	print_told(&page, SECTION_HELD);
	print_told(&page, SECTION_ABSENT);
	print_moves(&page);
}
