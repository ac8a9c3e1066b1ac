/* What grants reach on this machine and the program never touched, in a tree made for the test. */
#include "profile_text.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "profile/path.h"
#include "profile/reach_list.h"
#include "profile/tiers_table.h"
#include "tests/unit/own_directory.h"

static char tree[PATH_MAX];

static char *in_tree(const char *name)
{
	return format_text("%s/%s", tree, name);
}

static void make_directory(const char *name)
{
	scoped_free char *path = in_tree(name);

	cr_assert_eq(mkdir(path, 0700), 0, "%s", path);
}

static void make_file(const char *name)
{
	scoped_free char *path = in_tree(name);
	scoped_file file = fopen(path, "w");

	cr_assert(file, "%s", path);
}

static void make_tree(void)
{
	own_directory(tree);
}

static void remove_tree(void)
{
	remove_directory(tree);
}

TestSuite(reach_list, .init = make_tree, .fini = remove_tree);

/* valgrind 3.19 does not know openat2(2); what cannot be looked at then counts as there. */
static void need_openat2(void)
{
	if (syscall(SYS_openat2, -1, "", NULL, 0) < 0 && errno == ENOSYS) {
		remove_tree(); /* what is skipped has no end */
		cr_skip_test("openat2(2) is not there");
	}
}

/* In `text`, @ stands for the tree. */
static char *with_tree(const char *text)
{
	scoped_buffer out = {0};

	for (; *text; text++) {
		if (*text == '@')
			buffer_add_text(&out, tree);
		else
			buffer_add_byte(&out, *text);
	}
	return buffer_steal(&out);
}

static bool is_touched(void *data, const char *path)
{
	scoped_free char *touched = with_tree(data);

	return path_is_beneath(touched, path);
}

static bool is_said_file(void *data, const char *path)
{
	(void)data;
	return strstr(path, "/file") != NULL;
}

static void expect_lines(const char *table, const char *grants, const char *touched, const char *want)
{
	const struct reach_session session = {
		.touched = touched ? is_touched : NULL, .is_file = is_said_file, .data = (void *)touched};
	scoped_free char *table_text = with_tree(table), *wanted = with_tree(want);
	scoped_free char *spelled = with_tree(grants), *profile_text = format_text(HEAD "%s", spelled);
	scoped_profile profile = {0};
	struct tiers *tiers = NULL;
	struct reach_list list;
	scoped_buffer got = {0};
	scoped_error err = {0};

	read_text(profile_text, &test_variables, &profile);
	cr_assert_eq(tiers_read_text(table_text, strlen(table_text), "t.ini", &test_variables, &tiers, &err), 0, "%s",
		     err.message);
	reach_list_make(&list, &profile, tiers, &session);
	for (size_t i = 0; i < list.count; i++)
		buffer_format(&got, "%s\n", list.lines[i].text);
	cr_expect_str_eq(buffer_text(&got), wanted);
	reach_list_finish(&list);
	tiers_destroy(tiers);
}

#define TABLE "[tiers]\nformat = 1\n"

Test(reach_list, names_untouched_entries_the_highest_first)
{
	make_directory("d");
	make_file("d/b");
	make_file("d/a");
	make_file("d/secret");
	make_file("d/used");
	expect_lines(TABLE "path = - guarded @/**\npath = protected protected @/d/secret\n",
		     "[normal]\nallow = make_reg,write_file @/d\n", "@/d/used",
		     "make_reg,write_file @/d (protected) also reaches, and the program never touched:\n"
		     "  @/d/secret (protected)\n  @/d/a (guarded)\n  @/d/b (guarded)\n");
}

/* What is known to be a file is looked at for its links alone, where they matter. */
Test(reach_list, looks_at_no_file_that_is_only_read)
{
	make_directory("file1"); /* so that a look would be seen */
	make_file("file1/a");
	make_directory("d");
	make_file("d/a");
	expect_lines(TABLE "path = guarded guarded @/**\n",
		     "[normal]\nallow = read_file @/file1\nallow = read_file @/d\n", NULL,
		     "read_file @/d (guarded) also reaches, and the program never touched:\n  @/d/a (guarded)\n");
	expect_lines(TABLE "path = guarded guarded @/**\n", "[normal]\nallow = write_file @/file1\n", NULL,
		     "write_file @/file1 (guarded) also reaches, and the program never touched:\n"
		     "  @/file1/a (guarded)\n");
}

