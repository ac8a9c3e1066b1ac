#include "profile/profile_section.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/memory.h"
#include "base/nearest.h"
#include "profile/profile_head.h"
#include "profile/profile_line.h"
#include "profile/seccomp_groups.h"

static int unknown_key(enum heading heading, const struct ini_line *line, struct error *err)
{
	static const char *const allow[] = {"allow"}, *const move[] = {"move"},
				 *const environment[] = {"keep", "set", "unset"};
	scoped_free char *help = NULL;

	if (strcmp(line->key, "deny") == 0)
		return error_set(
			err, EINVAL,
			"unknown key deny in [%s]: what no line allows is refused, and nothing can be taken out "
			"of a grant on a directory",
			heading_name(heading));
	if (heading == HEADING_ENVIRONMENT)
		help = nearest_help(line->key, strlen(line->key), environment, ARRAY_LENGTH(environment));
	else
		help = nearest_help(line->key, strlen(line->key), heading == HEADING_MOVES ? move : allow, 1);
	return error_set(err, EINVAL, "unknown key %s in [%s]%s", line->key, heading_name(heading), help);
}

/* Splits value at its first blanks; the second part begins behind them ("" without one). */
static const char *split_value(const char *value, size_t *first_length)
{
	const char *blank = strchrnul(value, ' ');

	*first_length = (size_t)(blank - value);
	while (*blank == ' ')
		blank++;
	return blank;
}

/* Whether the file has lines of the other kind so far: most have none that are held. */
static bool has_others(const struct profile_reader *reader, enum section section)
{
	const unsigned *headings = &reader->headings[HEADING_GRANTS];

	if (section != SECTION_HELD)
		return headings[SECTION_HELD] != 0;
	return headings[SECTION_NORMAL] || headings[SECTION_GUARDED] || headings[SECTION_PROTECTED];
}

/*
 * A path cannot be granted and wait for a person's decision at once. Only "/" can: learning grants read_dir on it and
 * holds the rest.
 */
static int check_held(struct profile_reader *reader, enum section section, rights_t rights, const char *path,
		      struct error *err)
{
	enum section other = section == SECTION_HELD ? SECTION_NORMAL : SECTION_HELD;
	const struct grant *grant = NULL;

	if (section != SECTION_ABSENT && has_others(reader, section))
		grant = profile_find_grant(&reader->profile, other, path);
	if (!grant || (!strcmp(path, "/") && !(grant->rights & rights)))
		return 0;
	return error_set(err, EINVAL, "%s is %s in line %u: a path is held or granted, not both", path,
			 other == SECTION_HELD ? "held" : "granted", grant->origin.line);
}

static int read_rights(struct profile_reader *reader, const char *text, size_t length, rights_t *rights,
		       struct error *err)
{
	struct last_rights *last = &reader->last_rights;

	*rights = last->rights;
	if (length && length == last->length && memcmp(text, last->text, length) == 0)
		return 0;
	if (rights_read(text, length, RIGHT_CLASS_FILE_SYSTEM, rights, err) < 0)
		return -err->number;
	if (length > sizeof last->text)
		return 0;
	memcpy(last->text, text, length);
	last->length = length;
	last->rights = *rights;
	return 0;
}

static int read_grant(struct profile_reader *reader, enum heading heading, const struct ini_line *line,
		      struct error *err)
{
	enum section section = (enum section)(heading - HEADING_GRANTS);
	scoped_origin origin = {0};
	scoped_free char *path = NULL;
	const char *written;
	struct grant *grant;
	size_t length;
	rights_t rights;

	if (strcmp(line->key, "allow") != 0)
		return unknown_key(heading, line, err);
	written = split_value(line->value, &length);
	if (read_rights(reader, line->value, length, &rights, err) < 0)
		return -err->number;
	if (!*written)
		return error_set(err, EINVAL, "a path is missing behind the rights");
	if (value_path(reader, written, &path, err) < 0)
		return -err->number;
	if (reader->plain)
		value_origin_plain(&origin, line);
	else
		value_origin(&origin, line, written, path, NULL);
	if (check_held(reader, section, rights, reader->skip ? origin.written : path, err) < 0)
		return -err->number;
	if (reader->skip)
		grant = profile_add_skipped(&reader->profile, section, rights, origin.written);
	else
		grant = profile_take_grant(&reader->profile, section, rights, steal_pointer(&path));
	origin_join(&grant->origin, &origin);
	return 0;
}

