#include "profile/why.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "profile/cover.h"
#include "profile/fact.h"
#include "profile/path.h"

struct search {
	struct evidence *evidence;
	const struct tiers *tiers;
	const struct question *question;
	struct why *why;
};

const char *why_relation_name(enum why_relation relation)
{
	static const char *const names[] = {
		[WHY_NEEDS] = "needs",
		[WHY_MOVES] = "moves",
		[WHY_BENEATH] = "beneath",
		[WHY_USED] = "used",
	};

	return names[relation];
}

static bool is_path(const struct question *question, const char *path)
{
	return path && (!strcmp(path, question->path) || (question->other && !strcmp(path, question->other)));
}

static bool is_on_path(const struct question *question, const struct need *need)
{
	return is_path(question, need->path) ||
	       (need->rule == NEED_RULE_TERMINAL && !strcmp(question->path, TERMINAL_PLACEHOLDER));
}

/* Of a path that is asked about for its own sake, not of a line: what a directory stands for counts too. */
static bool is_about(const struct question *question, const struct need *need)
{
	return is_on_path(question, need) ||
	       ((question->use || question->kind == QUESTION_PATH) && is_path(question, need->name));
}

bool why_matches(const struct question *question, const struct need *need)
{
	switch (question->kind) {
	case QUESTION_PATH:
		return need->kind != NEED_PORT && need->kind != NEED_SCOPE && need->kind != NEED_CALL &&
		       is_about(question, need);
	case QUESTION_GRANT:
		return (need->kind == NEED_GRANT || need->kind == NEED_REFUSED) && need->rights & question->rights &&
		       is_about(question, need);
	case QUESTION_PORT:
		return need->kind == NEED_PORT && need->port == question->port && need->rights & question->rights;
	case QUESTION_SCOPE:
		return need->kind == NEED_SCOPE && need->rights & question->rights;
	case QUESTION_CALL:
		return need->kind == NEED_CALL && !strcmp(need->path, question->path);
	}
	return false;
}

static void add(struct search *search, const struct evidence_session *session, struct evidence_access *access,
		enum why_relation relation)
{
	*ARRAY_APPEND(search->why->items, search->why->count, search->why->capacity) =
		(struct why_item){session, access, relation, &access->needs};
}

/* Also when it needed nothing: it was not asked for, or came through a descriptor from outside. */
static bool uses_path(const struct question *question, const struct access *access)
{
	return question->kind == QUESTION_PATH && access->kind != ACCESS_CALL &&
	       (is_path(question, access->path) || is_path(question, access->path2));
}

static void look_at(struct search *search, struct evidence_session *session, struct evidence_access *access)
{
	const struct question *question = search->question;
	const struct needs *needs;
	bool matches = false;

	if (access->access.kind == ACCESS_LOOK)
		return;
	needs = evidence_needs(session, access);
	for (size_t i = 0; i < needs->count; i++) {
		if (!why_matches(question, &needs->items[i]))
			continue;
		matches = true;
		search->why->unexplained &= ~needs->items[i].rights;
	}
	if (matches)
		add(search, session, access, WHY_NEEDS);
	else if (uses_path(question, &access->access))
		add(search, session, access, WHY_USED);
	else if (question->kind == QUESTION_PATH && access->access.path && access->access.path[0] == '/')
		search->why->beneath += path_is_beneath(access->access.path, question->path);
}

/* Of the least interest, so they come last, and are not counted where they are beneath. */
static void look_at_looks(struct search *search, struct evidence_session *session, struct evidence_access *access)
{
	if (access->access.kind == ACCESS_LOOK && uses_path(search->question, &access->access))
		add(search, session, access, WHY_USED);
}

typedef void look_fn(struct search *search, struct evidence_session *session, struct evidence_access *access);

static void each_access(struct search *search, look_fn *look)
{
	for (size_t i = 0; i < search->evidence->session_count; i++) {
		struct evidence_session *session = search->evidence->sessions[i];

		for (size_t j = 0; j < session->access_count; j++)
			look(search, session, &session->accesses[j]);
	}
}

