/* The part of diff that concerns everything but grants and the environment. */
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/memory.h"
#include "profile/diff_parts.h"
#include "profile/fact.h"

/* Facts of one kind of one profile, as text. */
struct texts {
	char **items;
	size_t count, capacity;
};

static void texts_add(struct texts *texts, char *text)
{
	*ARRAY_APPEND(texts->items, texts->count, texts->capacity) = text;
}

static int compare_texts(const void *left, const void *right)
{
	return strcmp(*(char *const *)left, *(char *const *)right);
}

static void texts_finish(struct texts *texts)
{
	for (size_t i = 0; i < texts->count; i++)
		free(texts->items[i]);
	free(texts->items);
}

static void texts_add_words(struct texts *texts, const char *key, const struct word *words, size_t count)
{
	for (size_t i = 0; i < count; i++)
		texts_add(texts, key ? fact_value(key, words[i].text) : duplicate(words[i].text));
}

static void texts_add_scopes(struct texts *texts, rights_t scope)
{
	for (const struct right *right = right_table; right->name; right++)
		if (scope & right->bit)
			texts_add(texts, duplicate(right->name));
}

static void texts_add_moves(struct texts *texts, const struct profile *profile)
{
	for (size_t i = 0; i < profile->move_count; i++)
		texts_add(texts, fact_move(&profile->moves[i]));
}

/* Adds what `these` has and `others` has not. */
static void compare_texts_one_way(struct diff *diff, enum change_kind kind, const char *section, bool enforced,
				  const struct texts *these, const struct texts *others)
{
	for (size_t i = 0; i < these->count; i++) {
		char **text = &these->items[i];

		if (i && strcmp(these->items[i - 1], *text) == 0)
			continue;
		if (others->count && bsearch(text, others->items, others->count, sizeof *others->items, compare_texts))
			continue;
		if (enforced)
			diff_add_enforced(diff, kind, section, duplicate(*text), TIER_OF_WORD, kind == CHANGE_GAINED);
		else
			diff_add(diff, kind, section, duplicate(*text));
	}
}

/* Compares two lists and releases them. What is enforced among them are scopes and words, both of one tier.
 * NOLINTNEXTLINE(misc-redundant-expression) */
_Static_assert(TIER_OF_SCOPE == TIER_OF_WORD, "compare_texts_one_way() takes the one for the other");
static void compare_lists(struct diff *diff, const char *section, bool enforced, struct texts *old, struct texts *new)
{
	if (old->count)
		qsort(old->items, old->count, sizeof *old->items, compare_texts);
	if (new->count)
		qsort(new->items, new->count, sizeof *new->items, compare_texts);
	compare_texts_one_way(diff, CHANGE_GAINED, section, enforced, new, old);
	compare_texts_one_way(diff, CHANGE_LOST, section, enforced, old, new);
	texts_finish(old);
	texts_finish(new);
}

static void compare_scopes(const struct profile *old, const struct profile *new, struct diff *diff)
{
	struct texts old_texts = {0}, new_texts = {0};

	texts_add_scopes(&old_texts, old->scope);
	texts_add_scopes(&new_texts, new->scope);
	compare_lists(diff, "scope", true, &old_texts, &new_texts);
}

static void compare_seccomp(const struct profile *old, const struct profile *new, struct diff *diff)
{
	struct texts old_texts = {0}, new_texts = {0};

	texts_add_words(&old_texts, NULL, old->seccomp, old->seccomp_count);
	texts_add_words(&new_texts, NULL, new->seccomp, new->seccomp_count);
	compare_lists(diff, "seccomp", true, &old_texts, &new_texts);
}

static void compare_moves(const struct profile *old, const struct profile *new, struct diff *diff)
{
	struct texts old_texts = {0}, new_texts = {0};

	texts_add_moves(&old_texts, old);
	texts_add_moves(&new_texts, new);
	compare_lists(diff, "moves", false, &old_texts, &new_texts);
}

static void compare_reasons(const struct profile *old, const struct profile *new, struct diff *diff)
{
	struct texts old_texts = {0}, new_texts = {0};

	texts_add_words(&old_texts, "incomplete", old->incomplete, old->incomplete_count);
	texts_add_words(&new_texts, "incomplete", new->incomplete, new->incomplete_count);
	compare_lists(diff, "profile", false, &old_texts, &new_texts);
}

/* Rights on each port; entry 0 is `any`. */
#define PORT_COUNT (65536 + 1)

static rights_t *port_table(const struct profile *profile)
{
	rights_t *table = allocate_array(PORT_COUNT, sizeof *table);

	for (size_t i = 0; i < profile->port_count; i++)
		table[profile->ports[i].port + 1] |= profile->ports[i].rights;
	return table;
}

