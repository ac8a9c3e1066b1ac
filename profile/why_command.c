#include "profile/why_command.h"

#include <errno.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/memory.h"
#include "base/message.h"
#include "base/output.h"
#include "base/shell.h"
#include "profile/fact.h"
#include "profile/mount_names.h"
#include "profile/profile_file.h"
#include "profile/profile_name.h"
#include "profile/reach.h"
#include "profile/reply.h"
#include "profile/why.h"

#define SHOWN 20 /* accesses as text; JSON has all */

/* All that an answer is made of. */
struct asking {
	const struct why_command *command;
	const struct look *look;
	struct variables process; /* with the real terminal */
	struct question question;
	struct profile profile;
	const char *profile_name; /* NULL without one */
	struct evidence evidence;
	struct reply reply;
	struct why why;
};

static void asking_finish(struct asking *asking)
{
	why_finish(&asking->why);
	reply_finish(&asking->reply);
	evidence_finish(&asking->evidence);
	question_finish(&asking->question);
	profile_finish(&asking->profile);
	variables_finish(&asking->process);
}

/* The profile of FILE:NUMBER, which is the one that is asked unless there is another. */
static int read_line_of(struct asking *asking, struct error *err)
{
	struct question *question = &asking->question;
	struct profile other = {0}, *profile = &asking->profile;
	int result;

	if (asking->command->profile && strcmp(asking->command->profile, question->file) != 0)
		profile = &other;
	else
		asking->profile_name = question->file;
	result = profile_load(question->file, &asking->look->variables, profile, NULL, NULL, err);
	if (result == 0 && question_of_line(profile, question->line, question, err) < 0)
		result = error_context(err, "%s:%u", question->file, question->line);
	profile_finish(&other);
	return result;
}

/* "why p.ini …", as the other commands take it: there the question has the place of the operands. */
static int read_question(struct asking *asking, struct error *err)
{
	const struct why_command *command = asking->command;
	scoped_free char *meant = NULL;
	int result = question_read(command->words, command->count, &asking->look->variables, &asking->question, err);

	if (result == 0 || command->profile || !may_be_profile(command->words[0]))
		return result;
	meant = shell_file(command->words[0]);
	error_finish(err);
	return error_set(err, EINVAL, "which path or line? the profile is an option here: was \"-p %s\" meant?", meant);
}

static int read_all(struct asking *asking, struct error *err)
{
	const struct why_command *command = asking->command;

	if (read_question(asking, err) < 0 || (asking->question.file && read_line_of(asking, err) < 0))
		return -err->number;
	if (command->profile && !asking->profile_name) {
		if (profile_load(command->profile, &asking->look->variables, &asking->profile, NULL, NULL, err) < 0)
			return -err->number;
		asking->profile_name = command->profile;
	}
	for (size_t i = 0; i < command->log_count; i++)
		if (evidence_read(&asking->evidence, command->logs[i], err) < 0)
			return -err->number;
	if (asking->profile_name || command->log_count)
		return 0;
	return error_set(err, EINVAL,
			 "who is to answer? name a profile (--profile=FILE), audit logs (--log=LOG) or both");
}

/* As trace-run would enforce it here and now: through links, and by the names that bind mounts give. */
static void ask_profile(struct asking *asking)
{
	struct reach reach;
	scoped_profile followed = {0};
	const struct allowed_names names = {.others = &followed, .each = mount_names};
	struct allowed *allowed;

	reach_init(&reach, &asking->profile);
	reach_followed(&reach, &followed);
	allowed = allowed_create(&asking->profile, asking->look->tiers, &names);
	reply_find(allowed, &asking->evidence, asking->process.tty, &asking->question, &asking->reply);
	allowed_destroy(allowed);
	reach_finish(&reach);
}

static void find_answers(struct asking *asking)
{
	if (asking->profile_name)
		ask_profile(asking);
	if (asking->command->log_count)
		why_find(&asking->evidence, asking->look->tiers, &asking->question, &asking->why);
}

static enum tier tier_of(const struct asking *asking)
{
	const struct question *question = &asking->question;

