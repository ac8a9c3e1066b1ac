/* Collapsing: what goes to a directory, what never does, and what is said about it. */
#include "session.h"

#include <stdio.h>

#include "profile/collapse.h"
#include "profile/cover.h"

/* The text of `profile` after [profile], and the lines that are said, each behind "! ". */
static char *learned(struct profile *profile, const char *lines)
{
	scoped_session session;
	scoped_buffer whole = {0}, got = {0};
	struct learner *learner;
	struct tiers *tiers = builtin_tiers();
	const struct widenings *widened;

	session_init(&session, lines);
	learner = session_learn(&session);
	learner_finish(learner, tiers, profile);
	profile_write(profile, &whole);
	buffer_add_text(&got, strstr(whole.data, "complete = "));
	widened = learner_widened(learner);
	for (size_t i = 0; i < widened->count; i++) {
		scoped_free char *text = widening_text(&widened->items[i], profile);

		if (text)
			buffer_format(&got, "! %s\n", text);
	}
	learner_destroy(learner);
	tiers_destroy(tiers);
	return buffer_steal(&got);
}

static void expect_collapsed(const char *lines, const char *want)
{
	scoped_profile profile = {.landlock = 7, .sessions = 1, .complete = true};
	scoped_free char *got = learned(&profile, lines);

	cr_expect_str_eq(got, want, "%s--- gives\n%s", lines, got);
}

#define READ(path)  "use type=file path=" path " rights=read_file asked=yes\n"
#define WRITE(path) "use type=file path=" path " rights=write_file asked=yes\n"

Test(collapse, nothing_without_being_asked)
{
	expect_collapsed(READ("/srv/d/a") READ("/srv/d/b"),
			 "complete = yes\n\n[normal]\nallow = read_file /srv/d/a\nallow = read_file /srv/d/b\n");
}

Test(collapse, each_right_that_enough_entries_have_goes_to_the_directory)
{
	expect_collapsed("#: collapse 3\n" READ("/srv/d/a") READ("/srv/d/b") READ("/srv/d/c") WRITE("/srv/d/c")
				 READ("/srv/e/a") READ("/srv/e/b"),
			 "complete = yes\n\n[normal]\nallow = read_file /srv/d\nallow = read_file /srv/e/a\n"
			 "allow = read_file /srv/e/b\nallow = write_file /srv/d/c\n"
			 "! collapsed: read_file is granted on all of /srv/d, for 3 entries of it\n");
}

Test(collapse, what_was_collapsed_counts_as_an_entry_and_the_root_gets_nothing)
{
	expect_collapsed("#: collapse 2\n" READ("/a/d/1") READ("/a/d/2") READ("/a/e/1") READ("/a/e/2") READ("/b/x")
				 READ("/b/y"),
			 "complete = yes\n\n[normal]\nallow = read_file /a\nallow = read_file /b\n"
			 "! collapsed: read_file is granted on all of /a, for 2 entries of it\n"
			 "! collapsed: read_file is granted on all of /b, for 2 entries of it\n");
}

Test(collapse, names_that_begin_alike_are_of_different_directories)
{
	expect_collapsed("#: collapse 3\n" READ("/srv/d/a") READ("/srv/d/b") READ("/srv/d.x/c") READ("/srv/d.x/e"),
			 "complete = yes\n\n[normal]\nallow = read_file /srv/d.x/c\nallow = read_file /srv/d.x/e\n"
			 "allow = read_file /srv/d/a\nallow = read_file /srv/d/b\n");
}

Test(collapse, never_by_count_where_it_is_guarded_or_protected)
{
	/* Reading in /etc reaches shadow; writing in /usr is guarded; the home reaches .ssh. */
	expect_collapsed("#: collapse 2\n" READ("/etc/a") READ("/etc/b"),
			 "complete = yes\n\n[normal]\nallow = read_file /etc/a\nallow = read_file /etc/b\n");
	expect_collapsed("#: collapse 2\n" WRITE("/usr/d/a") WRITE("/usr/d/b"),
			 "complete = yes\n\n[guarded]\nallow = write_file /usr/d/a\nallow = write_file /usr/d/b\n");
	expect_collapsed("#: collapse 2\n" READ("/home/me/a") READ("/home/me/b"),
			 "complete = yes\n\n[normal]\nallow = read_file /home/me/a\nallow = read_file /home/me/b\n");
	expect_collapsed("#: collapse 2\n#: force-sensitive-collapse\n" READ("/etc/a") READ("/etc/b"),
			 "complete = yes\n\n[normal]\nallow = read_file /etc/a\nallow = read_file /etc/b\n");
	/* Entries of /proc are not harmless all of them because some are. */
	expect_collapsed("#: collapse 2\n" READ("/proc/self/maps") READ("/proc/self/stat"),
			 "complete = yes\n\n[normal]\nallow = read_file /proc/self/maps\n"
			 "allow = read_file /proc/self/stat\n");
}

