#include "profile/check.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/memory.h"
#include "base/output.h"
#include "profile/alike.h"
#include "profile/closure.h"
#include "profile/cover.h"
#include "profile/fact.h"
#include "profile/hold.h"
#include "profile/incomplete.h"
#include "profile/landlock_abi.h"
#include "profile/path.h"
#include "profile/swap.h"

void check_add(struct check *check, enum finding_level level, unsigned line, const char *format, ...)
{
	struct finding *finding = ARRAY_APPEND(check->findings, check->count, check->capacity);
	va_list arguments;

	va_start(arguments, format);
	*finding = (struct finding){.line = line, .level = level, .text = format_text_list(format, arguments)};
	va_end(arguments);
}

bool check_passes(const struct check *check)
{
	for (size_t i = 0; i < check->count; i++)
		if (check->findings[i].level > FINDING_NOTE)
			return false;
	return true;
}

void check_finish(struct check *check)
{
	for (size_t i = 0; i < check->count; i++)
		free(check->findings[i].text);
	free(check->findings);
	*check = (struct check){0};
}

static int compare_findings(const void *left, const void *right)
{
	const struct finding *a = left, *b = right;

	if (a->line != b->line)
		return a->line < b->line ? -1 : 1;
	if (a->level != b->level)
		return (int)b->level - (int)a->level;
	return strcmp(a->text, b->text);
}

static const struct {
	const char *name;
	enum style style;
} levels[] = {
	[FINDING_NOTE] = {"note", STYLE_DIM},
	[FINDING_INCOMPLETE] = {"incomplete", STYLE_YELLOW},
	[FINDING_WARNING] = {"warning", STYLE_YELLOW},
	[FINDING_ERROR] = {"error", STYLE_RED},
};

static void print_finding(const struct finding *finding, const char *name, FILE *out, bool colour)
{
	scoped_free char *place =
		finding->line ? format_text("%s:%u: ", name, finding->line) : format_text("%s: ", name);
	scoped_buffer line = {0};

	output_add(&line, colour, STYLE_PLAIN, place);
	output_add(&line, colour, levels[finding->level].style, levels[finding->level].name);
	output_add(&line, colour, STYLE_PLAIN, ": ");
	output_add(&line, colour, STYLE_PLAIN, finding->text);
	output_line(out, &line);
}

void check_print(struct check *check, const char *name, FILE *out, bool colour)
{
	if (check->count)
		qsort(check->findings, check->count, sizeof *check->findings, compare_findings);
	for (size_t i = 0; i < check->count; i++)
		print_finding(&check->findings[i], name, out, colour);
}

/* Nothing writes such a line but a hand, and then it is enforced: it says all that it lets in. */
static void check_root(struct check *check, const struct grant *grant)
{
	rights_t rights = hold_never_granted(grant->path, grant->rights);
	scoped_free char *fact = rights ? fact_rights(rights) : NULL;

	if (fact)
		check_add(check, FINDING_ERROR, grant->origin.line,
			  "%s on / reaches every file: / never gets more than read_dir; name the directories that are "
			  "needed",
			  fact);
}

/* The nearest enforced grant above path that gives some of these rights, and is like `like` if that is given; or NULL.
 */
static const struct grant *find_giver(struct profile *profile, const char *path, rights_t rights,
				      const struct grant *like)
{
	scoped_free char *at = path_parent(path);

	while (at) {
		const struct grant *grant = profile_find_grant(profile, SECTION_NORMAL, at);
		char *parent;

		if (grant && grant->rights & rights && (!like || grants_are_alike(grant, like)))
			return grant;
		parent = path_parent(at);
		free(at);
		at = parent;
	}
	return NULL;
}

static void check_heading(struct check *check, const struct grant *grant, const struct tiers *tiers)
{
	enum section section = section_of_tier(tiers_of_grant(tiers, grant->path, grant->rights));
	scoped_free char *fact = NULL;

	if (section <= grant->section)
		return;
	fact = fact_grant(grant->rights, grant->path);
	check_add(check, FINDING_ERROR, grant->origin.line, "%s is %s and stands under [%s]: move it under [%s]", fact,
		  section_name(section), section_name(grant->section), section_name(section));
}

