#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "profile/closure.h"
#include "profile/cover.h"
#include "profile/hold.h"
#include "profile/learner.h"
#include "profile/needs.h"
#include "profile/path.h"
#include "profile/portable.h"

struct finish {
	struct learner *learner;
	struct profile *profile;
	struct cover *before; /* what the profile granted already */
	bool root_is_held;
	bool line_is_held;
};

/* The place of rights on name; *storage owns its text where that is not the name's own. */
static const char *place_of(const struct finish *finish, const struct name *name, char **storage)
{
	size_t length = names_place(&finish->learner->names, name->path);

	*storage = length == name->length ? NULL : duplicate_bytes(name->path, length);
	return *storage ? *storage : name->path;
}

static void spell_terminal(const struct finish *finish, const char *path)
{
	const char *tty = finish->learner->options.tty;
	struct grant *grant = NULL;

	if (tty && !strcmp(path, tty))
		grant = profile_find_grant(finish->profile, SECTION_NORMAL, path);
	if (grant && !grant->origin.written)
		origin_spell(&grant->origin, "${TTY}", path);
}

static void add_need(struct finish *finish, const struct name *name, rights_t rights)
{
	scoped_free char *storage = NULL;
	const char *place = place_of(finish, name, &storage);

	if (needs_add(finish->profile, place, rights) == rights)
		spell_terminal(finish, place);
	else if (!strcmp(place, "/"))
		finish->root_is_held = true;
	else
		finish->line_is_held = true;
}

static void add_needs(struct finish *finish)
{
	for (const struct name *name = finish->learner->names.first; name; name = name->next) {
		rights_t rights = name_own_rights(name) | name->within;

		if (rights && !name->target)
			add_need(finish, name, rights);
	}
}

static bool is_born(const struct finish *finish, const struct name *name)
{
	return names_is_own(&finish->learner->names, name);
}

/*
 * A link stands for a file only where the next run will follow it: as long as the program itself cannot change it; and
 * where it does not deserve less of a look than the file.
 */
static bool is_lasting(const struct finish *finish, const struct name *link, const struct tiers *tiers,
		       const struct cover *granted)
{
	scoped_free char *directory = path_parent(link->path);

	return !is_born(finish, link) && !is_born(finish, link->target) &&
	       !(cover_rights(granted, directory) & RIGHTS_ON_NAMES) &&
	       tiers_of_grant(tiers, link->path, link->on) >= tiers_of_grant(tiers, link->target->path, link->on);
}

/* A cover of a long profile takes its time: here and below there is one once it is asked. */
static void add_links(struct finish *finish, const struct tiers *tiers)
{
	struct cover *granted = NULL;

	for (const struct name *name = finish->learner->names.first; name; name = name->next) {
		if (!name->target || !name->on)
			continue;
		if (!granted)
			granted = cover_create(finish->profile, COVER_ENFORCED);
		add_need(finish, is_lasting(finish, name, tiers, granted) ? name : name->target, name->on);
	}
	cover_destroy(granted);
}

static bool is_granted(const struct finish *finish, const struct cover *granted, const struct name *name,
		       rights_t rights)
{
	scoped_free char *storage = NULL;

	return !(rights & ~cover_rights(granted, place_of(finish, name, &storage)));
}

static void add_refused(struct finish *finish)
{
	struct learner *learner = finish->learner;
	struct cover *granted = learner->refused ? cover_create(finish->profile, COVER_ENFORCED) : NULL;

	for (const struct refused *refused = learner->refused; refused; refused = refused->hh.next) {
		if (!is_granted(finish, granted, refused->key.from, refused->key.from_rights) ||
		    !is_granted(finish, granted, refused->key.to, refused->key.to_rights))
			continue;
		add_need(finish, refused->key.from, RIGHT_REFER);
		add_need(finish, refused->key.to, RIGHT_REFER);
		seen_moves_add(&learner->moves, refused->key.object, refused->key.to, refused->key.directory);
	}
	cover_destroy(granted);
}

/* Of names that were born in the session only their places are known next time, so the places say it once. */
static void add_moves(struct finish *finish)
{
	struct names *names = &finish->learner->names;
	struct seen_move *placed = NULL;

	for (const struct seen_move *move = finish->learner->moves; move; move = move->hh.next) {
		struct name *from = move->key.from, *to = move->key.to;

		from = names_get(names, from->path, names_place(names, from->path));
		to = names_get(names, to->path, names_place(names, to->path));
		/* What is granted above an object is granted on it, whatever changes: nothing to close over. */
		if (!path_is_beneath(from->path, to->path))
			seen_moves_add(&placed, from, to, move->key.directory);
	}
	for (const struct seen_move *move = placed; move; move = move->hh.next)
		profile_add_move(finish->profile, move->key.from->path, move->key.to->path)->directory =
			move->key.directory;
	seen_moves_finish(&placed);
}