	if (question->kind == QUESTION_GRANT)
		return tiers_of_grant(asking->look->tiers, question->path, question->rights);
	return question->kind == QUESTION_PORT ? TIER_GUARDED : TIER_PROTECTED;
}

static void print_question(const struct asking *asking, bool colour)
{
	scoped_free char *text = question_text(&asking->question);
	scoped_free char *tier =
		asking->question.kind == QUESTION_PATH ? NULL : format_text("  (%s)", tier_name(tier_of(asking)));
	scoped_buffer line = {0};

	output_add(&line, colour, STYLE_BOLD, text);
	if (tier)
		output_add(&line, colour, STYLE_DIM, tier);
	output_line(stdout, &line);
}

static void print_text(const struct asking *asking)
{
	bool colour = output_has_colour(stdout);

	print_question(asking, colour);
	if (asking->profile_name)
		reply_print(&asking->reply, &asking->question, asking->profile_name, stdout, colour);
	if (!asking->command->log_count)
		return;
	if (asking->why.count)
		why_print(&asking->why, &asking->question, "  ", SHOWN, stdout, colour);
	else
		print_line(stdout, "  no access in %s took it",
			   asking->command->log_count > 1 ? "these logs" : "this log");
}

/* What makes the answer of the logs less than whole. */
static void warn_of_logs(const struct evidence *evidence)
{
	for (size_t i = 0; i < evidence->log_count; i++)
		if (evidence->logs[i].cut)
			message_warning("%s: the last line is cut: the session was killed", evidence->logs[i].name);
	for (size_t i = 0; i < evidence->session_count; i++)
		if (evidence->sessions[i]->dropped)
			message_warning("%s: --log-max left records out: not all accesses are in it",
					evidence->sessions[i]->log);
}

static struct json *question_json(const struct question *question)
{
	static const char *const kinds[] = {[QUESTION_PATH] = "path",
					    [QUESTION_GRANT] = "grant",
					    [QUESTION_PORT] = "port",
					    [QUESTION_SCOPE] = "scope",
					    [QUESTION_CALL] = "call"};
	struct json *object = json_create_object();
	scoped_free char *text = question_text(question);

	json_put_text(object, "kind", kinds[question->kind]);
	json_put_text(object, "fact", text);
	fact_put_path(object, "path", question->kind == QUESTION_CALL ? NULL : question->path);
	fact_put_rights(object, "rights", question->rights);
	return object;
}

static struct json *logs_json(const struct evidence *evidence)
{
	struct json *list = json_create_array();

	for (size_t i = 0; i < evidence->session_count; i++) {
		const struct evidence_session *session = evidence->sessions[i];
		struct json *object = json_create_object();

		json_put_bytes(object, "log", session->log);
		json_put_text(object, "start", session->start);
		json_put_flag(object, "whole", session->ended && !session->dropped);
		json_put(list, NULL, object);
	}
	return list;
}

static void print_json(const struct asking *asking)
{
	scoped_json object = json_create_object();
	scoped_buffer text = {0};

	json_put_number(object, "format", 1);
	json_put(object, "question", question_json(&asking->question));
	if (asking->profile_name)
		json_put(object, "profile", reply_json(&asking->reply, asking->profile_name));
	if (asking->command->log_count) {
		json_put(object, "sessions", logs_json(&asking->evidence));
		json_put(object, "accesses", why_json(&asking->why));
		json_put_number(object, "beneath", (long long)asking->why.beneath);
		fact_put_rights(object, "unexplained", asking->why.unexplained);
	}
	json_write(object, true, &text);
	fwrite(text.data, 1, text.length, stdout);
}

static int answer(struct asking *asking, struct error *err)
{
	bool yes;

	if (read_all(asking, err) < 0)
		return -err->number;
	find_answers(asking);
	if (asking->command->json)
		print_json(asking);
	else
		print_text(asking);
	warn_of_logs(&asking->evidence);
	yes = asking->profile_name ? asking->reply.allowed : asking->why.count > 0;
	return yes ? 0 : 1;
}

int why_command_run(const struct why_command *command, const struct look *look, struct error *err)
{
	struct asking asking = {.command = command, .look = look};
	int result;

	variables_of_process(&asking.process);
	result = answer(&asking, err);
	asking_finish(&asking);
	return result;
}
