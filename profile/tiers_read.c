#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/escape.h"
#include "base/memory.h"
#include "base/table.h"
#include "profile/ini.h"
#include "profile/tiers_table.h"

#define TIERS_FORMAT "1"

struct tiers_reader {
	struct tiers *tiers;
	const char *home;   /* NULL without one */
	struct table known; /* texts of the path lines' patterns, which own them */
	bool has_format;
	bool has_lines;
};

/* Takes the first word off *value. */
static char *take_word(const char **value)
{
	size_t length = strcspn(*value, " ");
	char *word = duplicate_bytes(*value, length);

	*value += length + strspn(*value + length, " ");
	return word;
}

static int read_use_tier(const char **value, int *tier, struct error *err)
{
	scoped_free char *word = take_word(value);
	enum tier read;

	*tier = TIER_UNSAID;
	if (strcmp(word, "-") == 0)
		return 0;
	if (tier_read(word, &read, err) < 0)
		return error_context(err, "a path line is a tier for reading, one for changing, and a pattern");
	*tier = (int)read;
	return 0;
}

static int read_path_line(const char **value, struct tier_line *line, struct error *err)
{
	if (read_use_tier(value, &line->tiers[TIER_USE_READING], err) < 0 ||
	    read_use_tier(value, &line->tiers[TIER_USE_CHANGING], err) < 0)
		return -err->number;
	if (line->tiers[TIER_USE_READING] == TIER_UNSAID && line->tiers[TIER_USE_CHANGING] == TIER_UNSAID)
		return error_set(err, EINVAL, "the line says nothing: both tiers are -");
	return 0;
}

int tiers_read_rights(const char **value, struct tier_line *line, struct error *err)
{
	scoped_free char *tier = take_word(value);
	scoped_free char *rights = take_word(value);

	if (tier_read(tier, &line->raised, err) < 0 ||
	    rights_read(rights, strlen(rights), RIGHT_CLASS_FILE_SYSTEM, &line->rights, err) < 0)
		return error_context(err, "a rights line is a tier, rights, and a pattern");
	return 0;
}

static const void *text_key(const void *text, size_t *length)
{
	*length = strlen(text);
	return text;
}

/* Remembers a path line, of which each has a pattern of its own. */
static int check_repeated(struct tiers_reader *reader, const struct tier_line *line, struct error *err)
{
	const char *text = line->pattern.text, *other;
	const struct tier_line *first = reader->tiers->lines;

	if (line->rights)
		return 0;
	other = table_find(&reader->known, text_key, text, strlen(text));
	if (!other) {
		table_add(&reader->known, text_key, (void *)text);
		return 0;
	}
	while (first->pattern.text != other)
		first++;
	return error_set(err, EINVAL, "%s stands in line %u already", text, first->line);
}

/* The value without escapes, for as long as the table is there. */
static int keep_text(struct tiers_reader *reader, const char *value, const char **kept, struct error *err)
{
	scoped_buffer text = {0};

	if (unescape_value(&text, value, NULL, NULL, err) < 0)
		return -err->number;
	*kept = memcpy(pool_take(&reader->tiers->texts, text.length + 1), buffer_text(&text), text.length + 1);
	return 0;
}

/* Returns 1 when the line holds here, 0 when it needs a home and there is none. */
static int read_pattern(struct tiers_reader *reader, const char *value, struct tier_line *line, struct error *err)
{
	const char *text = NULL;
	int holds;

	if (!*value)
		return error_set(err, EINVAL, "a pattern is missing");
	if (keep_text(reader, value, &text, err) < 0)
		return -err->number;
	holds = tier_pattern_read(&reader->tiers->texts, text, reader->home, &line->pattern, err);
	if (holds > 0 && check_repeated(reader, line, err) < 0)
		return -err->number;
	return holds;
}

static int read_line(struct tiers_reader *reader, const struct ini_line *ini, struct error *err)
{
	bool is_path = !strcmp(ini->key, "path");
	struct tier_line line = {.line = ini->line};
	const char *value = ini->value;
	int result;

	reader->has_lines = true;
	result = is_path ? read_path_line(&value, &line, err) : tiers_read_rights(&value, &line, err);
	if (result == 0)
		result = read_pattern(reader, value, &line, err);
	if (result == 1)
		*ARRAY_APPEND(reader->tiers->lines, reader->tiers->count, reader->tiers->capacity) = line;
	return result < 0 ? result : 0;
}

static int read_format(struct tiers_reader *reader, const char *value, struct error *err)
{
	if (reader->has_format)
		return error_set(err, EINVAL, "format stands here twice");
	if (strcmp(value, TIERS_FORMAT) != 0)
		return error_set(err, EINVAL, "format %s is not known here (known: " TIERS_FORMAT ")", value);
	reader->has_format = true;
	return 0;
}

static int read_ini_line(void *data, const struct ini_line *line, struct error *err)
{
	struct tiers_reader *reader = data;

	if (strcmp(line->section, "tiers") != 0)
		return error_set(err, EINVAL, "a table of tiers has one section, [tiers]");
	if (!line->key)
		return 0;
	if (!strcmp(line->key, "format"))
		return read_format(reader, line->value, err);
	if (!reader->has_format)
		return error_set(err, EINVAL, "format = " TIERS_FORMAT " has to come first");
	if (!strcmp(line->key, "path") || !strcmp(line->key, "rights"))
		return read_line(reader, line, err);
	return error_set(err, EINVAL, "unknown key %s (known: format, path, rights)", line->key);
}

void tiers_destroy(struct tiers *tiers)
{
	if (!tiers)
		return;
	free(tiers->lines);
	pool_finish(&tiers->texts);
	tiers_near_destroy(tiers->near);
	tiers_unread_destroy(tiers->unread);
	free(tiers->file);
	free(tiers->hash);
	free(tiers);
}

static void reader_begin(struct tiers_reader *reader, const struct variables *variables)
{
	scoped_error no_home = {0};

	reader->tiers = allocate(sizeof *reader->tiers);
	reader->tiers->near = tiers_near_create();
	if (variables_get(variables, "HOME", &reader->home, &no_home) < 0)
		reader->home = NULL;
}

static int reader_end(struct tiers_reader *reader, int result, struct tiers **tiers)
{
	table_finish(&reader->known);
	if (result < 0)
		tiers_destroy(reader->tiers);
	else
		*tiers = reader->tiers;
	return result;
}

int tiers_read_text(const char *text, size_t length, const char *name, const struct variables *variables,
		    struct tiers **tiers, struct error *err)
{
	/* fmemopen(3) refuses an empty buffer. */
	scoped_file file = fmemopen((char *)(length ? text : "\n"), length ? length : 1, "r");
	struct tiers_reader reader = {0};
	int result;

	if (!file)
		out_of_memory();
	reader_begin(&reader, variables);
	result = ini_read(file, name, read_ini_line, &reader, NULL, err);
	if (result == 0 && !reader.has_lines)
		result = error_set(err, EINVAL, "%s: no line: an empty table would call everything normal", name);
	return reader_end(&reader, result, tiers);
}