static int read_move(struct profile_reader *reader, enum heading heading, const struct ini_line *line,
		     struct error *err)
{
	scoped_free char *first = NULL, *from = NULL, *to = NULL, *value = NULL;
	scoped_buffer usual = {0};
	struct move *move;
	const char *second;
	size_t length;

	if (strcmp(line->key, "move") != 0)
		return unknown_key(heading, line, err);
	second = split_value(line->value, &length);
	if (!*second || strchr(second, ' '))
		return error_set(err, EINVAL, "not two paths with a blank between (one in a path is \\x20): %s",
				 line->value);
	first = duplicate_bytes(line->value, length);
	if (value_known_path(reader, first, &from, err) < 0 || value_known_path(reader, second, &to, err) < 0)
		return -err->number;
	move = profile_add_move(&reader->profile, from, to);
	move->directory = first[length - 1] == '/'; /* the root, too */
	line_move(&usual, move);
	value = format_text("%s %s", first, second); /* however many blanks were between */
	value_origin(&move->origin, line, value, usual.data, usual.data);
	return 0;
}

static int read_port(struct profile_reader *reader, enum heading heading, const struct ini_line *line,
		     struct error *err)
{
	long port = PORT_ANY;
	scoped_error why = {0};
	struct origin *origin;
	const char *number;
	size_t length;
	rights_t rights;

	if (strcmp(line->key, "allow") != 0)
		return unknown_key(heading, line, err);
	number = split_value(line->value, &length);
	if (rights_read(line->value, length, RIGHT_CLASS_NETWORK, &rights, err) < 0)
		return -err->number;
	if (!*number)
		return error_set(err, EINVAL, "a port, or any, is missing behind the rights");
	if (strcmp(number, "any") != 0 && value_number(number, 0, 65535, &port, &why) < 0)
		return error_set(err, EINVAL, "%s (one port a line, as a number, without an address)", why.message);
	origin = &profile_add_port(&reader->profile, rights, (int)port)->origin;
	origin->line = line->line;
	origin->comment = duplicate(line->comment);
	return 0;
}

static int read_scope(struct profile_reader *reader, enum heading heading, const struct ini_line *line,
		      struct error *err)
{
	const char *comment = line->comment; /* above several scopes it stays with the first */
	rights_t rights;

	if (strcmp(line->key, "allow") != 0)
		return unknown_key(heading, line, err);
	if (rights_read(line->value, strlen(line->value), RIGHT_CLASS_SCOPE, &rights, err) < 0)
		return -err->number;
	reader->profile.scope |= rights;
	for (size_t i = 0; i < ARRAY_LENGTH(reader->profile.scope_origins); i++) {
		scoped_origin origin = {.line = line->line, .comment = duplicate(comment)};

		if (!(rights & 1ULL << (RIGHTS_SCOPE_SHIFT + i)))
			continue;
		origin_join(&reader->profile.scope_origins[i], &origin);
		comment = NULL;
	}
	return 0;
}

/* NAME for keep and unset, NAME=value for set, decoded; checked. */
static int check_environment(enum environment_action action, const char *text, struct error *err)
{
	const char *equals = strchr(text, '=');

	if (action == ENVIRONMENT_SET && !equals)
		return error_set(err, EINVAL, "not NAME=value: %s", text);
	if (action != ENVIRONMENT_SET && equals)
		return error_set(err, EINVAL, "a variable's name alone has no =: %s", text);
	if (!*text || equals == text)
		return error_set(err, EINVAL, "the name of a variable is missing");
	return 0;
}

static int find_action(const char *key, enum environment_action *action)
{
	for (*action = ENVIRONMENT_KEEP; *action <= ENVIRONMENT_UNSET; (*action)++)
		if (!strcmp(key, environment_action_name(*action)))
			return 0;
	return -EINVAL;
}

