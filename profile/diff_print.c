#include <string.h>

#include "base/cleanup.h"
#include "base/json.h"
#include "base/memory.h"
#include "base/output.h"
#include "profile/diff_why.h"
#include "profile/fact.h"

static const struct {
	const char *sign;
	const char *word;
} kinds[] = {
	[CHANGE_GAINED] = {"+", "gained"},
	[CHANGE_LOST] = {"-", "lost"},
	[CHANGE_WIDENED] = {"~", "widened"},
	[CHANGE_CHANGED] = {"~", "changed"},
};

static enum style change_style(const struct change *change)
{
	if (change->gains)
		return tier_style(change->tier);
	return change->enforced ? STYLE_PLAIN : STYLE_DIM;
}

/* Name of the heading under which a change is printed. */
static const char *heading_of(const struct change *change)
{
	return change->enforced ? tier_name(change->tier) : change->section;
}

static void print_heading(FILE *out, bool colour, const struct change *change)
{
	scoped_free char *heading = format_text("[%s]", heading_of(change));
	scoped_buffer line = {0};

	output_add(&line, colour, STYLE_BOLD, heading);
	if (!change->enforced && strcmp(change->section, "profile") != 0)
		output_add(&line, colour, STYLE_DIM, " not enforced");
	output_line(out, &line);
}

static void print_change(FILE *out, bool colour, const struct change *change)
{
	bool named = change->enforced && !change->path; /* a heading of tiers does not say where it belongs */
	scoped_free char *text = format_text("%s %s%s%s", kinds[change->kind].sign, named ? change->section : "",
					     named ? ": " : "", change->text);
	scoped_free char *note = change->note ? format_text("  (%s)", change->note) : NULL;
	scoped_buffer line = {0};

	output_add(&line, colour, change_style(change), text);
	if (note)
		output_add(&line, colour, STYLE_DIM, note);
	output_line(out, &line);
}

static void print_counts(const struct diff *diff, FILE *out)
{
	size_t gains = 0, lost = 0;
	scoped_buffer line = {0};

	for (int tier = TIER_PROTECTED; tier >= TIER_NORMAL; tier--) {
		size_t count = diff_gain_count(diff, tier);

		if (count)
			buffer_format(&line, "%s%zu %s", gains ? ", " : "gained: ", count, tier_name(tier));
		gains += count;
	}
	for (size_t i = 0; i < diff->count; i++)
		lost += diff->changes[i].enforced && diff->changes[i].kind == CHANGE_LOST && !diff->changes[i].gains;
	if (lost)
		buffer_format(&line, "%slost: %zu", gains ? "; " : "", lost);
	if (diff->count - gains - lost)
		buffer_format(&line, "%sother: %zu", line.length ? "; " : "", diff->count - gains - lost);
	output_line(out, &line);
}

void diff_print_text(const struct diff *diff, const struct diff_why *why, FILE *out, bool colour)
{
	const char *heading = "";

	for (size_t i = 0; i < diff->count; i++) {
		const struct change *change = &diff->changes[i];

		if (strcmp(heading, heading_of(change)) != 0) {
			print_heading(out, colour, change);
			heading = heading_of(change);
		}
		print_change(out, colour, change);
		diff_why_print(why, change, out, colour);
	}
	if (diff->count)
		print_counts(diff, out);
}

static struct json *change_json(const struct change *change, const struct diff_why *why)
{
	struct json *object = json_create_object();

	json_put_text(object, "change", kinds[change->kind].word);
	json_put_text(object, "section", change->section);
	json_put_text(object, "tier", change->enforced ? tier_name(change->tier) : NULL);
	json_put_flag(object, "gains", change->gains);
	json_put_text(object, "fact", change->text);
	json_put_text(object, "note", change->note);
	fact_put_path(object, "path", change->path);
	fact_put_rights(object, "rights", change->rights);
	diff_why_put(why, change, object);
	return object;
}

static struct json *counts_json(const struct diff *diff)
{
	struct json *object = json_create_object();

	for (int tier = TIER_PROTECTED; tier >= TIER_NORMAL; tier--)
		json_put_number(object, tier_name(tier), (long long)diff_gain_count(diff, tier));
	return object;
}

void diff_print_json(const struct diff *diff, const struct diff_why *why, const char *old_name, const char *new_name,
		     FILE *out)
{
	scoped_json object = json_create_object();
	struct json *changes = json_create_array();
	scoped_buffer text = {0};

	json_put_number(object, "format", 1);
	json_put_bytes(object, "old", old_name);
	json_put_bytes(object, "new", new_name);
	json_put_flag(object, "different", diff->count > 0);
	json_put(object, "gained", counts_json(diff));
	for (size_t i = 0; i < diff->count; i++)
		json_put(changes, NULL, change_json(&diff->changes[i], why));
	json_put(object, "changes", changes);
	json_write(object, true, &text);
	fwrite(text.data, 1, text.length, out);
}
