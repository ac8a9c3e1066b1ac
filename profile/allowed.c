#include "profile/allowed.h"

#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/memory.h"
#include "profile/cover.h"
#include "profile/fact.h"
#include "profile/hold.h"
#include "profile/path.h"

struct allowed {
	struct profile *profile;
	const struct tiers *tiers;
	struct allowed_names names;
	struct cover *cover;
	struct cover *others;
};

struct allowed *allowed_create(struct profile *profile, const struct tiers *tiers, const struct allowed_names *names)
{
	struct allowed *allowed = allocate(sizeof *allowed);
	static const struct profile nothing;

	*allowed = (struct allowed){.profile = profile, .tiers = tiers};
	if (names)
		allowed->names = *names;
	allowed->cover = cover_create(profile, COVER_ENFORCED);
	allowed->others = cover_create(allowed->names.others ? allowed->names.others : &nothing, COVER_ENFORCED);
	return allowed;
}

void allowed_destroy(struct allowed *allowed)
{
	if (!allowed)
		return;
	cover_destroy(allowed->cover);
	cover_destroy(allowed->others);
	free(allowed);
}

/* The question in the works: on a path it is asked once for each of the path's names. */
struct question {
	struct allowed *allowed;
	rights_t rights; /* asked about */
	rights_t granted;
	struct answer *answer;
};

/* NOLINTNEXTLINE(readability-non-const-parameter): the lines own it from here on */
static void add_line(struct allowed_lines *lines, const char *section, unsigned line, rights_t rights, char *text)
{
	*ARRAY_APPEND(lines->items, lines->count, lines->capacity) =
		(struct allowed_line){.section = section, .line = line, .rights = rights, .text = text};
}

static enum tier tier_of(const struct allowed *allowed, const char *path, rights_t rights)
{
	return allowed->tiers ? tiers_of_grant(allowed->tiers, path, rights) : TIER_NORMAL;
}

static void add_grant(const struct allowed *allowed, struct allowed_lines *lines, const struct grant *grant)
{
	add_line(lines, section_name(grant->section), grant->origin.line, grant->rights,
		 fact_grant(grant->rights, grant->path));
	if (grant->section == SECTION_HELD)
		lines->items[lines->count - 1].moved =
			section_name(section_of_tier(tier_of(allowed, grant->path, grant->rights)));
}

/* The lines of that section on path and above it which have some of those rights. */
static void add_grants(const struct allowed *allowed, struct allowed_lines *lines, struct profile *profile,
		       enum section section, const char *path, rights_t rights)
{
	scoped_free char *at = duplicate(path);
	size_t length = strlen(at);

	while (length) {
		const struct grant *grant = profile_find_grant(profile, section, at);

		if (grant && grant->rights & rights)
			add_grant(allowed, lines, grant);
		length = path_parent_length(at);
		at[length] = '\0';
	}
}

static void ask_name(void *data, const char *path)
{
	struct question *question = data;
	struct allowed *allowed = question->allowed;
	rights_t direct = cover_rights(allowed->cover, path) & question->rights;
	rights_t other = cover_rights(allowed->others, path) & question->rights;

	question->granted |= direct | other;
	if (direct)
		add_grants(allowed, &question->answer->by, allowed->profile, SECTION_NORMAL, path, direct);
	if (other)
		add_grants(allowed, &question->answer->by, allowed->names.others, SECTION_NORMAL, path, other);
}

/* A profile that is only looked at has a name of its own for the terminal (fact.h). */
static void ask_path(struct question *question, const struct need *need)
{
	const struct allowed_names *names = &question->allowed->names;

	ask_name(question, need->path);
	if (need->rule == NEED_RULE_TERMINAL && strcmp(need->path, TERMINAL_PLACEHOLDER) != 0)
		ask_name(question, TERMINAL_PLACEHOLDER);
	if (names->each && question->rights & ~question->granted)
		names->each(need->path, ask_name, question);
}

static rights_t rights_on(const struct allowed *allowed, const char *path)
{
	return cover_rights(allowed->cover, path) | cover_rights(allowed->others, path);
}

/* With what else the access needs, as if it was granted. */
static rights_t rights_with(const struct allowed *allowed, const char *path, const struct needs *needs)
{
	rights_t rights = rights_on(allowed, path);

	for (size_t i = 0; needs && i < needs->count; i++)
		if (needs->items[i].kind == NEED_GRANT && path_is_beneath(path, needs->items[i].path))
			rights |= needs->items[i].rights;
	return rights;
}

static rights_t possible_rights(bool directory)
{
	return directory ? RIGHTS_FILE_SYSTEM : RIGHTS_ON_FILE;
}

static void suggest_grant(const struct allowed *allowed, const struct need *need, struct answer *answer)
{
	const char *path = need->rule == NEED_RULE_TERMINAL ? TERMINAL_PLACEHOLDER : need->path;

	answer->tier = tier_of(allowed, need->path, answer->missing);
	answer->section = section_name(section_of_tier(answer->tier));
	if (hold_never_granted(need->path, answer->missing))
		answer->reason = "/ never gets more than read_dir: it would reach everything";
	else if (profile_find_grant(allowed->profile, SECTION_HELD, need->path))
		answer->reason = "the path is held: a person has to move its line from [held]";
	else
		answer->add = fact_grant(answer->missing, path);
}

