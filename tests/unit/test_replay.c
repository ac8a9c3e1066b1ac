/*
 * Recorded sessions (fixtures/sessions/NAME.accesses) give the profiles that stand beside them (NAME.ini), byte for
 * byte. With UPDATE_SESSIONS set, the profiles are written anew, to be read through before they are committed.
 */
#include "session.h"

#include <dirent.h>
#include <stdio.h>

#define SUFFIX ".accesses"

static const char *sessions_directory(void)
{
	static char path[4096];
	const char *source = getenv("TL_SRC");

	snprintf(path, sizeof path, "%s/fixtures/sessions",
		 source		    ? source
		 : getenv("srcdir") ? getenv("srcdir")
				    : ".");
	return path;
}

static char *read_whole(const char *path)
{
	scoped_file file = fopen(path, "r");
	scoped_buffer text = {0};
	char block[4096];
	size_t length;

	cr_assert(file, "%s: %s", path, strerror(errno));
	while ((length = fread(block, 1, sizeof block, file)))
		buffer_add(&text, block, length);
	return buffer_steal(&text);
}

static void write_whole(const char *path, const char *text)
{
	scoped_file file = fopen(path, "w");

	cr_assert(file && fputs(text, file) >= 0, "%s: %s", path, strerror(errno));
}

typedef void session_fn(const char *name, const char *text);

static void for_each_session(session_fn *fn)
{
	scoped_directory directory = opendir(sessions_directory());
	size_t count = 0;

	cr_assert(directory, "%s: %s", sessions_directory(), strerror(errno));
	for (const struct dirent *entry = readdir(directory); entry; entry = readdir(directory)) {
		size_t length = strlen(entry->d_name);
		scoped_free char *path = format_text("%s/%s", sessions_directory(), entry->d_name);
		scoped_free char *text = NULL;

		if (length < strlen(SUFFIX) || strcmp(entry->d_name + length - strlen(SUFFIX), SUFFIX) != 0)
			continue;
		text = read_whole(path);
		path[strlen(path) - strlen(SUFFIX)] = '\0';
		fn(path, text);
		count++;
	}
	cr_expect_geq(count, 26u, "only %zu sessions in %s", count, sessions_directory());
}

static void compare(const char *name, const char *text)
{
	scoped_free char *expected = format_text("%s.ini", name), *want = NULL;
	scoped_session session;
	scoped_buffer got = {0};

	session_init(&session, text);
	session_write(&session, &got);
	if (getenv("UPDATE_SESSIONS"))
		write_whole(expected, got.data);
	want = read_whole(expected);
	cr_expect_str_eq(got.data, want, "%s\n--- got\n%s--- want\n%s", name, got.data, want);
}

Test(replay, gives_the_profile_that_is_expected)
{
	for_each_session(compare);
}

/* A profile with an error of its own could not be used, whatever it says. */
static void read_back(const char *name, const char *text)
{
	scoped_session session;
	scoped_buffer first = {0}, second = {0};
	scoped_profile profile = {0};
	scoped_error err = {0};

	session_init(&session, text);
	session_write(&session, &first);
	cr_assert_eq(profile_read_text(first.data, first.length, name, &test_variables, &profile, &err), 0, "%s",
		     err.message);
	profile_write(&profile, &second);
	cr_expect_str_eq(second.data, first.data);
}

Test(replay, profiles_can_be_read_and_come_back)
{
	for_each_session(read_back);
}

/* Fisher and Yates, with a generator that is the same everywhere. */
static void shuffle(struct session *session, unsigned *seed)
{
	for (size_t i = session->count; i > 1; i--) {
		size_t other = (*seed = *seed * 1103515245u + 12345u) / 65536 % i;
		char *line = session->lines[i - 1];

		session->lines[i - 1] = session->lines[other];
		session->lines[other] = line;
	}
}

static void compare_shuffled(const char *name, const char *text)
{
	scoped_session session;
	scoped_buffer first = {0};
	unsigned seed = 1;

	session_init(&session, text);
	session_write(&session, &first);
	for (int i = 0; i < 50; i++) {
		scoped_buffer other = {0};

		shuffle(&session, &seed);
		session_write(&session, &other);
		cr_assert_str_eq(other.data, first.data, "%s, shuffled %d times", name, i + 1);
	}
}

/* Tasks run at once, and what they did is seen in one order or another. */
Test(replay, the_order_of_accesses_does_not_show)
{
	for_each_session(compare_shuffled);
}

/* As -m does it: what is there already is neither changed nor said again. */
static void add_twice(const char *name, const char *text)
{
	scoped_profile profile = {.landlock = 7, .sessions = 1, .complete = true};
	scoped_buffer once = {0}, twice = {0};
	scoped_session session;

	session_init(&session, text);
	session_write(&session, &once);
	session_add_to(&session, &profile);
	session_add_to(&session, &profile);
	profile_write(&profile, &twice);
	cr_expect_str_eq(twice.data, once.data, "%s", name);
}

Test(replay, a_session_that_is_added_again_changes_nothing)
{
	for_each_session(add_twice);
}