static bool is_move_of(const struct search *search, const struct need *need)
{
	return need->kind == NEED_MOVE && is_on_path(search->question, need);
}

/* What the moves of an access bring to the path, by the grants that the learner makes of the session. */
static rights_t gained_by(const struct search *search, const struct needs *needs, const struct cover *cover)
{
	rights_t rights = 0;

	for (size_t i = 0; i < needs->count; i++)
		if (is_move_of(search, &needs->items[i]))
			rights |= cover_rights(cover, needs->items[i].to);
	return rights;
}

static struct cover *learn_again(const struct search *search, struct evidence_session *session)
{
	struct profile profile = {0};
	struct cover *cover;

	learner_finish(session->learner, search->tiers, &profile);
	cover = cover_create(&profile, COVER_ENFORCED);
	profile_finish(&profile);
	return cover;
}

static bool has_moves(const struct search *search, const struct evidence_session *session)
{
	for (size_t i = 0; i < session->access_count; i++)
		for (size_t j = 0; j < session->accesses[i].needs.count; j++)
			if (is_move_of(search, &session->accesses[i].needs.items[j]))
				return true;
	return false;
}

/* The moves because of which the object, or the place it came from, got rights that nobody asked of it. */
static rights_t find_moves_of(struct search *search, struct evidence_session *session)
{
	struct cover *cover;
	rights_t explained = 0;

	if (!has_moves(search, session))
		return 0;
	cover = learn_again(search, session);
	for (size_t i = 0; i < session->access_count; i++) {
		struct evidence_access *access = &session->accesses[i];
		rights_t gained = gained_by(search, &access->needs, cover) & search->why->unexplained;

		explained |= gained;
		if (gained)
			add(search, session, access, WHY_MOVES);
	}
	cover_destroy(cover);
	return explained;
}

static void find_moves(struct search *search)
{
	rights_t explained = 0;

	for (size_t i = 0; i < search->evidence->session_count; i++)
		explained |= find_moves_of(search, search->evidence->sessions[i]);
	search->why->unexplained &= ~explained;
}

static bool lies_beneath(const struct search *search, const struct need *need)
{
	if (search->question->kind == QUESTION_PORT)
		return search->question->port == PORT_ANY && need->kind == NEED_PORT;
	return need->kind == NEED_GRANT && path_is_strictly_beneath(need->path, search->question->path);
}

/* Only what no access took on the very line is looked for beneath it. */
static void look_beneath(struct search *search, struct evidence_session *session, struct evidence_access *access)
{
	rights_t rights = 0;

	for (size_t i = 0; i < access->needs.count; i++)
		if (lies_beneath(search, &access->needs.items[i]))
			rights |= access->needs.items[i].rights & search->why->unexplained;
	if (rights)
		add(search, session, access, WHY_BENEATH);
}

static void find_beneath(struct search *search)
{
	size_t before = search->why->count;
	rights_t explained = 0;

	each_access(search, look_beneath);
	for (size_t i = before; i < search->why->count; i++)
		for (size_t j = 0; j < search->why->items[i].needs->count; j++)
			if (lies_beneath(search, &search->why->items[i].needs->items[j]))
				explained |= search->why->items[i].needs->items[j].rights;
	search->why->unexplained &= ~explained;
}

void why_find(struct evidence *evidence, const struct tiers *tiers, const struct question *question, struct why *why)
{
	struct search search = {evidence, tiers, question, why};

	*why = (struct why){.unexplained = question->rights};
	each_access(&search, look_at);
	each_access(&search, look_at_looks);
	if (question->kind == QUESTION_GRANT && why->unexplained)
		find_moves(&search);
	if ((question->kind == QUESTION_GRANT || question->kind == QUESTION_PORT) && why->unexplained)
		find_beneath(&search);
}

void why_finish(struct why *why)
{
	free(why->items);
	*why = (struct why){0};
}