static void check_needless(struct check *check, struct profile *profile, const struct grant *grant,
			   const struct alike *alike)
{
	const struct grant *giver;
	scoped_free char *fact = NULL;

	if (!grant->rights || grant->rights & ~alike_rights_above(alike, grant))
		return;
	giver = find_giver(profile, grant->path, grant->rights, grant);
	if (!giver)
		return;
	fact = fact_grant(giver->rights & grant->rights, giver->path);
	check_add(check, FINDING_NOTE, grant->origin.line, "needless: %s (line %u) gives it already%s", fact,
		  giver->origin.line, grant->rights & ~giver->rights ? ", with others above it" : "");
}

/* The reader sees to it that nothing is held and granted on the same path. */
static void check_held(struct check *check, struct profile *profile, const struct grant *grant,
		       const struct cover *cover)
{
	rights_t given = grant->rights & cover_rights_above(cover, grant->path);
	const struct grant *giver = given ? find_giver(profile, grant->path, given, NULL) : NULL;
	scoped_free char *rights = NULL, *fact = NULL;

	if (!giver)
		return;
	rights = fact_rights(given);
	fact = fact_grant(giver->rights & given, giver->path);
	check_add(check, FINDING_ERROR, grant->origin.line,
		  "held in vain: %s is allowed all the same by %s (line %u); remove one of the two lines", rights, fact,
		  giver->origin.line);
}

/* The file may spell a path with slashes that do not count; who looks for it by its name will not find it. */
static void check_spelling(struct check *check, const struct grant *grant)
{
	const char *written = grant->origin.written;
	scoped_free char *path = NULL;

	if (!written || (!strstr(written, "//") && (!written[1] || written[strlen(written) - 1] != '/')))
		return;
	path = fact_path(grant->path);
	check_add(check, FINDING_NOTE, grant->origin.line, "%s means %s: write it so", written, path);
}

/* A note: a program that works in a directory and reads a file in it is the usual case. */
static void check_swap(struct check *check, const struct grant *grant, const struct cover *cover)
{
	struct swap swap;
	scoped_free char *text = swap_find(cover, grant, &swap) ? swap_text(grant, &swap) : NULL;

	if (text)
		check_add(check, FINDING_NOTE, grant->origin.line, "%s", text);
}

static void check_grant(struct check *check, struct profile *profile, const struct grant *grant,
			const struct tiers *tiers, const struct cover *cover, const struct alike *alike)
{
	if (!grant->path)
		return;
	check_spelling(check, grant);
	if (section_is_enforced(grant->section)) {
		check_root(check, grant);
		check_heading(check, grant, tiers);
		check_needless(check, profile, grant, alike);
		check_swap(check, grant, cover);
	} else if (grant->section == SECTION_HELD) {
		check_held(check, profile, grant, cover);
	}
}

/* Lines above it that give what would be missing do as well; where they are held a person wants it so. */
static void check_move(struct check *check, struct profile *profile, const struct move *move, const struct cover *cover)
{
	rights_t missing = closure_gained(move, cover);
	const struct grant *held = profile_find_grant(profile, SECTION_HELD, move->from);
	scoped_free char *fact = fact_move(move), *line = fact_grant(missing, move->from);

	if (!missing)
		return;
	if (held)
		check_add(check, FINDING_INCOMPLETE, move->origin.line,
			  "the move %s is refused: it takes `allow = %s', which is held (line %u)", fact, line,
			  held->origin.line);
	else
		check_add(check, FINDING_ERROR, move->origin.line,
			  "the move %s is not closed, so the kernel refuses it: add `allow = %s', or save it from "
			  "`trace-profile review'",
			  fact, line);
}

