/* Names that the program may exchange within a directory, and what something else would gain there. */
#include "profile_text.h"

#include "profile/swap.h"

/* What is found for the line on path of this profile; NULL for nothing. */
static void expect_swap(const char *lines, const char *path, const char *want)
{
	scoped_free char *text = format_text(HEAD "%s", lines);
	scoped_profile profile = {0};
	struct swap swap = {0};
	scoped_free char *got = NULL;
	struct cover *cover;
	const struct grant *grant;

	read_text(text, &test_variables, &profile);
	cover = cover_create(&profile, COVER_ENFORCED);
	grant = profile_find_grant(&profile, SECTION_NORMAL, path);
	cr_assert(grant, "%s", lines);
	if (swap_find(cover, grant, &swap))
		got = swap_text(grant, &swap);
	cover_destroy(cover);
	if (want)
		cr_expect_str_eq(got ? got : "(nothing)", want, "%s", lines);
	else
		cr_expect_null(got, "%s%s", lines, got);
}

Test(swap, a_file_where_files_can_be_renamed)
{
	const char *want = "the program may put something else of /srv/d under the name /srv/d/f, and has read_file on "
			   "that from the next start on: keep what is not meant for it elsewhere than in /srv/d";

	expect_swap("[normal]\nallow = make_reg,remove_file /srv/d\nallow = read_file /srv/d/f\n", "/srv/d/f", want);
	expect_swap("[normal]\nallow = make_reg,remove_file,write_file /srv\nallow = read_file /srv/d/f\n", "/srv/d/f",
		    want);
	expect_swap("[normal]\nallow = make_reg /srv\nallow = remove_file /srv/d\nallow = read_file /srv/d/f\n",
		    "/srv/d/f", want);
}

static bool is_possible(const char *lines)
{
	scoped_free char *text = format_text(HEAD "%s", lines);
	scoped_profile profile = {0};

	read_text(text, &test_variables, &profile);
	return swap_is_possible(&profile);
}

/* Wherever the rights are: where they meet is for the lines to say. */
Test(swap, possible_where_all_lines_together_may_rename)
{
	cr_expect(is_possible("[normal]\nallow = make_reg /srv\n[guarded]\nallow = remove_file /srv/d\n"));
	cr_expect(is_possible("[protected]\nallow = make_dir,remove_dir /srv\n"));
	cr_expect_not(is_possible("[normal]\nallow = make_reg,remove_dir /srv\nallow = read_file /srv/d\n"));
	cr_expect_not(is_possible("[normal]\nallow = make_reg /srv\n[held]\nallow = remove_file /srv/d\n"));
}

Test(swap, nothing_on_what_is_held)
{
	struct grant held = {.section = SECTION_HELD, .path = (char *)"/srv/d/f", .rights = RIGHT_READ_FILE};
	scoped_profile profile = {0};
	struct swap swap = {0};
	struct cover *cover;

	read_text(HEAD "[normal]\nallow = make_reg,remove_file /srv/d\nallow = read_file /srv/d/f\n", &test_variables,
		  &profile);
	cover = cover_create(&profile, COVER_ENFORCED);
	cr_expect_not(swap_find(cover, &held, &swap));
	held.section = SECTION_NORMAL;
	cr_expect(swap_find(cover, &held, &swap), "control: where it is granted");
	cover_destroy(cover);
}

Test(swap, nothing_where_it_can_only_be_made_or_removed)
{
	expect_swap("[normal]\nallow = make_reg /srv/d\nallow = read_file /srv/d/f\n", "/srv/d/f", NULL);
	expect_swap("[normal]\nallow = remove_file /srv/d\nallow = read_file /srv/d/f\n", "/srv/d/f", NULL);
	expect_swap("[normal]\nallow = make_sym,remove_file /srv/d\nallow = read_file /srv/d/f\n", "/srv/d/f", NULL);
}

Test(swap, nothing_is_gained_where_all_of_the_directory_has_it)
{
	expect_swap("[normal]\nallow = make_reg,read_file,remove_file /srv/d\nallow = read_file,write_file /srv/d/f\n",
		    "/srv/d/f",
		    "the program may put something else of /srv/d under the name /srv/d/f, and has write_file on that "
		    "from the next start on: keep what is not meant for it elsewhere than in /srv/d");
	expect_swap("[normal]\nallow = make_reg,read_file,remove_file /srv/d\nallow = read_file /srv/d/f\n", "/srv/d/f",
		    NULL);
}

Test(swap, a_directory_on_the_way)
{
	expect_swap("[normal]\nallow = make_dir,remove_dir /srv/d\nallow = read_file /srv/d/e\n"
		    "allow = read_file /srv/d/e/f\n",
		    "/srv/d/e",
		    "the program may put something else of /srv/d under the name /srv/d/e, and has read_file on that "
		    "from the next start on: keep what is not meant for it elsewhere than in /srv/d");
	expect_swap(
		"[normal]\nallow = make_dir,remove_dir /srv\nallow = read_file /srv/d/e/f\n", "/srv/d/e/f",
		"the program may put something else of /srv/d/e under the name /srv/d/e/f, and has read_file on that "
		"from the next start on: keep what is not meant for it elsewhere than in /srv/d/e");
	expect_swap("[held]\nallow = make_dir,remove_dir /srv\n[normal]\nallow = read_file /srv/d/e/f\n", "/srv/d/e/f",
		    NULL);
	expect_swap("[normal]\nallow = make_dir,remove_dir /srv\n", "/srv", NULL);
}
