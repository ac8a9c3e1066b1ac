#include <string.h>

#include "base/memory.h"
#include "profile/merge_parts.h"

#define SESSIONS_MAX 999999 /* what the reader takes */

/* A profile that was written by hand, without a session, says nothing of what was run. */
static bool tells_of_session(const struct profile *profile)
{
	return profile->sessions || profile->program || profile->argv0 || profile->argument_count || profile->directory;
}

static bool is_same(const char *a, const char *b)
{
	return a && b ? !strcmp(a, b) : a == b;
}

static bool is_same_command(const struct profile *a, const struct profile *b)
{
	if (!is_same(a->program, b->program) || !is_same(a->argv0, b->argv0) || a->argument_count != b->argument_count)
		return false;
	for (size_t i = 0; i < a->argument_count; i++)
		if (strcmp(a->arguments[i].text, b->arguments[i].text) != 0)
			return false;
	return true;
}

static bool is_same_directory(const struct profile *a, const struct profile *b)
{
	return is_same(a->directory, b->directory);
}

/* The first input that tells of a session, if all that do so tell the same; else NULL. */
static const struct profile *agreed(const struct merging *merging,
				    bool is_same_fact(const struct profile *, const struct profile *))
{
	const struct profile *first = NULL;

	for (size_t i = 0; i < merging->count; i++) {
		const struct profile *profile = merging->inputs[i].profile;

		if (!tells_of_session(profile))
			continue;
		if (first && !is_same_fact(first, profile))
			return NULL;
		first = first ? first : profile;
	}
	return first;
}

static void merge_key(struct merging *merging, enum profile_key key)
{
	for (size_t i = 0; i < merging->count; i++)
		merge_origin(&merging->merged->keys[key], &merging->inputs[i].profile->keys[key]);
}

/*
 * Program, name and arguments are one fact: trace-run starts them when it is told of no other, and a program with
 * another session's arguments, or with none, is something that nobody ran.
 */
static void merge_command(struct merging *merging)
{
	const struct profile *command = agreed(merging, is_same_command);
	struct profile *merged = merging->merged;

	if (!command)
		return;
	merged->program = duplicate(command->program);
	merged->argv0 = duplicate(command->argv0);
	for (size_t i = 0; i < command->argument_count; i++)
		profile_add_argument(merged, command->arguments[i].text);
	for (size_t i = 0; i < merging->count; i++) {
		const struct profile *profile = merging->inputs[i].profile;

		for (size_t j = 0; j < profile->argument_count; j++)
			merge_origin(&merged->arguments[j].origin, &profile->arguments[j].origin);
	}
	merge_key(merging, KEY_PROGRAM);
	merge_key(merging, KEY_ARGV0);
}

static void merge_directory(struct merging *merging)
{
	const struct profile *session = agreed(merging, is_same_directory);

	if (!session)
		return;
	merging->merged->directory = duplicate(session->directory);
	merge_key(merging, KEY_DIRECTORY);
}

static void merge_numbers(struct merging *merging)
{
	struct profile *merged = merging->merged;

	merged->complete = true;
	for (size_t i = 0; i < merging->count; i++) {
		const struct profile *profile = merging->inputs[i].profile;

		if (profile->landlock > merged->landlock)
			merged->landlock = profile->landlock;
		merged->sessions += profile->sessions;
		if (merged->sessions > SESSIONS_MAX)
			merged->sessions = SESSIONS_MAX;
		merged->complete &= profile->complete;
	}
	merge_key(merging, KEY_FORMAT);
	merge_key(merging, KEY_LANDLOCK);
	merge_key(merging, KEY_SESSIONS);
	merge_key(merging, KEY_COMPLETE);
}

static void merge_comments(struct merging *merging)
{
	for (size_t i = 0; i < merging->count; i++) {
		const struct profile *profile = merging->inputs[i].profile;

		for (size_t j = 0; j < HEADING_COUNT; j++)
			merge_comment(&merging->merged->heading_comments[j], profile->heading_comments[j]);
		merge_comment(&merging->merged->tail_comment, profile->tail_comment);
	}
}

void merge_head(struct merging *merging, const struct tiers *tiers)
{
	merge_numbers(merging);
	merge_command(merging);
	merge_directory(merging);
	merge_comments(merging);
	merging->merged->tiers = duplicate(tiers_hash(tiers)); /* the headings are made with this table */
	merge_key(merging, KEY_TIERS);
}
