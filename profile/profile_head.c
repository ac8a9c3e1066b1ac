#include "profile/profile_head.h"

#include <errno.h>
#include <limits.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/hash.h"
#include "base/memory.h"
#include "base/nearest.h"
#include "profile/profile_line.h"

struct head_key {
	const char *name;
	int (*read)(struct profile_reader *reader, const struct head_key *key, const struct ini_line *line,
		    struct error *err);
	void (*write)(const struct profile *profile, const struct head_key *key, head_line_fn *fn, struct buffer *out);
	enum profile_key key; /* KEY_COUNT: may stand more than once */
	size_t offset;	      /* of the text in struct profile */
};

static int read_number(struct profile_reader *reader, const struct head_key *key, const struct ini_line *line,
		       struct error *err)
{
	long number = 0;
	int result = value_number(line->value, key->key == KEY_SESSIONS ? 0 : 1, 999999, &number, err);

	if (result < 0)
		return result;
	if (key->key == KEY_FORMAT && number != PROFILE_FORMAT)
		return error_set(err, EINVAL, "format %ld: this version reads format %d only", number, PROFILE_FORMAT);
	if (key->key == KEY_LANDLOCK)
		reader->profile.landlock = (int)number;
	if (key->key == KEY_SESSIONS)
		reader->profile.sessions = (unsigned)number;
	return 0;
}

static void write_number(const struct profile *profile, const struct head_key *key, head_line_fn *fn,
			 struct buffer *out)
{
	long number = key->key == KEY_FORMAT	 ? PROFILE_FORMAT
		      : key->key == KEY_LANDLOCK ? profile->landlock
						 : (long)profile->sessions;
	scoped_free char *value = format_text("%ld", number);

	if (number || key->key != KEY_LANDLOCK)
		fn(out, key->name, value, &profile->keys[key->key]);
}

/* Keeps the text with its spelling. */
static int take_text(struct profile_reader *reader, const struct head_key *key, const struct ini_line *line, char *text)
{
	*(char **)((char *)&reader->profile + key->offset) = text;
	value_spelling(&reader->profile.keys[key->key], line->value, text, NULL);
	return 0;
}

static int read_text(struct profile_reader *reader, const struct head_key *key, const struct ini_line *line,
		     struct error *err)
{
	char *text = NULL;
	int result = value_known_text(reader, line->value, &text, err);

	return result < 0 ? result : take_text(reader, key, line, text);
}

/* A program's name may go through `..`: it is what PATH gave, links unresolved. */
static int read_program(struct profile_reader *reader, const struct head_key *key, const struct ini_line *line,
			struct error *err)
{
	scoped_free char *text = NULL;
	int result = value_known_text(reader, line->value, &text, err);

	if (result < 0)
		return result;
	if (*text != '/')
		return error_set(err, EINVAL, "not an absolute path: %s", line->value);
	return take_text(reader, key, line, steal_pointer(&text));
}

static int read_directory(struct profile_reader *reader, const struct head_key *key, const struct ini_line *line,
			  struct error *err)
{
	char *path = NULL;
	int result = value_known_path(reader, line->value, &path, err);

	return result < 0 ? result : take_text(reader, key, line, path);
}

static int read_hash(struct profile_reader *reader, const struct head_key *key, const struct ini_line *line,
		     struct error *err)
{
	if (!hash_is_text(line->value))
		return error_set(err, EINVAL, "not a SHA-256 of 64 hexadecimal digits: %s", line->value);
	return take_text(reader, key, line, duplicate(line->value));
}

static void write_text(const struct profile *profile, const struct head_key *key, head_line_fn *fn, struct buffer *out)
{
	const struct origin *origin = &profile->keys[key->key];
	const char *text = *(char *const *)((const char *)profile + key->offset);
	scoped_buffer value = {0};

	if (!text)
		return;
	line_text(&value, text, origin);
	fn(out, key->name, buffer_text(&value), origin);
}

static int read_complete(struct profile_reader *reader, const struct head_key *key, const struct ini_line *line,
			 struct error *err)
{
	bool yes = !strcmp(line->value, "yes");

	(void)key;
	if (!yes && strcmp(line->value, "no") != 0)
		return error_set(err, EINVAL, "neither yes nor no: %s", line->value);
	if (yes && reader->profile.incomplete_count)
		return error_set(err, EINVAL, "complete, but line %u says why it is not",
				 reader->profile.incomplete[0].origin.line);
	reader->profile.complete = yes;
	return 0;
}

static void write_complete(const struct profile *profile, const struct head_key *key, head_line_fn *fn,
			   struct buffer *out)
{
	fn(out, key->name, profile->complete && !profile->incomplete_count ? "yes" : "no", &profile->keys[key->key]);
}

