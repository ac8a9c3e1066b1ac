#include "profile/profile.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "profile/grant_index.h"

static const char *const heading_names[HEADING_COUNT] = {
	[HEADING_PROFILE] = "profile",
	[HEADING_GRANTS + SECTION_NORMAL] = "normal",
	[HEADING_GRANTS + SECTION_GUARDED] = "guarded",
	[HEADING_GRANTS + SECTION_PROTECTED] = "protected",
	[HEADING_GRANTS + SECTION_HELD] = "held",
	[HEADING_GRANTS + SECTION_ABSENT] = "absent",
	[HEADING_MOVES] = "moves",
	[HEADING_NETWORK] = "network",
	[HEADING_SCOPE] = "scope",
	[HEADING_ENVIRONMENT] = "environment",
	[HEADING_SECCOMP] = "seccomp",
};

const char *heading_name(enum heading heading)
{
	return heading_names[heading];
}

const char *section_name(enum section section)
{
	return heading_names[HEADING_GRANTS + section];
}

void origin_spell(struct origin *origin, const char *written, const char *meaning)
{
	free(origin->written);
	free(origin->meaning);
	origin->written = duplicate(written);
	origin->meaning = duplicate(meaning);
}

void origin_join(struct origin *into, struct origin *from)
{
	if (into->comment && from->comment) {
		char *both = format_text("%s%s", into->comment, from->comment);

		free(into->comment);
		into->comment = both;
	} else if (from->comment) {
		into->comment = from->comment;
		from->comment = NULL;
	}
	if (!into->written) {
		into->written = from->written;
		into->meaning = from->meaning;
		from->written = from->meaning = NULL;
	}
	if (into->line && from->line)
		into->again = from->line;
	if (!into->line)
		into->line = from->line;
	origin_finish(from);
}

void origin_finish(struct origin *origin)
{
	free(origin->comment);
	free(origin->written);
	free(origin->meaning);
	*origin = (struct origin){0};
}

struct grant *profile_find_grant(struct profile *profile, enum section section, const char *path)
{
	return grant_index_find(profile, section, path);
}

static struct grant *append_grant(struct profile *profile, enum section section, rights_t rights)
{
	struct grant *grant = ARRAY_APPEND(profile->grants, profile->grant_count, profile->grant_capacity);

	*grant = (struct grant){.section = section, .rights = rights};
	return grant;
}

/* A higher section of two enforced ones has the higher number. */
static struct grant *join_grant(struct grant *grant, enum section section, rights_t rights)
{
	grant->rights |= rights;
	if (section > grant->section)
		grant->section = section;
	return grant;
}

/* Of a path that grant_index_find() was just asked for, and did not find. */
static struct grant *append_new(struct profile *profile, enum section section, rights_t rights, char *path)
{
	struct grant *grant = append_grant(profile, section, rights);

	grant->path = path;
	grant_index_add_last(profile);
	return grant;
}

struct grant *profile_add_grant(struct profile *profile, enum section section, rights_t rights, const char *path)
{
	struct grant *grant = grant_index_find(profile, section, path);

	return grant ? join_grant(grant, section, rights) : append_new(profile, section, rights, duplicate(path));
}

struct grant *profile_take_grant(struct profile *profile, enum section section, rights_t rights, char *path)
{
	struct grant *grant = grant_index_find(profile, section, path);

	if (!grant)
		return append_new(profile, section, rights, path);
	free(path);
	return join_grant(grant, section, rights);
}

struct grant *profile_add_skipped(struct profile *profile, enum section section, rights_t rights, const char *written)
{
	struct grant *grant = grant_index_find(profile, section, written);

	if (grant)
		return join_grant(grant, section, rights);
	grant = append_grant(profile, section, rights);
	grant->skipped = true;
	grant->origin.written = duplicate(written);
	grant_index_add_last(profile);
	return grant;
}

struct port_grant *profile_add_port(struct profile *profile, rights_t rights, int port)
{
	struct port_grant *grant = ARRAY_APPEND(profile->ports, profile->port_count, profile->port_capacity);

	*grant = (struct port_grant){.rights = rights, .port = port};
	profile->has_network = true;
	return grant;
}