Test(collapse, a_prefix_takes_all_beneath_it)
{
	expect_collapsed(
		"#: collapse-prefix /srv/d\n" READ("/srv/d/a/b") WRITE("/srv/d/c") READ("/srv/dx"),
		"complete = yes\n\n[normal]\nallow = read_file /srv/dx\nallow = read_file,write_file /srv/d\n"
		"! collapsed: read_file,write_file is granted on all of /srv/d, for what is granted beneath it\n");
	expect_collapsed("#: collapse-prefix /srv/e\n" READ("/srv/d/a"),
			 "complete = yes\n\n[normal]\nallow = read_file /srv/d/a\n"
			 "! not collapsed: no line lies beneath /srv/e\n");
}

Test(collapse, a_prefix_is_forced_where_it_is_sensitive)
{
	expect_collapsed("#: collapse-prefix /usr/d\n" READ("/usr/d/a") WRITE("/usr/d/b"),
			 "complete = yes\n\n[normal]\nallow = read_file /usr/d\n\n[guarded]\n"
			 "allow = write_file /usr/d/b\n"
			 "! not collapsed: write_file on all of /usr/d reaches what is guarded or protected; "
			 "--force-sensitive-collapse does it all the same\n"
			 "! collapsed: read_file is granted on all of /usr/d, for what is granted beneath it\n");
	expect_collapsed("#: collapse-prefix /etc\n#: force-sensitive-collapse\n" READ("/etc/a"),
			 "complete = yes\n\n[protected]\nallow = read_file /etc\n"
			 "! collapsed: read_file is granted on all of /etc, for what is granted beneath it\n");
	/* And --hold holds it all the same: what it was to stand for is then covered by nothing. */
	expect_collapsed("#: hold protected\n#: collapse-prefix /etc\n#: force-sensitive-collapse\n" READ("/etc/a"),
			 "complete = no\nincomplete = grants that were needed are held\n\n[held]\n"
			 "allow = read_file /etc\n");
}

Test(collapse, nothing_goes_above_what_is_held)
{
	const char *text = HEAD "[normal]\nallow = read_file /srv/d/a\n[held]\nallow = read_file /srv/d/secret\n";
	const char *want = "complete = yes\n\n[normal]\nallow = read_file /srv/d/a\nallow = read_file /srv/d/b\n"
			   "allow = read_file /srv/d/c\n\n[held]\nallow = read_file /srv/d/secret\n";
	scoped_profile profile = {0}, other = {0};
	scoped_free char *got = NULL, *wanted = format_text("%s! not collapsed: read_file on all of /srv/d would let "
							    "in what is held beneath it\n",
							    want);

	read_text(text, &test_variables, &profile);
	got = learned(&profile, "#: collapse 2\n" READ("/srv/d/b") READ("/srv/d/c"));
	cr_expect_str_eq(got, want);
	free(got);
	read_text(text, &test_variables, &other);
	got = learned(&other, "#: collapse-prefix /srv/d\n" READ("/srv/d/b") READ("/srv/d/c"));
	cr_expect_str_eq(got, wanted);
}

/* A path is held or granted, not both: that would be a profile that no reader takes. */
Test(collapse, nothing_goes_to_a_directory_that_is_held_itself)
{
	const char *want =
		"complete = yes\n\n[normal]\nallow = read_file /srv/d/a\nallow = read_file /srv/d/b\n\n[held]\n"
		"allow = write_file /srv/d\n";
	scoped_profile profile = {0};
	scoped_free char *got = NULL;

	read_text(HEAD "[normal]\nallow = read_file /srv/d/a\n[held]\nallow = write_file /srv/d\n", &test_variables,
		  &profile);
	got = learned(&profile, "#: collapse 2\n" READ("/srv/d/b"));
	cr_expect_str_eq(got, want);
}

