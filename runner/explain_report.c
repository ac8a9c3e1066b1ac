#include "runner/explain_report.h"

#include <stdio.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/json.h"
#include "base/memory.h"
#include "base/message.h"
#include "profile/profile_line.h"

#define MOST_CAUSES   5	 /* of one line, as text */
#define MOST_REMEDIES 50 /* as text */

static const char *const operations[] = {
	[ACCESS_CREATE] = "to make ",	    [ACCESS_REMOVE] = "to remove ", [ACCESS_RENAME] = "to move ",
	[ACCESS_EXCHANGE] = "to exchange ", [ACCESS_LINK] = "to link ",	    [ACCESS_TMPFILE] = "to make ",
};

/* Once it succeeded, an exec is told as done by the program that it started: who executed it is not known here. */
static bool is_own_start(const struct access *access)
{
	return access->call && !strncmp(access->call, "exec", strlen("exec")) && access->path && !access->error &&
	       !strcmp(access->image, access->path);
}

/* What was done to what: "openat of /etc/passwd", "rename to move /a to /b". */
static void describe(struct buffer *line, const struct access *access)
{
	const char *operation =
		(size_t)access->kind < sizeof operations / sizeof *operations ? operations[access->kind] : NULL;

	buffer_add_text(line, access->call ? access->call : "a call");
	if (access->path && access->kind != ACCESS_CALL)
		buffer_format(line, " %s%s", operation ? operation : "of ", access->path);
	if (access->path2)
		buffer_format(line, " %s %s", access->kind == ACCESS_EXCHANGE ? "and" : "to", access->path2);
	if (access->kind == ACCESS_PORT)
		buffer_format(line, " of port %d", access->port);
	if (access->image && !is_own_start(access))
		buffer_format(line, " by %s", access->image);
}

static void say_use(const struct refusal *refusal, const char *missing, const char *detail)
{
	const struct access *access = &refusal->access;
	scoped_buffer line = {0};

	describe(&line, access);
	if (refusal->count > 1)
		buffer_format(&line, ", %zu times", refusal->count);
	if (access->error)
		buffer_format(&line, ": %s", strerrorname_np(access->error));
	if (missing)
		buffer_format(&line, "%s%s", access->error ? ", for want of " : ": needs ", missing);
	if (detail)
		buffer_format(&line, "; %s", detail);
	message("    %s", line.data);
}

/* A long line goes on in the next, as in a profile. */
static void say_line(const struct remedy *remedy)
{
	scoped_buffer text = {0};
	char *rest;

	line_write(&text, "allow", remedy->text);
	for (char *line = strtok_r(text.data, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest))
		message(line == text.data ? "  [%s] %s" : "  %.0s%s", remedy->section, line);
}

/* `none`: said above them all, that no line can be added. */
static void say_remedy(const struct remedy *remedy, bool none)
{
	if (remedy->text)
		say_line(remedy);
	else
		message("  %s%s",
			none ? "" : "no line can be added: ", remedy->reason ? remedy->reason : "it cannot be granted");
	for (size_t i = 0; i < remedy->count && i < MOST_CAUSES; i++)
		say_use(remedy->causes[i].refusal, remedy->causes[i].missing, remedy->causes[i].detail);
	if (remedy->count > MOST_CAUSES)
		message("    and %zu more", remedy->count - MOST_CAUSES);
}

static void say_nothing(const struct explain *explain)
{
	const struct explain_options *options = &explain->options;
	const char *restriction = explain->unseen_count ? " that was seen" : "";

	if (options->replay)
		message_notice("%s denied nothing%s", options->file, restriction);
	else
		message("%s %s nothing%s", options->file, options->enforced ? "denied" : "would have denied",
			restriction);
}

static size_t count_lines(const struct verdict *verdict)
{
	size_t count = 0;

	for (const struct remedy *remedy = verdict->remedies; remedy; remedy = remedy->hh.next)
		count += remedy->text != NULL;
	return count;
}

static void say_remedies(const struct explain *explain, const struct verdict *verdict)
{
	const struct explain_options *options = &explain->options;
	size_t count = HASH_COUNT(verdict->remedies), lines = count_lines(verdict), said = 0;
	const char *denied = options->enforced ? "denied" : "would have denied";

	if (!count) {
		say_nothing(explain);
		return;
	}
	if (lines)
		message("%s %s what %zu line%s would allow:", options->file, denied, lines, lines == 1 ? "" : "s");
	else
		message("%s %s what no line can be added for:", options->file, denied);
	for (const struct remedy *remedy = verdict->remedies; remedy && said < MOST_REMEDIES;
	     remedy = remedy->hh.next) {
		say_remedy(remedy, !lines);
		said++;
	}
	if (count > said)
		message("  and %zu more: --format=json has them all", count - said);
}

