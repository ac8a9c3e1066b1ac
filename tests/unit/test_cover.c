/* What a set of grants allows on a path. */
#include "profile_text.h"

#include <time.h>

#include "profile/cover.h"
#include "profile/reach.h"

#define scoped_cover __attribute__((cleanup(cleanup_cover))) struct cover

static void cleanup_cover(struct cover **cover)
{
	cover_destroy(*cover);
}

static struct cover *cover_of(const char *lines, unsigned sections)
{
	scoped_free char *text = format_text(HEAD "%s", lines);
	scoped_profile profile = {0};

	read_text(text, &test_variables, &profile);
	return cover_create(&profile, sections); /* outlives the profile */
}

Test(cover, joins_the_rights_of_all_directories_above)
{
	scoped_cover *cover = cover_of("[normal]\nallow = read_dir /\nallow = read_file /a\nallow = write_file /a/b\n"
				       "allow = execute /a/b/c\n",
				       COVER_ENFORCED);

	cr_expect_eq(cover_rights(cover, "/a/b/c"),
		     RIGHT_READ_DIR | RIGHT_READ_FILE | RIGHT_WRITE_FILE | RIGHT_EXECUTE);
	cr_expect_eq(cover_rights_above(cover, "/a/b/c"), RIGHT_READ_DIR | RIGHT_READ_FILE | RIGHT_WRITE_FILE);
	cr_expect_eq(cover_rights_on(cover, "/a/b/c"), RIGHT_EXECUTE);
	cr_expect_eq(cover_rights(cover, "/a/b/c/d/e"), cover_rights(cover, "/a/b/c"));
	cr_expect_eq(cover_rights(cover, "/a"), RIGHT_READ_DIR | RIGHT_READ_FILE);
	cr_expect_eq(cover_rights(cover, "/"), RIGHT_READ_DIR);
	cr_expect_eq(cover_rights_above(cover, "/"), 0u);
	cr_expect_eq(cover_rights_above(cover, "/a"), RIGHT_READ_DIR);
}

Test(cover, names_that_begin_alike_are_no_directories)
{
	scoped_cover *cover = cover_of("[normal]\nallow = read_file /a/b\n", COVER_ENFORCED);

	cr_expect_eq(cover_rights(cover, "/a/bc"), 0u);
	cr_expect_eq(cover_rights(cover, "/a/b.c/d"), 0u);
	cr_expect_eq(cover_rights(cover, "/a"), 0u);
	cr_expect_eq(cover_rights(cover, "/a/b"), RIGHT_READ_FILE);
}

Test(cover, takes_the_sections_it_is_asked_for)
{
	const char *lines = "[normal]\nallow = read_file /n\n[guarded]\nallow = read_file /g\n"
			    "[protected]\nallow = read_file /p\n[held]\nallow = read_file /h\n"
			    "[absent]\nallow = make_reg /a\n";
	scoped_cover *enforced = cover_of(lines, COVER_ENFORCED), *held = cover_of(lines, 1u << SECTION_HELD);

	cr_expect_eq(cover_rights(enforced, "/n"), RIGHT_READ_FILE);
	cr_expect_eq(cover_rights(enforced, "/g"), RIGHT_READ_FILE);
	cr_expect_eq(cover_rights(enforced, "/p"), RIGHT_READ_FILE);
	cr_expect_eq(cover_rights(enforced, "/h"), 0u);
	cr_expect_eq(cover_rights(enforced, "/a"), 0u);
	cr_expect_eq(cover_rights(held, "/h"), RIGHT_READ_FILE);
	cr_expect_eq(cover_rights(held, "/n"), 0u);
}

Test(cover, passes_over_a_terminal_that_is_not_there)
{
	struct variables none = test_variables;
	scoped_profile profile = {0};
	struct cover *cover;

	none.tty = NULL;
	read_text(HEAD "[normal]\nallow = read_file ${TTY}\nallow = read_file /x\n", &none, &profile);
	cover = cover_create(&profile, COVER_ENFORCED);
	cr_expect_eq(cover_rights(cover, "/x"), RIGHT_READ_FILE);
	cover_destroy(cover);
}

Test(cover, changes_as_it_goes)
{
	scoped_cover *cover = cover_of("", COVER_ENFORCED);

	cr_expect(cover_add(cover, "/a", RIGHT_READ_FILE));
	cr_expect_not(cover_add(cover, "/a", RIGHT_READ_FILE));
	cr_expect(cover_add(cover, "/a", RIGHT_READ_FILE | RIGHT_EXECUTE));
	cr_expect_eq(cover_rights(cover, "/a/b"), RIGHT_READ_FILE | RIGHT_EXECUTE);
	cover_remove(cover, "/a", RIGHT_EXECUTE);
	cover_remove(cover, "/nowhere", RIGHT_EXECUTE);
	cr_expect_eq(cover_rights(cover, "/a/b"), RIGHT_READ_FILE);
}