/* Moves that the missing rights on path would open: what comes into it would gain them. */
static void add_moves(const struct allowed *allowed, const struct need *need, struct answer *answer)
{
	for (size_t i = 0; i < allowed->profile->move_count; i++) {
		const struct move *move = &allowed->profile->moves[i];
		rights_t gained = answer->missing & possible_rights(move->directory);

		if (path_is_beneath(move->to, need->path) && !path_is_beneath(move->from, need->path) &&
		    gained & ~rights_on(allowed, move->from))
			add_line(&answer->moves, "moves", move->origin.line, 0, fact_move(move));
	}
}

static void add_not_enforced(const struct allowed *allowed, const struct need *need, struct answer *answer)
{
	add_grants(allowed, &answer->held, allowed->profile, SECTION_HELD, need->path, answer->missing);
	add_grants(allowed, &answer->absent, allowed->profile, SECTION_ABSENT, need->path, answer->missing);
	add_moves(allowed, need, answer);
}

static void ask_grant(struct allowed *allowed, const struct need *need, rights_t needed, struct answer *answer)
{
	struct question question = {.allowed = allowed, .rights = needed, .answer = answer};

	answer->needed = needed;
	ask_path(&question, need);
	answer->missing = needed & ~question.granted;
	answer->allowed = !answer->missing;
	if (answer->allowed)
		return;
	add_not_enforced(allowed, need, answer);
	suggest_grant(allowed, need, answer);
}

static void ask_move(struct allowed *allowed, const struct need *need, const struct needs *needs, struct answer *answer)
{
	rights_t at_target = rights_with(allowed, need->to, needs) & possible_rights(need->directory);

	if (at_target & ~rights_with(allowed, need->path, needs))
		ask_grant(allowed, need, at_target, answer);
	else
		answer->allowed = true;
}

static void ask_port(struct allowed *allowed, const struct need *need, struct answer *answer)
{
	const struct profile *profile = allowed->profile;
	rights_t granted = 0;

	answer->needed = need->rights;
	for (size_t i = 0; i < profile->port_count; i++) {
		const struct port_grant *grant = &profile->ports[i];

		if ((grant->port != need->port && grant->port != PORT_ANY) || !(grant->rights & need->rights))
			continue;
		granted |= grant->rights;
		add_line(&answer->by, "network", grant->origin.line, grant->rights,
			 fact_port(grant->rights, grant->port));
	}
	answer->missing = need->rights & ~granted;
	answer->allowed = !answer->missing;
	if (answer->allowed)
		return;
	answer->add = fact_port(answer->missing, need->port);
	answer->section = "network";
	answer->tier = TIER_OF_PORT;
}

static void ask_scope(struct allowed *allowed, const struct need *need, struct answer *answer)
{
	const struct profile *profile = allowed->profile;

	answer->needed = need->rights;
	answer->missing = need->rights & ~profile->scope;
	answer->allowed = !answer->missing;
	for (const struct right *right = right_table; right->name; right++)
		if (right->bit & need->rights & profile->scope)
			add_line(&answer->by, "scope",
				 profile->scope_origins[__builtin_ctzll(right->bit) - RIGHTS_SCOPE_SHIFT].line,
				 right->bit, duplicate(right->name));
	if (answer->allowed)
		return;
	answer->add = fact_rights(answer->missing);
	answer->section = "scope";
	answer->tier = TIER_OF_SCOPE;
}

static void ask_call(struct allowed *allowed, const struct need *need, struct answer *answer)
{
	const struct profile *profile = allowed->profile;

	for (size_t i = 0; i < profile->seccomp_count; i++) {
		const struct word *word = &profile->seccomp[i];

		if (strcmp(word->text, need->path) != 0)
			continue;
		answer->allowed = true;
		add_line(&answer->by, "seccomp", word->origin.line, 0, duplicate(word->text));
	}
	if (answer->allowed)
		return;
	answer->add = fact_path(need->path);
	answer->section = "seccomp";
	answer->tier = TIER_OF_WORD;
}

void allowed_ask(struct allowed *allowed, const struct need *need, const struct needs *needs, struct answer *answer)
{
	*answer = (struct answer){0};
	switch (need->kind) {
	case NEED_GRANT:
		ask_grant(allowed, need, need->rights, answer);
		break;
	case NEED_MOVE:
		ask_move(allowed, need, needs, answer);
		break;
	case NEED_PORT:
		ask_port(allowed, need, answer);
		break;
	case NEED_SCOPE:
		ask_scope(allowed, need, answer);
		break;
	case NEED_CALL:
		ask_call(allowed, need, answer);
		break;
	case NEED_REFUSED:
		ask_grant(allowed, need, need->rights, answer);
		if (!answer->allowed)
			answer->reason = "an entry of another process in /proc: its number is another one next time "
					 "(read_dir,read_file on /proc, which is protected, would reach all of them)";
		free(answer->add);
		answer->add = NULL;
		break;
	}
}

static void finish_lines(struct allowed_lines *lines)
{
	for (size_t i = 0; i < lines->count; i++)
		free(lines->items[i].text);
	free(lines->items);
}

void answer_finish(struct answer *answer)
{
	finish_lines(&answer->by);
	finish_lines(&answer->held);
	finish_lines(&answer->absent);
	finish_lines(&answer->moves);
	free(answer->add);
	*answer = (struct answer){0};
}
