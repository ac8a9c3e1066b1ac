#include "profile/profile_copy.h"

#include <string.h>

#include "base/memory.h"

static struct origin copy_origin(const struct origin *origin)
{
	return (struct origin){.comment = duplicate(origin->comment),
			       .written = duplicate(origin->written),
			       .meaning = duplicate(origin->meaning),
			       .line = origin->line};
}

/* An array with the same bytes, whose strings are still those of the other one. */
static void *copy_array(const void *items, size_t count, size_t size)
{
	return count ? memcpy(allocate_array(count, size), items, count * size) : NULL;
}

#define COPY_ARRAY(copy, items, count, capacity)                                                                       \
	((copy)->items = copy_array((copy)->items, (copy)->count, sizeof *(copy)->items),                              \
	 (copy)->capacity = (copy)->count)

static void copy_words(struct word *words, size_t count)
{
	for (size_t i = 0; i < count; i++)
		words[i] = (struct word){duplicate(words[i].text), copy_origin(&words[i].origin)};
}

static void copy_grants(struct profile *copy)
{
	COPY_ARRAY(copy, grants, grant_count, grant_capacity);
	for (size_t i = 0; i < copy->grant_count; i++) {
		struct grant *grant = &copy->grants[i];

		grant->path = duplicate(grant->path);
		grant->origin = copy_origin(&grant->origin);
	}
	copy->grant_index = NULL;
}

static void copy_moves(struct profile *copy)
{
	COPY_ARRAY(copy, moves, move_count, move_capacity);
	for (size_t i = 0; i < copy->move_count; i++) {
		struct move *move = &copy->moves[i];

		move->from = duplicate(move->from);
		move->to = duplicate(move->to);
		move->origin = copy_origin(&move->origin);
	}
}

static void copy_environment(struct profile *copy)
{
	COPY_ARRAY(copy, environment, environment_count, environment_capacity);
	for (size_t i = 0; i < copy->environment_count; i++) {
		struct environment_line *line = &copy->environment[i];

		line->name = duplicate(line->name);
		line->value = duplicate(line->value);
		line->origin = copy_origin(&line->origin);
	}
}

static void copy_ports(struct profile *copy)
{
	COPY_ARRAY(copy, ports, port_count, port_capacity);
	for (size_t i = 0; i < copy->port_count; i++)
		copy->ports[i].origin = copy_origin(&copy->ports[i].origin);
}

static void copy_seccomp(struct profile *copy)
{
	COPY_ARRAY(copy, seccomp, seccomp_count, seccomp_capacity);
	copy_words(copy->seccomp, copy->seccomp_count);
}

static void copy_lists(struct profile *copy)
{
	COPY_ARRAY(copy, arguments, argument_count, argument_capacity);
	copy_words(copy->arguments, copy->argument_count);
	COPY_ARRAY(copy, incomplete, incomplete_count, incomplete_capacity);
	copy_words(copy->incomplete, copy->incomplete_count);
	copy_seccomp(copy);
	copy_ports(copy);
}

static void copy_head(struct profile *copy)
{
	copy->program = duplicate(copy->program);
	copy->argv0 = duplicate(copy->argv0);
	copy->directory = duplicate(copy->directory);
	copy->tiers = duplicate(copy->tiers);
	copy->tail_comment = duplicate(copy->tail_comment);
	for (size_t i = 0; i < KEY_COUNT; i++)
		copy->keys[i] = copy_origin(&copy->keys[i]);
	for (size_t i = 0; i < HEADING_COUNT; i++)
		copy->heading_comments[i] = duplicate(copy->heading_comments[i]);
	for (size_t i = 0; i < ARRAY_LENGTH(copy->scope_origins); i++)
		copy->scope_origins[i] = copy_origin(&copy->scope_origins[i]);
}

/* By the struct's own bytes first, so that a member without a string needs no line here. */
void profile_copy(const struct profile *profile, struct profile *copy)
{
	*copy = *profile;
	copy_head(copy);
	copy_grants(copy);
	copy_moves(copy);
	copy_environment(copy);
	copy_lists(copy);
}

void profile_copy_limits(const struct profile *profile, struct profile *copy)
{
	static const enum heading headings[] = {HEADING_NETWORK, HEADING_SCOPE, HEADING_ENVIRONMENT, HEADING_SECCOMP};
	struct profile limits = *profile;

	copy_ports(&limits);
	copy_environment(&limits);
	copy_seccomp(&limits);
	copy->has_network = limits.has_network;
	copy->has_scope = limits.has_scope;
	copy->has_environment = limits.has_environment;
	copy->has_seccomp = limits.has_seccomp;
	copy->ports = limits.ports;
	copy->port_count = copy->port_capacity = limits.port_count;
	copy->environment = limits.environment;
	copy->environment_count = copy->environment_capacity = limits.environment_count;
	copy->seccomp = limits.seccomp;
	copy->seccomp_count = copy->seccomp_capacity = limits.seccomp_count;
	copy->scope = limits.scope;
	for (size_t i = 0; i < ARRAY_LENGTH(copy->scope_origins); i++)
		copy->scope_origins[i] = copy_origin(&profile->scope_origins[i]);
	for (size_t i = 0; i < ARRAY_LENGTH(headings); i++)
		copy->heading_comments[headings[i]] = duplicate(profile->heading_comments[headings[i]]);
}