/* On "/" it could never be granted; and where the next user's directories are made is not known. */
static bool is_worth_a_line(const struct finish *finish, const char *place)
{
	const struct variables *portable = finish->learner->options.portable;

	return strcmp(place, "/") != 0 && !(portable && portable_is_above(portable, place));
}

/* What is granted is not absent. */
static void add_absent(struct finish *finish)
{
	struct cover *granted = NULL;

	for (const struct name *name = finish->learner->names.first; name; name = name->next) {
		scoped_free char *storage = NULL;
		const char *place;
		rights_t rights;

		if (!name->absent)
			continue;
		if (!granted)
			granted = cover_create(finish->profile, COVER_ENFORCED);
		place = place_of(finish, name, &storage);
		rights = name->absent & ~cover_rights(granted, place);
		if (rights && is_worth_a_line(finish, place))
			profile_add_grant(finish->profile, SECTION_ABSENT, rights, place);
	}
	cover_destroy(granted);
}

static void add_rest(const struct finish *finish)
{
	const struct learner *learner = finish->learner;

	for (int i = 0; learner->ports && i < PORT_COUNT; i++)
		if (learner->ports[i])
			profile_add_port(finish->profile, (rights_t)learner->ports[i] << RIGHTS_NETWORK_SHIFT,
					 i + PORT_ANY);
	if (learner->scope) {
		finish->profile->scope |= learner->scope;
		finish->profile->has_scope = true;
	}
	seen_calls_put(&learner->calls, finish->profile);
	for (size_t i = 0; i < learner->reason_count; i++)
		profile_add_incomplete(finish->profile, learner->reasons[i]);
}

static void add_held_reasons(const struct finish *finish)
{
	if (finish->root_is_held)
		profile_add_incomplete(finish->profile, HOLD_ROOT_REASON);
	if (finish->line_is_held)
		profile_add_incomplete(finish->profile, HOLD_REASON);
}

static void say_moved(const struct finish *finish, const struct cover *before)
{
	for (size_t i = 0; i < finish->profile->grant_count; i++) {
		const struct grant *grant = &finish->profile->grants[i];
		rights_t added;

		if (!grant_is_enforced(grant))
			continue;
		added = grant->rights & ~cover_rights_on(before, grant->path);
		if (added)
			widenings_add(&finish->learner->widened, WIDENED_BY_MOVE, grant->path, added, 0);
	}
}

/* Returns whether all moves are closed. */
static bool close_moves(const struct finish *finish)
{
	struct cover *before;
	bool closed;

	if (!finish->profile->move_count)
		return true;
	before = cover_create(finish->profile, COVER_ENFORCED);
	closed = closure_close(finish->profile);
	say_moved(finish, before);
	cover_destroy(before);
	return closed;
}

/* Holds what must not be granted, and closes again, since what is held covers no longer. */
static void hold(struct finish *finish, const struct tiers *tiers)
{
	while (hold_back(finish->profile, tiers, finish->learner->options.hold, finish->before)) {
		finish->line_is_held = true;
		close_moves(finish);
	}
}

/* After holding: nothing goes to a directory above what is held. A prefix may still name what --hold is for. */
static void collapse(struct finish *finish, const struct tiers *tiers)
{
	struct learner *learner = finish->learner;
	size_t said = learner->widened.count;

	collapse_grants(finish->profile, tiers, &learner->options.collapse, &learner->widened);
	if (learner->widened.count == said)
		return;
	finish->line_is_held |= !close_moves(finish) && !finish->root_is_held;
	hold(finish, tiers);
}

void learner_finish(struct learner *learner, const struct tiers *tiers, struct profile *profile)
{
	struct finish finish = {
		.learner = learner,
		.profile = profile,
		.before = cover_create(profile, COVER_ENFORCED),
	};

	widenings_finish(&learner->widened);
	add_needs(&finish);
	add_links(&finish, tiers);
	add_refused(&finish);
	add_moves(&finish);
	finish.line_is_held |= !close_moves(&finish) && !finish.root_is_held;
	hold(&finish, tiers);
	collapse(&finish, tiers);
	add_absent(&finish);
	if (learner->options.portable)
		portable_spell(profile, learner->options.portable);
	needs_drop_present(profile);
	needs_drop_covered(profile, finish.before);
	add_rest(&finish);
	add_held_reasons(&finish);
	tiers_apply(tiers, profile);
	cover_destroy(finish.before);
}