/* `any` in place of single ports: the first of them. */
static char *note_ports(const rights_t *table, rights_t rights)
{
	scoped_free char *first = NULL;
	size_t more = 0;

	for (int i = 1; i < PORT_COUNT; i++) {
		if (!(table[i] & rights))
			continue;
		if (first)
			more++;
		else
			first = fact_port(table[i] & rights, i - 1);
	}
	if (!first)
		return NULL;
	return more ? format_text("%s and %zu more", first, more) : steal_pointer(&first);
}

static void add_port_change(struct diff *diff, enum change_kind kind, int port, rights_t rights, const rights_t *other)
{
	scoped_free char *ports = port == PORT_ANY ? note_ports(other, rights) : NULL;
	struct change *change;

	if (ports && kind == CHANGE_GAINED)
		kind = CHANGE_WIDENED;
	change = diff_add_enforced(diff, kind, "network", fact_port(rights, port), TIER_OF_PORT, kind != CHANGE_LOST);
	change->rights = rights;
	if (ports)
		change->note = format_text("%s %s", kind == CHANGE_LOST ? "keeps" : "had", ports);
}

static void compare_ports(const struct profile *old, const struct profile *new, struct diff *diff)
{
	scoped_free rights_t *old_table = port_table(old);
	scoped_free rights_t *new_table = port_table(new);

	for (int i = 0; i < PORT_COUNT; i++) {
		rights_t old_any = i ? old_table[0] : 0, new_any = i ? new_table[0] : 0;
		rights_t gained = new_table[i] & ~(old_table[i] | old_any | new_any);
		rights_t lost = old_table[i] & ~(new_table[i] | new_any | old_any);

		if (gained)
			add_port_change(diff, CHANGE_GAINED, i - 1, gained, old_table);
		if (lost)
			add_port_change(diff, CHANGE_LOST, i - 1, lost, new_table);
	}
}

static void compare_values(struct diff *diff, const char *key, const char *old, const char *new)
{
	struct change *change;

	if (old && new &&strcmp(old, new) == 0)
		return;
	if (!old && !new)
		return;
	change = diff_add(diff, CHANGE_CHANGED, "profile", new ? fact_value(key, new) : format_text("no %s", key));
	if (old) {
		scoped_free char *was = fact_path(old);

		change->note = format_text("was %s", was);
	} else {
		change->note = duplicate("was not there");
	}
}

static bool same_arguments(const struct profile *old, const struct profile *new)
{
	if (old->argument_count != new->argument_count)
		return false;
	for (size_t i = 0; i < old->argument_count; i++)
		if (strcmp(old->arguments[i].text, new->arguments[i].text) != 0)
			return false;
	return true;
}

static void compare_arguments(const struct profile *old, const struct profile *new, struct diff *diff)
{
	scoped_free char *old_text = fact_arguments(old);
	scoped_free char *new_text = fact_arguments(new);
	struct change *change;

	if (same_arguments(old, new))
		return;
	change = diff_add(diff, CHANGE_CHANGED, "profile",
			  new->argument_count ? format_text("arguments = %s", new_text) : duplicate("no arguments"));
	change->note = old->argument_count ? format_text("were %s", old_text) : duplicate("had none");
}

/* Lowered, the profile may run where less of it can be enforced. */
static void compare_landlock(const struct profile *old, const struct profile *new, struct diff *diff)
{
	bool lowered = new->landlock < old->landlock;
	struct change *change;
	char *text;

	if (new->landlock == old->landlock)
		return;
	text = new->landlock ? format_text("landlock = %d", new->landlock) : duplicate("no landlock");
	change = lowered ? diff_add_enforced(diff, CHANGE_CHANGED, "profile", text, TIER_PROTECTED, true)
			 : diff_add(diff, CHANGE_CHANGED, "profile", text);
	change->note =
		format_text(lowered ? "was %d: may now run where less can be enforced" : "was %d", old->landlock);
}

void diff_facts(const struct profile *old, const struct profile *new, struct diff *diff)
{
	compare_ports(old, new, diff);
	compare_scopes(old, new, diff);
	compare_seccomp(old, new, diff);
	compare_moves(old, new, diff);
	compare_landlock(old, new, diff);
	compare_values(diff, "program", old->program, new->program);
	compare_values(diff, "argv0", old->argv0, new->argv0);
	compare_arguments(old, new, diff);
	compare_values(diff, "directory", old->directory, new->directory);
	compare_values(diff, "complete", old->complete ? "yes" : "no", new->complete ? "yes" : "no");
	compare_reasons(old, new, diff);
}