static void check_head(struct check *check, const struct profile *profile, const struct tiers *tiers)
{
	const char *made_with = profile->tiers ? profile->tiers : "";
	const char *present = tiers_hash(tiers) ? tiers_hash(tiers) : "";

	for (size_t i = 0; i < profile->incomplete_count; i++)
		check_add(check, FINDING_INCOMPLETE, profile->incomplete[i].origin.line,
			  "a confined run may differ from the session: %s%s", profile->incomplete[i].text,
			  incomplete_advice(profile, profile->incomplete[i].text));
	if (!profile->complete && !profile->incomplete_count)
		check_add(check, FINDING_INCOMPLETE, profile->keys[KEY_COMPLETE].line,
			  "a confined run may differ from the session: complete = no, and no line says why");
	if (!profile->landlock)
		check_add(check, FINDING_WARNING, 0,
			  "no `landlock = N': it may run where less of it can be enforced; add the ABI that it needs");
	if (strcmp(made_with, present) != 0)
		check_add(check, FINDING_NOTE, profile->keys[KEY_TIERS].line,
			  "its headings were made with another table of tiers than the one in use (%s)",
			  tiers_file(tiers) ? tiers_file(tiers) : "the built-in one");
}

/* Whatever each of them says is in force: one that is changed or taken away leaves what the other one allows. */
static void check_again(struct check *check, const struct origin *origin)
{
	unsigned first = origin->line < origin->again ? origin->line : origin->again;
	unsigned second = origin->line + origin->again - first;

	if (origin->again)
		check_add(check, FINDING_NOTE, second,
			  "line %u speaks of the same: both count, as if they were one line", first);
}

static void check_repeated(struct check *check, const struct profile *profile)
{
	for (size_t i = 0; i < profile->grant_count; i++)
		check_again(check, &profile->grants[i].origin);
	for (size_t i = 0; i < profile->move_count; i++)
		check_again(check, &profile->moves[i].origin);
	for (size_t i = 0; i < profile->port_count; i++)
		check_again(check, &profile->ports[i].origin);
	for (size_t i = 0; i < ARRAY_LENGTH(profile->scope_origins); i++)
		check_again(check, &profile->scope_origins[i]);
	for (size_t i = 0; i < profile->seccomp_count; i++)
		check_again(check, &profile->seccomp[i].origin);
}

void check_lines(struct check *check, struct profile *profile, const struct tiers *tiers)
{
	struct cover *cover = cover_create(profile, COVER_ENFORCED);
	struct alike *alike = alike_create(profile);

	check_head(check, profile, tiers);
	check_repeated(check, profile);
	for (size_t i = 0; i < profile->grant_count; i++)
		check_grant(check, profile, &profile->grants[i], tiers, cover, alike);
	for (size_t i = 0; i < profile->move_count; i++)
		check_move(check, profile, &profile->moves[i], cover);
	alike_destroy(alike);
	cover_destroy(cover);
}

static void check_known(struct check *check, unsigned line, rights_t rights, int abi)
{
	scoped_free char *unknown = NULL;

	if (!(rights & ~rights_of_abi(abi)))
		return;
	unknown = fact_rights(rights & ~rights_of_abi(abi));
	check_add(check, FINDING_WARNING, line,
		  "this kernel (Landlock ABI %d) cannot enforce %s: it is allowed here whatever the profile says", abi,
		  unknown);
}

void check_kernel(struct check *check, const struct profile *profile, int abi)
{
	if (abi < 0) {
		check_add(check, FINDING_WARNING, 0, "trace-run cannot enforce it here: %s", landlock_absence(abi));
		return;
	}
	if (abi < profile->landlock)
		check_add(check, FINDING_WARNING, profile->keys[KEY_LANDLOCK].line,
			  "this kernel has Landlock ABI %d: trace-run refuses to start without --best-effort", abi);
	for (size_t i = 0; i < profile->grant_count; i++)
		if (section_is_enforced(profile->grants[i].section))
			check_known(check, profile->grants[i].origin.line, profile->grants[i].rights, abi);
	for (size_t i = 0; i < profile->port_count; i++)
		check_known(check, profile->ports[i].origin.line, profile->ports[i].rights, abi);
	for (int i = 0; i < 2; i++)
		check_known(check, profile->scope_origins[i].line, profile->scope & 1ULL << (RIGHTS_SCOPE_SHIFT + i),
			    abi);
}
