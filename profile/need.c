#include "profile/need.h"

#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "profile/learner.h"
#include "profile/path.h"
#include "profile/proc_path.h"

/* A session of one access, in the light of the whole one. */
struct single {
	struct learner *session;
	struct learner *alone;
	const struct access *access;
	struct needs *needs;
};

static const struct {
	const char *name;
	const char *text;
} rules[] = {
	[NEED_RULE_EXACT] = {"exact", "it was used itself"},
	[NEED_RULE_DIRECTORY] = {"directory", "names in this directory were made, removed or moved"},
	[NEED_RULE_BORN] = {"born",
			    "the name was made in the session: its nearest directory that was not stands for it"},
	[NEED_RULE_EXEC] = {"exec", "an exec pulls it in: the interpreter of a script, or the loader"},
	[NEED_RULE_TERMINAL] = {"terminal", "it is the controlling terminal, whichever that is next time"},
	[NEED_RULE_PTY] = {"pty",
			   "it is a terminal that the program opened itself: its number is another one next time"},
	[NEED_RULE_PROC] = {"proc", "it is the process's own entry"},
	[NEED_RULE_ABSENT] = {"absent", "it was looked for and did not exist"},
};

const char *need_rule_text(enum need_rule rule)
{
	return rules[rule].text;
}

const char *need_rule_name(enum need_rule rule)
{
	return rules[rule].name;
}

static struct need *add(struct needs *needs, enum need_kind kind, rights_t rights)
{
	struct need *need = ARRAY_APPEND(needs->items, needs->count, needs->capacity);

	*need = (struct need){.kind = kind, .rights = rights};
	return need;
}

static bool is_terminal(const struct single *single, const char *path)
{
	const char *tty = single->session->options.tty;

	return tty && !strcmp(path, tty);
}

/* What of the access lies in that directory; a name of the access itself stands for itself. */
static const char *used_name(const struct single *single, const char *path)
{
	const struct access *access = single->access;

	if (access->path2 && path_is_strictly_beneath(access->path2, path) &&
	    !path_is_strictly_beneath(access->path, path))
		return access->path2;
	return path_is_beneath(access->path, path) ? access->path : path;
}

static enum need_rule rule_of(const struct single *single, const struct name *name, const char *place)
{
	if (strcmp(name->path, place) != 0)
		return NEED_RULE_BORN;
	if (is_terminal(single, place))
		return NEED_RULE_TERMINAL;
	if (single->access->kind == ACCESS_MISSING)
		return NEED_RULE_ABSENT;
	if (name->within)
		return single->access->kind == ACCESS_USE ? NEED_RULE_PTY : NEED_RULE_DIRECTORY;
	if (single->access->call && !strcmp(single->access->call, "exec"))
		return NEED_RULE_EXEC;
	return path_is_beneath(place, PROC_SELF) ? NEED_RULE_PROC : NEED_RULE_EXACT;
}

/* The session may have seen that the name was a directory, or was none. */
static rights_t rights_of(const struct single *single, const struct name *name)
{
	struct name joined = {.on = name->on, .was_other = name->was_other, .was_directory = name->was_directory};
	const struct name *known = names_find(&single->session->names, name->path);

	if (known) {
		joined.was_other |= known->was_other;
		joined.was_directory |= known->was_directory;
	}
	return name_own_rights(&joined) | name->within;
}

static char *place_of(const struct single *single, const char *path)
{
	return duplicate_bytes(path, names_place(&single->session->names, path));
}

static void add_name(struct single *single, const struct name *name)
{
	rights_t rights = rights_of(single, name);
	struct need *need;

	if (!rights)
		return;
	need = add(single->needs, NEED_GRANT, rights);
	need->path = place_of(single, name->path);
	need->rule = rule_of(single, name, need->path);
	need->name = duplicate(used_name(single, name->path));
}

static void add_move(struct single *single, const struct seen_move *move)
{
	scoped_free char *from = place_of(single, move->key.from->path);
	scoped_free char *to = place_of(single, move->key.to->path);
	struct need *need;

	if (path_is_beneath(from, to))
		return;
	need = add(single->needs, NEED_MOVE, 0);
	need->directory = move->key.directory;
	need->rule = strcmp(from, move->key.from->path) != 0 ? NEED_RULE_BORN : NEED_RULE_EXACT;
	need->name = duplicate(move->key.from->path);
	need->path = steal_pointer(&from);
	need->to = steal_pointer(&to);
}

static void add_rest(struct single *single)
{
	const struct learner *alone = single->alone;
	const struct access *access = single->access;

	if (alone->ports)
		add(single->needs, NEED_PORT, access->rights & RIGHTS_NETWORK)->port = access->port;
	for (rights_t scope = alone->scope; scope; scope &= scope - 1)
		add(single->needs, NEED_SCOPE, scope & -scope);
	for (unsigned group = 0; group < SECCOMP_GROUPS; group++)
		if (alone->calls.succeeded & SECCOMP_SET(group))
			add(single->needs, NEED_CALL, 0)->path = duplicate(seccomp_group_table[group].word);
	if (alone->reason_count) {
		struct need *need = add(single->needs, NEED_REFUSED, access->rights);

		need->path = duplicate(access->path);
		need->name = duplicate(access->path);
	}
}

void needs_of_access(struct learner *session, const struct access *access, struct needs *needs)
{
	struct single single = {.session = session, .access = access, .needs = needs};

	single.alone = learner_create(&session->options);
	learner_add(single.alone, access);
	for (const struct name *name = single.alone->names.first; name; name = name->next)
		add_name(&single, name);
	for (const struct seen_move *move = single.alone->moves; move; move = move->hh.next)
		add_move(&single, move);
	add_rest(&single);
	learner_destroy(single.alone);
}

void needs_finish(struct needs *needs)
{
	for (size_t i = 0; i < needs->count; i++) {
		free(needs->items[i].path);
		free(needs->items[i].name);
		free(needs->items[i].to);
	}
	free(needs->items);
	*needs = (struct needs){0};
}