Test(reach_list, names_a_place_once_by_its_highest_tier)
{
	need_openat2();
	make_directory("d");
	make_directory("d/me");
	make_directory("d/me/keys");
	make_file("d/me/mail");
	expect_lines(TABLE "path = - guarded @/d/*/*\npath = - protected @/d/*/keys/**\n",
		     "[normal]\nallow = write_file @/d\n", "@/d/me/x",
		     "write_file @/d (protected) also reaches, and the program never touched:\n"
		     "  @/d/me/keys (protected)\n  @/d/me/mail (guarded)\n");
}

Test(reach_list, says_nothing_of_what_is_normal_touched_held_or_gone)
{
	const char *table = TABLE "path = guarded guarded @/d/**\n";

	make_directory("d");
	make_directory("n");
	make_file("d/used");
	make_file("n/x");
	expect_lines(table, "[normal]\nallow = write_file @/n\n", NULL, "");
	expect_lines(table, "[normal]\nallow = write_file @/d\n", "@/d/used", "");
	expect_lines(table, "[held]\nallow = write_file @/d\n", NULL, "");
	expect_lines(table, "[absent]\nallow = write_file @/d\n", NULL, "");
	expect_lines(table, "[normal]\nallow = write_file @/d/none\n", NULL, "");
	expect_lines(table, "[normal]\nallow = write_file @/d/used\n", NULL, "");
	expect_lines(table, "[normal]\nallow = write_file ${TTY}\n", NULL, "");
}

Test(reach_list, shows_twenty_and_counts_the_rest)
{
	scoped_buffer want = {0};

	make_directory("d");
	for (int i = 24; i >= 0; i--) {
		scoped_free char *name = format_text("d/%02d", i);

		make_file(name);
	}
	make_file("d/z");
	buffer_add_text(&want, "write_file @/d (protected) also reaches, and the program never touched:\n"
			       "  @/d/z (protected)\n");
	for (int i = 0; i < REACH_LIST_MAX - 1; i++)
		buffer_format(&want, "  @/d/%02d (guarded)\n", i);
	buffer_add_text(&want, "  and 6 more\n");
	expect_lines(TABLE "path = - guarded @/**\npath = - protected @/d/z\n", "[normal]\nallow = write_file @/d\n",
		     NULL, want.data);
}

Test(reach_list, of_what_is_equally_high_the_most_secret_comes_first)
{
	make_directory("d");
	make_file("d/cron");
	make_file("d/shadow");
	make_file("d/other");
	expect_lines(TABLE "path = - protected @/d/**\npath = protected protected @/d/shadow\n"
			   "path = guarded protected @/d/other\n",
		     "[normal]\nallow = write_file @/d\n", NULL,
		     "write_file @/d (protected) also reaches, and the program never touched:\n"
		     "  @/d/shadow (protected)\n  @/d/other (protected)\n  @/d/cron (protected)\n");
}

Test(reach_list, names_lines_of_the_table_that_lie_deeper)
{
	need_openat2();
	make_directory("d");
	make_directory("d/.config");
	make_directory("d/.config/gh");
	make_directory("d/.config/key");
	make_file("d/.config/gh/token");
	expect_lines(TABLE "path = guarded - @/**\npath = protected - @/d/.config/gh/**\n"
			   "path = protected - @/d/.config/op/**\npath = guarded - @/d/.config/key\n"
			   "path = protected - @/d/.config/*/token\npath = protected - @/d/none/*\n",
		     "[normal]\nallow = read_file @/d\n", NULL,
		     "read_file @/d (protected) also reaches, and the program never touched:\n"
		     "  @/d/.config (protected)\n  @/d/.config/gh (protected)\n"
		     "  @/d/.config/gh/token (protected)\n");
	expect_lines(TABLE "path = guarded - @/**\npath = protected - @/d/.config/gh/**\n",
		     "[normal]\nallow = read_file @/d\n", "@/d/.config/gh/hosts", "");
	expect_lines(TABLE "path = guarded - @/**\npath = protected - @/d/.config/*/token\n",
		     "[normal]\nallow = read_file @/d\n", "@/d/.config/gh/token", "");
}

Test(reach_list, names_hooks_of_a_repository_that_is_there)
{
	need_openat2();
	make_directory("d");
	make_directory("d/.git");
	make_directory("d/.git/hooks");
	make_directory("e");
	expect_lines(TABLE "path = - protected /**/.git/hooks/**\n",
		     "[normal]\nallow = write_file @/d\nallow = write_file @/e\n", NULL,
		     "write_file @/d (normal) also reaches, and the program never touched:\n"
		     "  @/d/.git/hooks (protected)\n");
	expect_lines(TABLE "path = - protected /**/.git/hooks/**\n", "[normal]\nallow = read_file @/d\n", NULL, "");
}

