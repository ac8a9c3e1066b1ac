#include <string.h>

#include "base/cleanup.h"
#include "base/memory.h"
#include "base/output.h"
#include "profile/fact.h"
#include "profile/reply.h"

struct print {
	const struct question *question;
	const char *name;
	FILE *out;
	bool colour;
};

static void print_styled(const struct print *to, enum style style, const char *text)
{
	scoped_buffer line = {0};

	buffer_add_text(&line, "  ");
	output_add(&line, to->colour, style, text);
	output_line(to->out, &line);
}

static void print_lines(const struct print *to, const char *what, const struct allowed_lines *lines)
{
	for (size_t i = 0; i < lines->count; i++) {
		const struct allowed_line *line = &lines->items[i];
		scoped_free char *place = line->line ? format_text("%s:%u", to->name, line->line) : duplicate(to->name);
		scoped_free char *text = format_text("%s %s: %s", what, place, line->text);

		print_styled(to, STYLE_PLAIN, text);
	}
}

/* Where it is another one than was asked about. */
static void print_place(const struct print *to, const struct need *need)
{
	scoped_free char *path = NULL, *text = NULL;

	if (need->kind != NEED_GRANT || !strcmp(need->path, need->name))
		return;
	path = fact_path(need->path);
	text = format_text("%s: %s", path, need_rule_text(need->rule));
	print_styled(to, STYLE_PLAIN, text);
}

static void print_missing(const struct print *to, const struct answer *answer)
{
	scoped_free char *rights = fact_rights(answer->missing);
	scoped_free char *missing =
		answer->missing ? format_text("not allowed: %s is missing", rights) : duplicate("not allowed");
	const char *tier = tier_name(answer->tier);
	scoped_free char *add = NULL;

	print_styled(to, STYLE_BOLD, missing);
	print_lines(to, "held in", &answer->held);
	print_lines(to, "absent in", &answer->absent);
	if (answer->reason)
		print_styled(to, STYLE_YELLOW, answer->reason);
	if (!answer->add)
		return;
	add = strcmp(answer->section, tier) != 0
		      ? format_text("to allow it, add under [%s] (%s): allow = %s", answer->section, tier, answer->add)
		      : format_text("to allow it, add under [%s]: allow = %s", answer->section, answer->add);
	print_styled(to, STYLE_PLAIN, add);
	print_lines(to, "and close over the move in", &answer->moves);
}

static void print_path(const struct print *to, const struct answer *answer)
{
	rights_t granted = answer->needed & ~answer->missing;
	scoped_free char *rights = fact_rights(granted);
	scoped_free char *text = granted ? format_text("allowed: %s", rights) : duplicate("nothing is allowed");

	print_styled(to, STYLE_BOLD, text);
	print_lines(to, "by", &answer->by);
	print_lines(to, "held in", &answer->held);
	print_lines(to, "absent in", &answer->absent);
}

static void print_answer(const struct print *to, const struct need *need, const struct answer *answer)
{
	print_place(to, need);
	if (to->question->kind == QUESTION_PATH) {
		print_path(to, answer);
		return;
	}
	if (answer->allowed)
		print_styled(to, STYLE_BOLD, "allowed");
	print_lines(to, answer->allowed ? "by" : "in part by", &answer->by);
	if (!answer->allowed)
		print_missing(to, answer);
}

void reply_print(const struct reply *reply, const struct question *question, const char *name, FILE *out, bool colour)
{
	const struct print to = {.question = question, .name = name, .out = out, .colour = colour};

	for (size_t i = 0; i < reply->needs.count; i++)
		print_answer(&to, &reply->needs.items[i], &reply->answers[i]);
}

static struct json *lines_json(const struct allowed_lines *lines)
{
	struct json *list = json_create_array();

	for (size_t i = 0; i < lines->count; i++) {
		struct json *object = json_create_object();

		json_put_number(object, "line", lines->items[i].line);
		json_put_text(object, "section", lines->items[i].section);
		json_put_text(object, "fact", lines->items[i].text);
		json_put(list, NULL, object);
	}
	return list;
}

static struct json *answer_json(const struct need *need, const struct answer *answer)
{
	struct json *object = json_create_object();

	json_put_flag(object, "allowed", answer->allowed);
	fact_put_path(object, "path", need->path);
	json_put_text(object, "rule", need->kind == NEED_GRANT ? need_rule_name(need->rule) : NULL);
	fact_put_rights(object, "granted", answer->needed & ~answer->missing);
	fact_put_rights(object, "missing", answer->missing);
	json_put(object, "by", lines_json(&answer->by));
	json_put(object, "held", lines_json(&answer->held));
	json_put(object, "absent", lines_json(&answer->absent));
	json_put(object, "moves", lines_json(&answer->moves));
	json_put_text(object, "add", answer->add);
	json_put_text(object, "section", answer->add ? answer->section : NULL);
	json_put_text(object, "tier", answer->add ? tier_name(answer->tier) : NULL);
	json_put_text(object, "reason", answer->reason);
	return object;
}

struct json *reply_json(const struct reply *reply, const char *name)
{
	struct json *object = json_create_object();
	struct json *list = json_create_array();

	json_put_bytes(object, "name", name);
	json_put_flag(object, "allowed", reply->allowed);
	for (size_t i = 0; i < reply->needs.count; i++)
		json_put(list, NULL, answer_json(&reply->needs.items[i], &reply->answers[i]));
	json_put(object, "answers", list);
	return object;
}
