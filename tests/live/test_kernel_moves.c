/* What renames and links ask for (KERNEL-FACTS, first table), and when the kernel answers EXDEV. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/live/facts.h"

#define RENAME_FILE (RIGHT_MAKE_REG | RIGHT_REMOVE_FILE)
#define RENAME_DIR  (RIGHT_MAKE_DIR | RIGHT_REMOVE_DIR)

/* In one directory: no refer */
NEEDS(inside, file, rename("f", "n"), EACCES, ON(".", RENAME_FILE))
NEEDS(inside, directory, rename("d", "n"), EACCES, ON(".", RENAME_DIR))
NEEDS(inside, link_as_such, rename("l", "n"), EACCES, ON(".", RIGHT_MAKE_SYM | RIGHT_REMOVE_FILE))
NEEDS(inside, file_over_a_file, rename("f", "t"), EACCES, ON(".", RENAME_FILE))
NEEDS(inside, directory_over_a_directory, rename("d", "e"), EACCES, ON(".", RENAME_DIR))
NEEDS(inside, exchange, renameat2(AT_FDCWD, "f", AT_FDCWD, "t", RENAME_EXCHANGE), EACCES, ON(".", RENAME_FILE))
NEEDS(inside, exchange_of_a_file_and_a_directory, renameat2(AT_FDCWD, "f", AT_FDCWD, "d", RENAME_EXCHANGE), EACCES,
      ON(".", RENAME_FILE | RENAME_DIR))
NEEDS(inside, hard_link, link("f", "n"), EACCES, ON(".", RIGHT_MAKE_REG))
NEEDS(inside, onto_itself, rename("f", "f"), EACCES, ON(".", RENAME_FILE))

/* Across directories: refer on both, else EXDEV; the other rights, else EACCES */
NEEDS(across, refer, rename("d/f", "e/n"), EXDEV, ON("d", RIGHT_REFER), GIVEN("d", RIGHT_REMOVE_FILE),
      ON("e", RIGHT_REFER), GIVEN("e", RIGHT_MAKE_REG))
NEEDS(across, file, rename("d/f", "e/n"), EACCES, GIVEN("d", RIGHT_REFER), ON("d", RIGHT_REMOVE_FILE),
      GIVEN("e", RIGHT_REFER), ON("e", RIGHT_MAKE_REG))
NEEDS(across, directory, rename("d", "e/n"), EACCES, GIVEN(".", RIGHT_REFER), ON(".", RIGHT_REMOVE_DIR),
      ON("e", RIGHT_MAKE_DIR), GIVEN("d", RIGHT_MAKE_DIR))
NEEDS(across, hard_link, link("d/f", "e/n"), EACCES, GIVEN("d", RIGHT_REFER), GIVEN("e", RIGHT_REFER),
      ON("e", RIGHT_MAKE_REG))
NEEDS(across, hard_link_refers, link("d/f", "e/n"), EXDEV, ON("d", RIGHT_REFER), ON("e", RIGHT_REFER),
      GIVEN("e", RIGHT_MAKE_REG))

static int replaces_across(void)
{
	return rename("d/f", "f") < 0 ? errno : 0;
}

Test(across, what_is_replaced_must_be_removable)
{
	needs(replaces_across, 0, EACCES,
	      RULES(GIVEN("d", RIGHT_REFER), GIVEN(".", RIGHT_REFER), ON(".", RIGHT_REMOVE_FILE | RIGHT_MAKE_REG)));
}

/* Closure: the object may not gain a right at its new place */
static const rights_t move = RIGHT_REFER | RIGHT_MAKE_REG | RIGHT_REMOVE_FILE;

ATTEMPT(moves, rename("d/f", "e/n"))
ATTEMPT(moves_directory, rename("d", "e/n"))

Test(closure, same_rights_on_both_sides)
{
	cr_assert_eq(attempt_under(moves, RULES(ON("d", move | RIGHT_READ_FILE), ON("e", move | RIGHT_READ_FILE))), 0);
}