static double seconds_of_lookups(size_t grants)
{
	scoped_cover *cover = cover_create(&(struct profile){0}, COVER_ENFORCED);
	struct timespec before, after;
	char path[64];
	rights_t seen = 0;

	for (size_t i = 0; i < grants; i++) {
		snprintf(path, sizeof path, "/some/where/directory-%zu/file-%zu", i % 97, i);
		cover_add(cover, path, RIGHT_READ_FILE);
	}
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &before);
	for (size_t i = 0; i < 100000; i++) {
		snprintf(path, sizeof path, "/some/where/directory-%zu/file-%zu", i % 97, i);
		seen |= cover_rights(cover, path);
	}
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &after);
	cr_expect_eq(seen, RIGHT_READ_FILE);
	return (double)(after.tv_sec - before.tv_sec) + (double)(after.tv_nsec - before.tv_nsec) / 1e9;
}

/* A thousand times the grants would be a thousand times the time for a search; caches account for some. */
Test(cover, looks_up_in_time_that_does_not_grow_with_the_grants)
{
	double few = seconds_of_lookups(100), many = seconds_of_lookups(100000);

	cr_expect_lt(many, 20 * few + 0.01, "%.3f s with 100 grants, %.3f s with 100000", few, many);
}

/* What was answered for a directory is answered anew once something changed, and for another beginning. */
Test(cover, the_last_answer_is_not_kept_too_long)
{
	scoped_cover *cover = cover_of("[normal]\nallow = read_file /a\nallow = execute /a/b\n", COVER_ENFORCED);

	cr_expect_eq(cover_rights_above(cover, "/a/b/c"), RIGHT_READ_FILE | RIGHT_EXECUTE);
	cr_expect_eq(cover_rights_above(cover, "/a/b/d"), RIGHT_READ_FILE | RIGHT_EXECUTE);
	cr_expect_eq(cover_rights_between(cover, "/a/b/d", 4), RIGHT_EXECUTE);
	cr_expect_eq(cover_rights_between(cover, "/a/b/d", 5), 0u);
	cr_expect_eq(cover_rights_above(cover, "/a/b/d"), RIGHT_READ_FILE | RIGHT_EXECUTE);
	cr_expect_eq(cover_rights_above(cover, "/a/c/d"), RIGHT_READ_FILE);
	cover_add(cover, "/a/c", RIGHT_EXECUTE);
	cr_expect_eq(cover_rights_above(cover, "/a/c/d"), RIGHT_READ_FILE | RIGHT_EXECUTE);
	cover_remove(cover, "/a", RIGHT_READ_FILE);
	cr_expect_eq(cover_rights_above(cover, "/a/c/d"), RIGHT_EXECUTE);
	cover_add(cover, "/", RIGHT_READ_DIR);
	cr_expect_eq(cover_rights_above(cover, "/a/c/d"), RIGHT_EXECUTE | RIGHT_READ_DIR);
	cr_expect_eq(cover_rights_above(cover, "/x"), RIGHT_READ_DIR);
}

/* The first questions are answered without a cover: the answers are the same. */
Test(reach, says_the_same_however_often_it_is_asked)
{
	static const char *const paths[] = {"/", "/no-a", "/no-a/b", "/no-a/b/c", "/no-a/bc", "/no-d", "/no-f/e"};
	static const char text[] = HEAD "[normal]\nallow = read_dir /\nallow = read_file /no-a\n"
					"allow = write_file /no-a/b\n[guarded]\nallow = execute /no-a/b/c\n"
					"[held]\nallow = truncate /no-f\n[absent]\nallow = make_reg /no-d\n";
	scoped_cover *cover = cover_of(text + strlen(HEAD), COVER_ENFORCED);
	scoped_profile profile = {0};
	struct reach reach;

	read_text(text, &test_variables, &profile);
	reach_init(&reach, &profile);
	for (size_t i = 0; i < 10 * ARRAY_LENGTH(paths); i++) {
		const char *path = paths[i % ARRAY_LENGTH(paths)];

		cr_assert_eq(reach_rights_by_name(&reach, path), cover_rights(cover, path), "%zu: %s", i, path);
	}
	cr_expect_eq(reach_rights_by_name(&reach, "/no-a/b/c"),
		     RIGHT_READ_DIR | RIGHT_READ_FILE | RIGHT_WRITE_FILE | RIGHT_EXECUTE);
	reach_finish(&reach);
}