static int read_environment(struct profile_reader *reader, enum heading heading, const struct ini_line *line,
			    struct error *err)
{
	scoped_free char *text = NULL, *name = NULL;
	enum environment_action action;
	struct environment_line *added;
	size_t length;

	if (find_action(line->key, &action) < 0)
		return unknown_key(heading, line, err);
	if (value_known_text(reader, line->value, &text, err) < 0 || check_environment(action, text, err) < 0)
		return -err->number;
	length = strcspn(text, "=");
	name = duplicate_bytes(text, length);
	added = profile_add_environment(&reader->profile, action, name,
					action == ENVIRONMENT_SET ? text + length + 1 : NULL);
	value_origin(&added->origin, line, line->value, text, NULL);
	return 0;
}

static int unknown_word(const struct ini_line *line, struct error *err)
{
	const char *known[SECCOMP_GROUPS];
	scoped_free char *help = NULL;
	size_t count = 0;

	for (int group = 0; group < SECCOMP_GROUPS; group++)
		if (seccomp_group_table[group].word)
			known[count++] = seccomp_group_table[group].word;
	help = nearest_help(line->value, strlen(line->value), known, count);
	return error_set(err, EINVAL, "unknown word %s in [seccomp]%s", line->value, help);
}

static int read_seccomp(struct profile_reader *reader, enum heading heading, const struct ini_line *line,
			struct error *err)
{
	struct origin *origin;

	if (strcmp(line->key, "allow") != 0)
		return unknown_key(heading, line, err);
	if (seccomp_group_of_word(line->value) == SECCOMP_GROUPS)
		return unknown_word(line, err);
	origin = &profile_add_seccomp(&reader->profile, line->value)->origin;
	value_origin(origin, line, line->value, line->value, NULL);
	return 0;
}

static int read_head(struct profile_reader *reader, enum heading heading, const struct ini_line *line,
		     struct error *err)
{
	(void)heading;
	return head_read(reader, line, err);
}

typedef int read_key_fn(struct profile_reader *reader, enum heading heading, const struct ini_line *line,
			struct error *err);

static read_key_fn *const key_readers[HEADING_COUNT] = {
	[HEADING_PROFILE] = read_head,
	[HEADING_GRANTS + SECTION_NORMAL] = read_grant,
	[HEADING_GRANTS + SECTION_GUARDED] = read_grant,
	[HEADING_GRANTS + SECTION_PROTECTED] = read_grant,
	[HEADING_GRANTS + SECTION_HELD] = read_grant,
	[HEADING_GRANTS + SECTION_ABSENT] = read_grant,
	[HEADING_MOVES] = read_move,
	[HEADING_NETWORK] = read_port,
	[HEADING_SCOPE] = read_scope,
	[HEADING_ENVIRONMENT] = read_environment,
	[HEADING_SECCOMP] = read_seccomp,
};

int section_read(struct profile_reader *reader, enum heading heading, const struct ini_line *line, struct error *err)
{
	return key_readers[heading](reader, heading, line, err);
}

struct named_line {
	const char *name;
	unsigned line;
};

static int compare_lines(const void *a, const void *b)
{
	const struct named_line *first = a, *second = b;
	int order = strcmp(first->name, second->name);

	return order ? order : (first->line > second->line) - (first->line < second->line);
}

int environment_check(const struct profile_reader *reader, struct error *err)
{
	const struct profile *profile = &reader->profile;
	size_t count = profile->environment_count;
	scoped_free struct named_line *lines = allocate_array(count, sizeof *lines);

	for (size_t i = 0; i < count; i++)
		lines[i] = (struct named_line){profile->environment[i].name, profile->environment[i].origin.line};
	qsort(lines, count, sizeof *lines, compare_lines);
	for (size_t i = 1; i < count; i++)
		if (!strcmp(lines[i].name, lines[i - 1].name))
			return error_set(err, EINVAL, "%s:%u: %s stands in line %u already", reader->name,
					 lines[i].line, lines[i].name, lines[i - 1].line);
	return 0;
}