Test(closure, a_right_gained_is_refused)
{
	cr_assert_eq(attempt_under(moves, NULL), 0);
	cr_assert_eq(attempt_under(moves, RULES(ON("d", move), ON("e", move))), 0);
	cr_assert_eq(attempt_under(moves, RULES(ON("d", move), ON("e", move | RIGHT_READ_FILE))), EXDEV);
}

Test(closure, rights_lost_are_fine)
{
	cr_assert_eq(attempt_under(moves, RULES(ON("d", move | RIGHT_READ_FILE | RIGHT_EXECUTE), ON("e", move))), 0);
}

Test(closure, a_rule_on_the_object_itself_counts)
{
	cr_assert_eq(
		attempt_under(moves, RULES(ON("d", move), ON("d/f", RIGHT_READ_FILE), ON("e", move | RIGHT_READ_FILE))),
		0);
}

Test(closure, a_rule_above_counts)
{
	cr_assert_eq(attempt_under(moves, RULES(ON(".", RIGHT_READ_FILE), ON("d", move), ON("e", move))), 0);
	cr_assert_eq(attempt_under(moves, RULES(ON(".", move), ON("e", RIGHT_READ_FILE))), EXDEV);
}

/* A file cannot use the rights of directories, so they do not count for it; for a directory they do. */
Test(closure, rights_of_directories_count_for_directories_alone)
{
	rights_t both = move | RIGHT_MAKE_DIR | RIGHT_REMOVE_DIR;

	cr_assert_eq(attempt_under(moves, RULES(ON("d", move), ON("e", move | RIGHT_READ_DIR))), 0);
	cr_assert_eq(attempt_under(moves_directory, RULES(ON(".", both), ON("e", both))), 0);
	cr_assert_eq(attempt_under(moves_directory, RULES(ON(".", both), ON("e", both | RIGHT_READ_DIR))), EXDEV);
}

static int exchanges_across(void)
{
	return renameat2(AT_FDCWD, "d/f", AT_FDCWD, "f", RENAME_EXCHANGE) < 0 ? errno : 0;
}

/* `.` lies above d: what it grants holds in both places, what d grants in one. */
Test(closure, an_exchange_is_checked_both_ways)
{
	cr_assert_eq(attempt_under(exchanges_across, NULL), 0);
	cr_assert_eq(attempt_under(exchanges_across, RULES(ON(".", move))), 0);
	cr_assert_eq(attempt_under(exchanges_across, RULES(ON(".", move), ON("d", RIGHT_READ_FILE))), EXDEV);
	cr_assert_eq(attempt_under(exchanges_across,
				   RULES(ON(".", move), ON("d", RIGHT_READ_FILE), ON("f", RIGHT_READ_FILE))),
		     0);
}

Test(closure, a_hard_link_is_checked_as_well)
{
	cr_assert_eq(attempt_under(across_hard_link, RULES(ON("d", move), ON("e", move))), 0);
	cr_assert_eq(attempt_under(across_hard_link, RULES(ON("d", move), ON("e", move | RIGHT_WRITE_FILE))), EXDEV);
}

/* Nameless files get their name by linkat */
static int names_tmpfile(const char *directory, const char *name)
{
	int fd = open(directory, O_TMPFILE | O_WRONLY, 0600);
	char link[40];

	if (fd < 0)
		return errno;
	snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
	return linkat(AT_FDCWD, link, AT_FDCWD, name, AT_SYMLINK_FOLLOW) < 0 ? errno : 0;
}

static int names_tmpfile_inside(void)
{
	return names_tmpfile("e", "e/n");
}

static int names_tmpfile_across(void)
{
	return names_tmpfile("d", "e/n");
}

Test(tmpfile, named_in_its_directory)
{
	needs(names_tmpfile_inside, 0, EACCES, RULES(ON("e", RIGHT_WRITE_FILE | RIGHT_MAKE_REG)));
}

Test(tmpfile, named_in_another_directory)
{
	needs(names_tmpfile_across, 0, EXDEV,
	      RULES(GIVEN("d", RIGHT_WRITE_FILE), GIVEN("e", RIGHT_MAKE_REG), ON("d", RIGHT_REFER),
		    ON("e", RIGHT_REFER)));
}
