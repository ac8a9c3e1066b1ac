/* A profile in memory: adding, finding, joining, sorting, also after others changed the arrays. */
#include "profile_text.h"

#include "base/memory.h"

Test(profile, names_of_sections_are_those_of_headings)
{
	cr_expect_str_eq(section_name(SECTION_NORMAL), "normal");
	cr_expect_str_eq(section_name(SECTION_ABSENT), "absent");
	for (int i = 0; i < SECTION_COUNT; i++)
		cr_expect_eq(section_name((enum section)i), heading_name((enum heading)(HEADING_GRANTS + i)));
	cr_expect_str_eq(heading_name(HEADING_PROFILE), "profile");
	cr_expect_str_eq(heading_name(HEADING_SECCOMP), "seccomp");
	cr_expect(section_is_enforced(SECTION_PROTECTED));
	cr_expect_not(section_is_enforced(SECTION_HELD));
}

Test(profile, a_zeroed_one_is_empty)
{
	struct profile profile = {0};

	cr_expect_null(profile_find_grant(&profile, SECTION_NORMAL, "/x"));
	profile_sort(&profile);
	profile_finish(&profile);
	profile_finish(&profile);
}

Test(profile, rights_join_in_the_higher_section)
{
	scoped_profile profile = {0};

	profile_add_grant(&profile, SECTION_GUARDED, RIGHT_READ_FILE, "/x");
	profile_add_grant(&profile, SECTION_NORMAL, RIGHT_WRITE_FILE, "/x");
	profile_add_grant(&profile, SECTION_HELD, RIGHT_EXECUTE, "/x");
	profile_add_grant(&profile, SECTION_ABSENT, RIGHT_MAKE_REG, "/x");
	cr_assert_eq(profile.grant_count, 3u);
	cr_expect_eq(profile_find_grant(&profile, SECTION_PROTECTED, "/x")->section, SECTION_GUARDED);
	cr_expect_eq(profile_find_grant(&profile, SECTION_NORMAL, "/x")->rights, RIGHT_READ_FILE | RIGHT_WRITE_FILE);
	cr_expect_eq(profile_find_grant(&profile, SECTION_HELD, "/x")->rights, RIGHT_EXECUTE);
	cr_expect_eq(profile_find_grant(&profile, SECTION_ABSENT, "/x")->rights, RIGHT_MAKE_REG);
	cr_expect_null(profile_find_grant(&profile, SECTION_NORMAL, "/"));
	profile_add_grant(&profile, SECTION_PROTECTED, RIGHT_EXECUTE, "/x");
	cr_expect_eq(profile_find_grant(&profile, SECTION_NORMAL, "/x")->section, SECTION_PROTECTED);
}

Test(profile, grants_are_found_after_a_section_was_changed)
{
	scoped_profile profile = {0};

	profile_add_grant(&profile, SECTION_NORMAL, RIGHT_READ_FILE, "/a");
	profile_add_grant(&profile, SECTION_NORMAL, RIGHT_READ_FILE, "/b")->section = SECTION_HELD;
	cr_expect_null(profile_find_grant(&profile, SECTION_NORMAL, "/b"));
	cr_expect_not_null(profile_find_grant(&profile, SECTION_HELD, "/b"));
	profile_add_grant(&profile, SECTION_HELD, RIGHT_WRITE_FILE, "/b");
	cr_expect_eq(profile.grant_count, 2u);
}

Test(profile, grants_are_found_after_some_were_removed)
{
	scoped_profile profile = {0};

	profile_add_grant(&profile, SECTION_NORMAL, RIGHT_READ_FILE, "/a");
	profile_add_grant(&profile, SECTION_NORMAL, RIGHT_READ_FILE, "/b");
	profile_add_grant(&profile, SECTION_NORMAL, RIGHT_READ_FILE, "/c");
	free(profile.grants[0].path);
	profile.grants[0] = profile.grants[--profile.grant_count];
	cr_expect_null(profile_find_grant(&profile, SECTION_NORMAL, "/a"));
	cr_expect_str_eq(profile_find_grant(&profile, SECTION_NORMAL, "/b")->path, "/b");
	cr_expect_str_eq(profile_find_grant(&profile, SECTION_NORMAL, "/c")->path, "/c");
}

Test(profile, grants_are_found_after_they_were_reordered)
{
	scoped_profile profile = {0};
	struct grant first;

	profile_add_grant(&profile, SECTION_NORMAL, RIGHT_READ_FILE, "/a");
	profile_add_grant(&profile, SECTION_NORMAL, RIGHT_WRITE_FILE, "/b");
	first = profile.grants[0];
	profile.grants[0] = profile.grants[1];
	profile.grants[1] = first;
	cr_expect_eq(profile_find_grant(&profile, SECTION_NORMAL, "/a")->rights, RIGHT_READ_FILE);
	cr_expect_eq(profile_find_grant(&profile, SECTION_NORMAL, "/b")->rights, RIGHT_WRITE_FILE);
}

