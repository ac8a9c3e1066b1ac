#include "profile/reply.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/memory.h"
#include "profile/fact.h"

static struct need *add_need(struct needs *needs, enum need_kind kind, rights_t rights)
{
	struct need *need = ARRAY_APPEND(needs->items, needs->count, needs->capacity);

	*need = (struct need){.kind = kind, .rights = rights};
	return need;
}

/* An exec asks for both. */
static rights_t rights_of(const struct question *question)
{
	if (question->kind == QUESTION_PATH)
		return RIGHTS_FILE_SYSTEM;
	return question->rights | (question->use && question->rights & RIGHT_EXECUTE ? RIGHT_READ_FILE : 0);
}

static bool is_born(const struct needs *needs)
{
	for (size_t i = 0; i < needs->count; i++)
		if (needs->items[i].rule == NEED_RULE_BORN)
			return true;
	return false;
}

/* By a session in which the name was made, else as if nothing else had happened. */
static void need_path(struct evidence *evidence, const char *tty, const struct access *access, struct needs *needs)
{
	struct learner *fresh;

	for (size_t i = 0; i < evidence->session_count; i++) {
		needs_of_access(evidence->sessions[i]->learner, access, needs);
		if (is_born(needs))
			return;
		needs_finish(needs);
	}
	fresh = learner_create(&(struct learn_options){.tty = tty});
	needs_of_access(fresh, access, needs);
	learner_destroy(fresh);
}

static void add_grant(struct evidence *evidence, const char *tty, const struct question *question, struct needs *needs)
{
	const struct access access = {
		.kind = ACCESS_USE, .path = question->path, .rights = rights_of(question), .asked = true};
	struct need *need;

	if (question->kind == QUESTION_PATH || question->use) {
		need_path(evidence, tty, &access, needs);
		return;
	}
	need = add_need(needs, NEED_GRANT, question->rights);
	need->path = duplicate(question->path);
	need->name = duplicate(question->path);
	if (!strcmp(question->path, TERMINAL_PLACEHOLDER))
		need->rule = NEED_RULE_TERMINAL;
}

static void find_needs(struct evidence *evidence, const char *tty, const struct question *question, struct needs *needs)
{
	switch (question->kind) {
	case QUESTION_PATH:
	case QUESTION_GRANT:
		add_grant(evidence, tty, question, needs);
		break;
	case QUESTION_PORT:
		add_need(needs, NEED_PORT, question->rights)->port = question->port;
		break;
	case QUESTION_SCOPE:
		add_need(needs, NEED_SCOPE, question->rights);
		break;
	case QUESTION_CALL:
		add_need(needs, NEED_CALL, 0)->path = duplicate(question->path);
		break;
	}
}

/* Of a path all rights are asked about: nobody wants a line for the rest. */
static void drop_advice(struct answer *answer)
{
	free(answer->add);
	answer->add = NULL;
	answer->reason = NULL;
}

/*
 * A right on what lies in a directory is asked about for something else: whoever asks means to make or remove that
 * itself, and a line on it would let nothing in.
 */
static void ask_for_directory(const struct need *need, struct answer *answer)
{
	struct stat status;

	if (need->kind != NEED_GRANT || !answer->add || need->path[0] != '/' || !(answer->missing & ~RIGHTS_ON_FILE))
		return;
	if (stat(need->path, &status) < 0) {
		if (errno == ENOENT)
			answer->reason = "nothing is there: to make it, ask about the directory that it is to lie in";
	} else if (!S_ISDIR(status.st_mode)) {
		drop_advice(answer);
		answer->reason = "it is no directory, and only one can have such a right: to make, move or remove it, "
				 "ask about the directory that it lies in";
	}
}

void reply_find(struct allowed *allowed, struct evidence *evidence, const char *tty, const struct question *question,
		struct reply *reply)
{
	*reply = (struct reply){.allowed = question->kind != QUESTION_PATH};
	find_needs(evidence, tty, question, &reply->needs);
	reply->answers = allocate_array(reply->needs.count + 1, sizeof *reply->answers);
	for (size_t i = 0; i < reply->needs.count; i++) {
		struct answer *answer = &reply->answers[i];

		allowed_ask(allowed, &reply->needs.items[i], NULL, answer);
		if (question->kind != QUESTION_PATH) {
			reply->allowed &= answer->allowed;
			ask_for_directory(&reply->needs.items[i], answer);
			continue;
		}
		reply->allowed |= answer->needed != answer->missing;
		drop_advice(answer);
	}
}

void reply_finish(struct reply *reply)
{
	for (size_t i = 0; i < reply->needs.count; i++)
		answer_finish(&reply->answers[i]);
	free(reply->answers);
	needs_finish(&reply->needs);
	*reply = (struct reply){0};
}