/* A line of the table for the path alone says nothing of what lies in it. */
Test(collapse, what_lies_in_the_directory_has_its_own_tier)
{
	static const char table[] =
		"[tiers]\nformat = 1\npath = protected protected /opt/**\npath = normal normal /opt/d\n";
	const struct collapse_options options = {.least = 2};
	struct widenings said = {0};
	struct tiers *tiers = NULL;
	scoped_profile profile = {0};
	scoped_error err = {0};

	cr_assert_eq(tiers_read_text(table, strlen(table), "tiers", &test_variables, &tiers, &err), 0, "%s",
		     err.message);
	read_text(HEAD "[protected]\nallow = read_file /opt/d/a\nallow = read_file /opt/d/b\n", &test_variables,
		  &profile);
	collapse_grants(&profile, tiers, &options, &said);
	cr_expect_null(profile_find_grant(&profile, SECTION_NORMAL, "/opt/d"));
	cr_expect_eq(profile.grant_count, 2u);
	widenings_finish(&said);
	tiers_destroy(tiers);
}

Test(collapse, lines_that_were_there_count_and_those_with_a_comment_stay)
{
	scoped_profile profile = {0};
	scoped_free char *got = NULL;

	read_text(HEAD "[normal]\nallow = read_file /srv/d/a\n; for the report\nallow = read_file /srv/d/b\n",
		  &test_variables, &profile);
	got = learned(&profile, "#: collapse 3\n" READ("/srv/d/c"));
	cr_expect_str_eq(got, "complete = yes\n\n[normal]\nallow = read_file /srv/d\n; for the report\n"
			      "allow = read_file /srv/d/b\n"
			      "! collapsed: read_file is granted on all of /srv/d, for 3 entries of it\n");
}

Test(collapse, moves_are_closed_again)
{
	/* What comes into d may be read there now, so it must be readable before. */
	expect_collapsed("#: collapse 3\n" READ("/srv/d/a") READ("/srv/d/b")
				 READ("/srv/d/c") "rename type=file path=/srv/e/f path2=/srv/d/f asked=yes\n",
			 "complete = yes\n\n[normal]\nallow = make_reg,read_file,refer /srv/d\n"
			 "allow = read_file /srv/e/f\nallow = refer,remove_file /srv/e\n\n"
			 "[moves]\nmove = /srv/e/f /srv/d\n"
			 "! collapsed: read_file is granted on all of /srv/d, for 3 entries of it\n"
			 "! widened: read_file on /srv/e/f, because of what is moved or linked from there to where "
			 "that is granted (nothing may gain a right by a move)\n");
}

Test(collapse, the_terminal_is_no_entry)
{
	expect_collapsed("#: tty /srv/t/3\n#: collapse 2\n" READ("/srv/t/3") READ("/srv/t/a"),
			 "complete = yes\n\n[normal]\nallow = read_file ${TTY}\nallow = read_file /srv/t/a\n");
}

/* Whatever is collapsed: nothing that was granted is lost, and no commented or held line changes. */
Test(collapse, never_takes_anything_away)
{
	unsigned seed = 20261130;

	for (int round = 0; round < 200; round++) {
		scoped_buffer lines = {0};
		scoped_profile plain = {.complete = true}, collapsed = {.complete = true};
		scoped_free char *text = NULL, *unused = NULL, *also_unused = NULL;
		struct cover *cover;

		for (int i = 0; i < 12; i++) {
			unsigned a = seed = seed * 1103515245 + 12345, b = seed = seed * 1103515245 + 12345;

			buffer_format(&lines, "use type=file path=/srv/%u/%u/%u rights=%s asked=yes\n", a >> 16 & 1,
				      a >> 20 & 1, b >> 16 & 3, b & 1 << 20 ? "read_file" : "execute,write_file");
		}
		unused = learned(&plain, lines.data);
		text = format_text("#: collapse %d\n%s", 2 + round % 3, lines.data);
		also_unused = learned(&collapsed, text);
		cover = cover_create(&collapsed, COVER_ENFORCED);
		for (size_t i = 0; i < plain.grant_count; i++)
			cr_assert_eq(plain.grants[i].rights & ~cover_rights(cover, plain.grants[i].path), 0u, "%s",
				     text);
		cover_destroy(cover);
	}
}