Test(reach_list, files_are_not_reached_by_rights_of_directories)
{
	make_directory("d");
	make_directory("d/sub");
	make_file("d/file");
	expect_lines(TABLE "path = guarded guarded @/**\n", "[normal]\nallow = make_dir,read_dir @/d\n", NULL,
		     "make_dir,read_dir @/d (guarded) also reaches, and the program never touched:\n"
		     "  @/d/sub (guarded)\n");
	expect_lines(TABLE "path = guarded guarded @/**\n", "[normal]\nallow = remove_file @/d\n", NULL,
		     "remove_file @/d (guarded) also reaches, and the program never touched:\n"
		     "  @/d/file (guarded)\n  @/d/sub (guarded)\n");
}

Test(reach_list, says_when_a_file_that_may_be_written_has_other_names)
{
	scoped_free char *file = in_tree("file"), *other = in_tree("other");

	make_file("file");
	cr_assert_eq(link(file, other), 0);
	make_file("single");
	expect_lines(TABLE "path = guarded - /x\n",
		     "[normal]\nallow = write_file @/file\nallow = read_file @/other\nallow = write_file @/single\n",
		     NULL, "@/file has 2 links: what is written to it is written under its other names too\n");
	expect_lines(TABLE "path = guarded - /x\n", "[normal]\nallow = truncate @/other\n", NULL,
		     "@/other has 2 links: what is written to it is written under its other names too\n");
}

/* Opening a named pipe would wait for ever, and a link may lead anywhere. */
Test(reach_list, opens_no_pipe_and_follows_no_link, .timeout = 60)
{
	scoped_free char *pipe = in_tree("d/pipe"), *link_path = in_tree("link"), *target = in_tree("d");

	make_directory("d");
	cr_assert_eq(mkfifo(pipe, 0600), 0);
	cr_assert_eq(symlink(target, link_path), 0);
	expect_lines(TABLE "path = guarded guarded @/**\npath = protected - @/d/pipe/x\n",
		     "[normal]\nallow = write_file @/d\nallow = write_file @/d/pipe\nallow = write_file @/link\n", NULL,
		     "write_file @/d (guarded) also reaches, and the program never touched:\n  @/d/pipe (guarded)\n");
}

/* What a pattern names is told by its own names, not by the pattern. */
Test(reach_list, shows_what_patterns_name)
{
	need_openat2();
	make_directory("h");
	make_directory("h/me");
	make_directory("h/me/sub");
	make_file("h/me/a.kdbx");
	make_file("h/me/b.kdbx");
	make_file("h/me/c.txt");
	make_file("h/me/sub/d.kdbx");
	expect_lines(TABLE "path = protected protected @/h/me/*.kdbx\n", "[normal]\nallow = read_file @/h\n",
		     "@/h/me/b.kdbx",
		     "read_file @/h (protected) also reaches, and the program never touched:\n"
		     "  @/h/me/a.kdbx (protected)\n");
	expect_lines(TABLE "path = protected protected @/h/*/sub/**\n", "[normal]\nallow = read_file @/h\n",
		     "@/h/me/c.txt",
		     "read_file @/h (protected) also reaches, and the program never touched:\n"
		     "  @/h/me/sub (protected)\n");
	expect_lines(TABLE "path = protected protected @/h/me/*.none\n", "[normal]\nallow = read_file @/h\n",
		     "@/h/me/c.txt", "");
}

/* A directory that cannot be looked into may hold what the pattern names; root looks into all of them. */
Test(reach_list, shows_the_pattern_where_nothing_can_be_seen)
{
	scoped_free char *closed = in_tree("h/closed");

	if (geteuid() == 0) {
		remove_tree();
		cr_skip_test("root can look into every directory");
	}
	make_directory("h");
	make_directory("h/closed");
	cr_assert_eq(chmod(closed, 0), 0);
	expect_lines(TABLE "path = protected protected @/h/*/*.kdbx\n", "[normal]\nallow = read_file @/h\n",
		     "@/h/closed",
		     "read_file @/h (protected) also reaches, and the program never touched:\n"
		     "  @/h/*/*.kdbx (protected)\n");
	cr_assert_eq(chmod(closed, 0700), 0);
}