static void write_words(const struct word *words, size_t count, const char *key, head_line_fn *fn, struct buffer *out)
{
	for (size_t i = 0; i < count; i++) {
		scoped_buffer value = {0};

		line_word(&value, &words[i]);
		fn(out, key, buffer_text(&value), &words[i].origin);
	}
}

static int read_argument(struct profile_reader *reader, const struct head_key *key, const struct ini_line *line,
			 struct error *err)
{
	scoped_free char *text = NULL;
	int result = value_known_text(reader, line->value, &text, err);

	(void)key;
	if (result == 0)
		value_origin(&profile_add_argument(&reader->profile, text)->origin, line, line->value, text, NULL);
	return result;
}

static void write_arguments(const struct profile *profile, const struct head_key *key, head_line_fn *fn,
			    struct buffer *out)
{
	write_words(profile->arguments, profile->argument_count, key->name, fn, out);
}

static int read_incomplete(struct profile_reader *reader, const struct head_key *key, const struct ini_line *line,
			   struct error *err)
{
	const struct origin *complete = &reader->profile.keys[KEY_COMPLETE];
	scoped_free char *text = NULL;
	int result = value_known_text(reader, line->value, &text, err);

	(void)key;
	if (result < 0)
		return result;
	if (complete->line && reader->profile.complete)
		return error_set(err, EINVAL, "incomplete, but line %u says complete = yes", complete->line);
	value_origin(&profile_add_incomplete(&reader->profile, text)->origin, line, line->value, text, NULL);
	return 0;
}

static void write_incomplete(const struct profile *profile, const struct head_key *key, head_line_fn *fn,
			     struct buffer *out)
{
	write_words(profile->incomplete, profile->incomplete_count, key->name, fn, out);
}

#define TEXT(name, field, key, read)                                                                                   \
	{                                                                                                              \
		name, read, write_text, key, offsetof(struct profile, field)                                           \
	}

/* In the order in which they are written. */
static const struct head_key head_keys[] = {
	{"format", read_number, write_number, KEY_FORMAT, 0},
	{"landlock", read_number, write_number, KEY_LANDLOCK, 0},
	{"sessions", read_number, write_number, KEY_SESSIONS, 0},
	TEXT("program", program, KEY_PROGRAM, read_program),
	TEXT("argv0", argv0, KEY_ARGV0, read_text),
	{"argument", read_argument, write_arguments, KEY_COUNT, 0},
	TEXT("directory", directory, KEY_DIRECTORY, read_directory),
	TEXT("tiers", tiers, KEY_TIERS, read_hash),
	{"complete", read_complete, write_complete, KEY_COMPLETE, 0},
	{"incomplete", read_incomplete, write_incomplete, KEY_COUNT, 0},
};

int head_read(struct profile_reader *reader, const struct ini_line *line, struct error *err)
{
	const char *known[ARRAY_LENGTH(head_keys)];
	scoped_free char *help = NULL;

	for (size_t i = 0; i < ARRAY_LENGTH(head_keys); i++) {
		const struct head_key *key = &head_keys[i];
		struct origin *origin = key->key == KEY_COUNT ? NULL : &reader->profile.keys[key->key];

		if (strcmp(key->name, line->key) != 0)
			continue;
		if (origin && origin->line)
			return error_set(err, EINVAL, "%s stands in line %u already", line->key, origin->line);
		if (origin) {
			origin->line = line->line;
			origin->comment = duplicate(line->comment);
		}
		return key->read(reader, key, line, err);
	}
	for (size_t i = 0; i < ARRAY_LENGTH(head_keys); i++)
		known[i] = head_keys[i].name;
	help = nearest_help(line->key, strlen(line->key), known, ARRAY_LENGTH(head_keys));
	return error_set(err, EINVAL, "unknown key %s in [profile]%s", line->key, help);
}

int head_check(const struct profile_reader *reader, struct error *err)
{
	unsigned heading = reader->headings[HEADING_PROFILE];

	if (!heading)
		return error_set(err, EINVAL,
				 "%s:1: there is no [profile] section: a profile begins with it, and format = %d in it",
				 reader->name, PROFILE_FORMAT);
	if (!reader->profile.keys[KEY_FORMAT].line)
		return error_set(err, EINVAL, "%s:%u: [profile] does not say format = %d", reader->name, heading,
				 PROFILE_FORMAT);
	return 0;
}

void head_write(const struct profile *profile, head_line_fn *fn, struct buffer *out)
{
	for (size_t i = 0; i < ARRAY_LENGTH(head_keys); i++)
		head_keys[i].write(profile, &head_keys[i], fn, out);
}
