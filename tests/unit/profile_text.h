/* For tests of profiles: reading text with variables that are the same everywhere. */
#pragma once

#include <criterion/criterion.h>
#include <errno.h>
#include <string.h>

#include "base/buffer.h"
#include "base/cleanup.h"
#include "base/escape.h"
#include "base/memory.h"
#include "profile/profile_file.h"

#define HEAD "[profile]\nformat = 1\n"

static const struct variables test_variables = {
	.home = (char *)"/home/me",
	.tty = (char *)"/dev/pts/3",
	.directory = (char *)"/home/me/project",
	.tmpdir = (char *)"/tmp",
	.uid = (char *)"1000",
};

#define scoped_profile __attribute__((cleanup(profile_finish))) struct profile

static inline void read_text(const char *text, const struct variables *variables, struct profile *profile)
{
	scoped_error err = {0};

	cr_assert_eq(profile_read_text(text, strlen(text), "p.ini", variables, profile, &err), 0, "%s\n%s", err.message,
		     text);
}

/* Whether it is this text; behind an unknown name also with the list of known ones, which test_nearest tests. */
static inline bool is_message(const char *got, const char *want)
{
	size_t length = strlen(want);

	return got && !strncmp(got, want, length) &&
	       (!got[length] || ((strstr(want, "unknown ") || strstr(want, "missing in front of ")) &&
				 (!strncmp(got + length, ", perhaps ", 10) || !strncmp(got + length, " (known: ", 9))));
}

static inline void add_refusal(void *data, const struct error *err)
{
	buffer_format((struct buffer *)data, "%s\n", err->message);
}

/* Each refused line, as check tells it. */
static inline size_t list_refusals(const char *text, struct buffer *list)
{
	struct ini_refusals refusals = {.fn = add_refusal, .data = list};

	profile_refusals(text, strlen(text), "p.ini", &test_variables, &refusals);
	return refusals.count;
}

static inline void expect_read_error(const char *text, const char *message)
{
	scoped_buffer refusals = {0};
	struct profile profile;
	scoped_error err = {0};

	cr_assert_eq(profile_read_text(text, strlen(text), "p.ini", &test_variables, &profile, &err), -EINVAL, "%s",
		     text);
	cr_expect(is_message(err.message, message), "%s\n%s", err.message, message);
	cr_expect_eq(profile.grant_count, 0u, "nothing of a profile with an error is used");
	cr_expect_geq(list_refusals(text, &refusals), 1u);
	cr_expect_eq(strncmp(buffer_text(&refusals), err.message, strlen(err.message)), 0, "the first of all: %s",
		     buffer_text(&refusals));
}

/* What the writer makes of the text, without its first line. */
static inline void write_text(const char *text, const struct variables *variables, struct buffer *out)
{
	scoped_profile profile = {0};
	scoped_buffer whole = {0};

	read_text(text, variables, &profile);
	profile_write(&profile, &whole);
	buffer_clear(out);
	buffer_add_text(out, strchr(whole.data, '\n') + 1);
}

static inline void expect_written(const char *text, const char *want)
{
	scoped_buffer out = {0};

	write_text(text, &test_variables, &out);
	cr_expect_str_eq(buffer_text(&out), want);
}

static inline size_t longest_line(const char *text)
{
	size_t longest = 0;

	while (*text) {
		size_t length = strcspn(text, "\n");

		longest = length > longest ? length : longest;
		text += length + (text[length] == '\n');
	}
	return longest;
}

static inline int any_variable(void *data, const char *name, const char **value, struct error *err)
{
	(void)data;
	(void)name;
	(void)err;
	*value = "";
	return 0;
}

/* Every piece of a cut value can be decoded by itself: so none ends inside an escape, a variable or a character. */
static inline void expect_pieces_are_whole(const char *text)
{
	scoped_free char *copy = duplicate(text);

	for (char *line = strtok(copy, "\n"); line; line = strtok(NULL, "\n")) {
		size_t length = strlen(line), backslashes = 0;
		scoped_buffer decoded = {0};
		scoped_error err = {0};

		if (*line == ';' || *line == '#')
			continue;
		while (backslashes < length && line[length - 1 - backslashes] == '\\')
			backslashes++;
		line[length - backslashes % 2] = '\0';
		cr_expect_eq(line[clean_length(line, false)], '\0', "%s", line);
		cr_expect_eq(unescape_value(&decoded, line, any_variable, NULL, &err), 0, "%s: %s", err.message, line);
		if (!strncmp(line, "    ", 4))
			cr_expect(line[4] && !strchr(" ;#", line[4]), "%s", line);
	}
}