struct move *profile_add_move(struct profile *profile, const char *from, const char *to)
{
	struct move *move = ARRAY_APPEND(profile->moves, profile->move_count, profile->move_capacity);

	*move = (struct move){.from = duplicate(from), .to = duplicate(to)};
	return move;
}

struct environment_line *profile_add_environment(struct profile *profile, enum environment_action action,
						 const char *name, const char *value)
{
	struct environment_line *line =
		ARRAY_APPEND(profile->environment, profile->environment_count, profile->environment_capacity);

	*line = (struct environment_line){.action = action, .name = duplicate(name), .value = duplicate(value)};
	profile->has_environment = true;
	return line;
}

const struct environment_line *profile_environment_line(const struct profile *profile, enum environment_action action,
							const char *name, size_t length)
{
	for (size_t i = 0; i < profile->environment_count; i++) {
		const struct environment_line *line = &profile->environment[i];

		if (line->action == action && strncmp(line->name, name, length) == 0 && !line->name[length])
			return line;
	}
	return NULL;
}

bool profile_has_action(const struct profile *profile, enum environment_action action)
{
	for (size_t i = 0; i < profile->environment_count; i++)
		if (profile->environment[i].action == action)
			return true;
	return false;
}

struct word *profile_add_argument(struct profile *profile, const char *argument)
{
	struct word *word = ARRAY_APPEND(profile->arguments, profile->argument_count, profile->argument_capacity);

	*word = (struct word){.text = duplicate(argument)};
	return word;
}

struct word *profile_add_seccomp(struct profile *profile, const char *text)
{
	struct word *word = ARRAY_APPEND(profile->seccomp, profile->seccomp_count, profile->seccomp_capacity);

	*word = (struct word){.text = duplicate(text)};
	profile->has_seccomp = true;
	return word;
}

struct word *profile_add_incomplete(struct profile *profile, const char *reason)
{
	struct word *word = ARRAY_APPEND(profile->incomplete, profile->incomplete_count, profile->incomplete_capacity);

	*word = (struct word){.text = duplicate(reason)};
	profile->complete = false;
	return word;
}

static void finish_words(struct word *words, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		free(words[i].text);
		origin_finish(&words[i].origin);
	}
	free(words);
}

static void finish_grants(struct profile *profile)
{
	for (size_t i = 0; i < profile->grant_count; i++) {
		free(profile->grants[i].path);
		origin_finish(&profile->grants[i].origin);
	}
	free(profile->grants);
	grant_index_drop(profile);
}

static void finish_moves(struct profile *profile)
{
	for (size_t i = 0; i < profile->move_count; i++) {
		free(profile->moves[i].from);
		free(profile->moves[i].to);
		origin_finish(&profile->moves[i].origin);
	}
	free(profile->moves);
}

static void finish_environment(struct profile *profile)
{
	for (size_t i = 0; i < profile->environment_count; i++) {
		free(profile->environment[i].name);
		free(profile->environment[i].value);
		origin_finish(&profile->environment[i].origin);
	}
	free(profile->environment);
}

static void finish_head(struct profile *profile)
{
	free(profile->program);
	free(profile->argv0);
	free(profile->directory);
	free(profile->tiers);
	free(profile->tail_comment);
	for (size_t i = 0; i < KEY_COUNT; i++)
		origin_finish(&profile->keys[i]);
	for (size_t i = 0; i < HEADING_COUNT; i++)
		free(profile->heading_comments[i]);
}

void profile_finish(struct profile *profile)
{
	finish_head(profile);
	finish_grants(profile);
	finish_moves(profile);
	for (size_t i = 0; i < profile->port_count; i++)
		origin_finish(&profile->ports[i].origin);
	free(profile->ports);
	for (size_t i = 0; i < ARRAY_LENGTH(profile->scope_origins); i++)
		origin_finish(&profile->scope_origins[i]);
	finish_environment(profile);
	finish_words(profile->arguments, profile->argument_count);
	finish_words(profile->incomplete, profile->incomplete_count);
	finish_words(profile->seccomp, profile->seccomp_count);
	*profile = (struct profile){0};
}
