/*
 * The built-in table, of which each line is read when a path is asked for that it may speak of: a start looks at few
 * paths, and most lines speak of paths that begin otherwise.
 */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/memory.h"
#include "profile/path.h"
#include "profile/tiers_table.h"

struct tiers_unread {
	struct pool texts; /* of the patterns */
	char *home;	   /* NULL without one */
	/* What may speak of paths with this first letter (0: of any), and of what lies at home with this one. */
	bool is_read[UCHAR_MAX + 1], is_home_read[UCHAR_MAX + 1];
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

/* The first letter behind the home that patterns must have to speak of the path; 0: any; -1: those of the home do not.
 */
static int letter_at_home(const struct tiers_unread *unread, const char *path)
{
	if (!unread->home)
		return -1;
	if (path_is_beneath(unread->home, path))
		return 0;
	return path_is_beneath(path, unread->home) ? path[strlen(unread->home) + 1] : -1;
}

/* Of a pattern as the table has it, behind its ~. */
static bool has_letter(const char *text, char letter)
{
	if (text[0] == '\0')
		return false; /* of the home alone */
	return text[1] == letter || !((text[1] >= 'a' && text[1] <= 'z') || text[1] == '.');
}

static bool is_wanted(const struct tiers_builtin_row *row, char first, int at_home)
{
	if (!first)
		return true;
	if (row->first != '~')
		return row->first == first || row->first == TIERS_ANY_LETTER;
	return at_home == 0 || (at_home > 0 && has_letter(tiers_builtin_texts + row->text + 1, (char)at_home));
}

bool tiers_read_for(const struct tiers *tiers, const char *path)
{
	struct tiers_unread *unread = tiers->unread;
	int at_home = unread ? letter_at_home(unread, path) : -1;
	bool *is_read, *is_home_read;

	if (!unread)
		return false;
	is_read = &unread->is_read[(unsigned char)path[1]];
	is_home_read = &unread->is_home_read[at_home < 0 ? 0 : (unsigned char)at_home];
	if (unread->is_read[0] || (*is_read && (at_home < 0 || *is_home_read)))
		return false;
	for (size_t i = 0; i < tiers->count; i++)
		if (is_wanted(&tiers_builtin_rows[i], path[1], at_home) && !tiers->lines[i].pattern.text)
			read_row(unread, &tiers_builtin_rows[i], &tiers->lines[i]);
	*is_read = true;
	if (at_home >= 0)
		*is_home_read = true;
	return true;
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
