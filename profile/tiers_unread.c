/*
 * The built-in table, of which each line is read when a path is asked for that it may speak of: a start looks at few
 * paths, and most lines speak of paths that begin otherwise.
 */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/memory.h"
#include "profile/tiers_table.h"

struct tiers_unread {
	struct pool texts;	     /* of the patterns */
	char *home;		     /* NULL without one */
	bool is_read[UCHAR_MAX + 1]; /* what may speak of paths with this first letter; 0: of any */
};

static int tier_of(char letter)
{
	for (enum tier tier = TIER_NORMAL; tier <= TIER_PROTECTED; tier++)
		if (letter == *tier_name(tier))
			return (int)tier;
	return TIER_UNSAID;
}

/* The table is the build's; that it has no error is tested. */
static void read_row(struct tiers_unread *unread, const struct tiers_builtin_row *row, struct tier_line *line)
{
	const char *text = tiers_builtin_texts + row->text;
	struct tier_line read = {.line = row->line};
	scoped_error err = {0};

	if (row->rights) {
		tiers_read_rights(&text, &read, &err);
	} else {
		for (enum tier_use use = 0; use < TIER_USE_COUNT; use++)
			read.tiers[use] = tier_of(row->tiers[use]);
	}
	if (!err.number && tier_pattern_read(&unread->texts, text, unread->home, &read.pattern, &err) > 0)
		*line = read;
	if (err.number)
		abort();
}

static bool may_speak(const struct tiers_unread *unread, char own, char first)
{
	if (own == '~')
		return unread->home && (!first || unread->home[1] == first);
	return !first || own == first || own == TIERS_ANY_LETTER;
}

void tiers_read_for(const struct tiers *tiers, char first)
{
	struct tiers_unread *unread = tiers->unread;

	if (!unread || unread->is_read[0] || unread->is_read[(unsigned char)first])
		return;
	for (size_t i = 0; i < tiers->count; i++)
		if (may_speak(unread, tiers_builtin_rows[i].first, first) && !tiers->lines[i].pattern.text)
			read_row(unread, &tiers_builtin_rows[i], &tiers->lines[i]);
	unread->is_read[(unsigned char)first] = true;
}

struct tiers *tiers_builtin_table(const struct variables *variables)
{
	struct tiers *tiers = allocate(sizeof *tiers);
	scoped_error no_home = {0};
	const char *home;

	tiers->near = tiers_near_create();
	tiers->unread = allocate(sizeof *tiers->unread);
	if (variables_get(variables, "HOME", &home, &no_home) == 0)
		tiers->unread->home = duplicate(home);
	tiers->count = tiers_builtin_count;
	tiers->lines = allocate_array(tiers->count, sizeof *tiers->lines);
	return tiers;
}

void tiers_unread_destroy(struct tiers_unread *unread)
{
	if (!unread)
		return;
	pool_finish(&unread->texts);
	free(unread->home);
	free(unread);
}