Test(profile, grants_are_found_after_some_were_appended)
{
	scoped_profile profile = {0};
	struct grant *grant;

	profile_add_grant(&profile, SECTION_NORMAL, RIGHT_READ_FILE, "/a");
	grant = ARRAY_APPEND(profile.grants, profile.grant_count, profile.grant_capacity);
	*grant = (struct grant){.section = SECTION_NORMAL, .rights = RIGHT_READ_FILE, .path = duplicate("/b")};
	profile_add_grant(&profile, SECTION_NORMAL, RIGHT_WRITE_FILE, "/b");
	cr_assert_eq(profile.grant_count, 2u);
	cr_expect_eq(profile.grants[1].rights, RIGHT_READ_FILE | RIGHT_WRITE_FILE);
}

Test(profile, sorting_joins_what_became_the_same)
{
	scoped_profile profile = {0};

	profile_add_grant(&profile, SECTION_HELD, RIGHT_READ_FILE, "/a")->origin.comment = duplicate("; one\n");
	profile_add_grant(&profile, SECTION_NORMAL, RIGHT_WRITE_FILE, "/a")->origin.comment = duplicate("; two\n");
	profile.grants[0].section = SECTION_GUARDED;
	profile_sort(&profile);
	cr_assert_eq(profile.grant_count, 1u);
	cr_expect_eq(profile.grants[0].section, SECTION_GUARDED);
	cr_expect_eq(profile.grants[0].rights, RIGHT_READ_FILE | RIGHT_WRITE_FILE);
	cr_expect_str_eq(profile.grants[0].origin.comment, "; one\n; two\n");
}

Test(profile, sorting_drops_what_says_nothing)
{
	scoped_profile profile = {0};

	profile_add_grant(&profile, SECTION_NORMAL, RIGHT_READ_FILE, "/a")->rights = 0;
	profile_add_grant(&profile, SECTION_NORMAL, RIGHT_READ_FILE, "/b");
	profile_sort(&profile);
	cr_assert_eq(profile.grant_count, 1u);
	cr_expect_str_eq(profile.grants[0].path, "/b");
}

Test(profile, a_skipped_terminal_is_one_grant)
{
	scoped_profile profile = {0};

	profile_add_skipped(&profile, SECTION_NORMAL, RIGHT_READ_FILE, "${TTY}");
	profile_add_skipped(&profile, SECTION_NORMAL, RIGHT_WRITE_FILE, "${TTY}");
	profile_add_grant(&profile, SECTION_NORMAL, RIGHT_WRITE_FILE, "/x");
	cr_assert_eq(profile.grant_count, 2u);
	cr_expect(profile.grants[0].skipped);
	cr_expect_eq(profile.grants[0].rights, RIGHT_READ_FILE | RIGHT_WRITE_FILE);
}

Test(profile, sorting_makes_lists_unique)
{
	scoped_profile profile = {0};

	profile.complete = true;
	profile_add_port(&profile, RIGHT_CONNECT_TCP, 443);
	profile_add_port(&profile, RIGHT_CONNECT_TCP, PORT_ANY);
	profile_add_port(&profile, RIGHT_BIND_TCP, 443);
	profile_add_move(&profile, "/b", "/c");
	profile_add_move(&profile, "/a", "/c");
	profile_add_move(&profile, "/b", "/c");
	profile_add_seccomp(&profile, "udp");
	profile_add_seccomp(&profile, "udp");
	profile_add_incomplete(&profile, "z");
	profile_add_incomplete(&profile, "a");
	profile_add_incomplete(&profile, "z");
	profile_add_environment(&profile, ENVIRONMENT_KEEP, "A", NULL);
	profile_add_environment(&profile, ENVIRONMENT_KEEP, "A", NULL);
	profile_add_argument(&profile, "same");
	profile_add_argument(&profile, "same");
	profile_sort(&profile);
	cr_assert_eq(profile.port_count, 2u);
	cr_expect_eq(profile.ports[0].port, 443);
	cr_expect_eq(profile.ports[0].rights, RIGHT_BIND_TCP | RIGHT_CONNECT_TCP);
	cr_assert_eq(profile.move_count, 2u);
	cr_expect_str_eq(profile.moves[0].from, "/a");
	cr_expect_eq(profile.seccomp_count, 1u);
	cr_expect_eq(profile.incomplete_count, 2u);
	cr_expect_eq(profile.environment_count, 1u);
	cr_expect_eq(profile.argument_count, 2u);
	cr_expect_not(profile.complete);
	cr_expect(profile.has_network && profile.has_environment && profile.has_seccomp);
	cr_expect_not(profile.has_scope);
}

Test(profile, many_grants_with_names_that_begin_alike)
{
	scoped_profile profile = {0};

	for (int round = 0; round < 2; round++)
		for (int i = 0; i < 50000; i++) {
			char path[64];

			snprintf(path, sizeof path, "/usr/share/a/very/common/beginning/%d", i);
			profile_add_grant(&profile, SECTION_NORMAL, round ? RIGHT_READ_FILE : RIGHT_WRITE_FILE, path);
		}
	cr_expect_eq(profile.grant_count, 50000u);
	profile_sort(&profile);
	cr_expect_str_eq(profile.grants[0].path, "/usr/share/a/very/common/beginning/0");
	cr_expect_str_eq(profile.grants[49999].path, "/usr/share/a/very/common/beginning/9999");
}