static void say_notes(const struct explain *explain, bool unseen)
{
	for (size_t i = 0; i < explain->note_count; i++)
		if (explain->notes[i].unseen == unseen)
			message("  %s", explain->notes[i].text);
}

void explain_report_text(const struct explain *explain, const struct verdict *verdict)
{
	say_remedies(explain, verdict);
	if (verdict->other_count)
		message("refused, but not by %s:", explain->options.file);
	for (size_t i = 0; i < verdict->other_count; i++)
		say_use(verdict->others[i].refusal, NULL, verdict->others[i].reason);
	say_notes(explain, false);
	if (explain->unseen_count)
		message("not seen, so more may %s denied:", explain->options.enforced ? "have been" : "be");
	say_notes(explain, true);
}

static struct json *use_json(const struct refusal *refusal)
{
	const struct access *access = &refusal->access;
	struct json *use = json_create_object();

	json_put_bytes(use, "program", access->image);
	json_put_text(use, "call", access->call);
	if (access->kind != ACCESS_CALL)
		json_put_bytes(use, "path", access->path);
	if (access->path2)
		json_put_bytes(use, "path2", access->path2);
	if (access->kind == ACCESS_PORT)
		json_put_number(use, "port", access->port);
	json_put_text(use, "error", access->error ? strerrorname_np(access->error) : NULL);
	json_put_number(use, "count", (long long)refusal->count);
	return use;
}

/* "a,b" */
static struct json *words_json(const char *words)
{
	struct json *list = json_create_array();

	for (size_t length; *words; words += length + !!words[length]) {
		scoped_free char *word = NULL;

		length = strcspn(words, ",");
		word = duplicate_bytes(words, length);
		json_put_text(list, NULL, word);
	}
	return list;
}

static struct json *remedy_json(const struct remedy *remedy)
{
	struct json *json = json_create_object();
	struct json *causes = json_create_array();
	scoped_buffer line = {0};

	if (remedy->text) {
		line_write(&line, "allow", remedy->text);
		line.data[--line.length] = '\0';
	}
	json_put_text(json, "section", remedy->text ? remedy->section : NULL);
	json_put_text(json, "line", line.data);
	json_put_text(json, "tier", remedy->text ? tier_name(remedy->tier) : NULL);
	json_put_bytes(json, "reason", remedy->reason);
	for (size_t i = 0; i < remedy->count; i++) {
		const struct cause *cause = &remedy->causes[i];
		struct json *use = use_json(cause->refusal);

		json_put(use, "missing", words_json(cause->missing));
		json_put_bytes(use, "detail", cause->detail);
		json_put(causes, NULL, use);
	}
	json_put(json, "uses", causes);
	return json;
}

static struct json *others_json(const struct verdict *verdict)
{
	struct json *others = json_create_array();

	for (size_t i = 0; i < verdict->other_count; i++) {
		struct json *use = use_json(verdict->others[i].refusal);

		json_put_bytes(use, "reason", verdict->others[i].reason);
		json_put(others, NULL, use);
	}
	return others;
}

void explain_report_json(const struct explain *explain, const struct verdict *verdict)
{
	scoped_json json = json_create_object();
	struct json *lines = json_create_array(), *notes = json_create_array();
	scoped_buffer text = {0};

	for (const struct remedy *remedy = verdict->remedies; remedy; remedy = remedy->hh.next)
		json_put(lines, NULL, remedy_json(remedy));
	for (size_t i = 0; i < explain->note_count; i++)
		json_put_bytes(notes, NULL, explain->notes[i].text);
	json_put_number(json, "format", 1);
	json_put_bytes(json, "profile", explain->options.file);
	json_put_flag(json, "enforced", explain->options.enforced);
	json_put_flag(json, "complete", !explain->unseen_count);
	json_put(json, "lines", lines);
	json_put(json, "others", others_json(verdict));
	json_put(json, "notes", notes);
	json_write(json, false, &text);
	fprintf(stderr, "%s\n", text.data);
}
