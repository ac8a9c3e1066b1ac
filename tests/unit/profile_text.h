/* For tests of profiles: reading text with variables that are the same everywhere. */
#pragma once

#include <criterion/criterion.h>
#include <errno.h>
#include <string.h>

#include "base/buffer.h"
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

static inline void expect_read_error(const char *text, const char *message)
{
	struct profile profile;
	scoped_error err = {0};

	cr_assert_eq(profile_read_text(text, strlen(text), "p.ini", &test_variables, &profile, &err), -EINVAL, "%s",
		     text);
	cr_expect_str_eq(err.message, message);
	cr_expect_eq(profile.grant_count, 0u, "nothing of a profile with an error is used");
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
