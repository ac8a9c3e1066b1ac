/* What is told of a profile's denials, where no live test can bring it about. */
#include <criterion/criterion.h>

#include "profile_text.h"

#include "profile/reach.h"
#include "runner/explain.h"

static struct profile profile;
static struct reach reach;
static struct explain explain;

static void set_up(void)
{
	read_text(HEAD, &test_variables, &profile);
	reach_init(&reach, &profile);
	explain_init(&explain, &(struct explain_options){.file = "p.ini", .profile = &profile, .reach = &reach});
}

static void tear_down(void)
{
	explain_finish(&explain);
	reach_finish(&reach);
	profile_finish(&profile);
}

TestSuite(explain, .init = set_up, .fini = tear_down);

/* Where core(5)'s pattern has a directory that depends on the process, or that is gone: it is the whole machine's. */
Test(explain, a_core_whose_directory_cannot_be_told)
{
	explain_no_core(&explain, "/bin/dies", "");
	explain_no_core(&explain, "/bin/dies", "");
	explain_no_core(&explain, NULL, "");
	cr_assert_eq(explain.note_count, 2, "each once");
	cr_expect_str_eq(explain.notes[0].text, "/bin/dies died and left no core, though its limit allows one, and "
						"where it would lie cannot be told: see core(5)");
	cr_expect_str_eq(explain.notes[1].text, "a program died and left no core, though its limit allows one, and "
						"where it would lie cannot be told: see core(5)");
	cr_expect_eq(explain.unseen_count, 0, "nothing else was missed");
	cr_expect_null(explain.refusals, "and no line is told for it");
	explain_no_core(&explain, "/bin/dies", "/srv");
	cr_assert_not_null(explain.refusals, "control: where it is known, one is");
	cr_expect_str_eq(explain.refusals->access.path, "/srv/core");
}

/* What was not seen stands apart: a report that denied nothing says so of what was seen alone. */
Test(explain, notes_of_what_was_not_seen_are_counted)
{
	explain_note(&explain, "it is said", false);
	cr_expect_eq(explain.unseen_count, 0);
	explain_note(&explain, "a ring is not seen", true);
	explain_note(&explain, "a ring is not seen", true);
	cr_expect_eq(explain.unseen_count, 1, "once");
	cr_expect_eq(explain.note_count, 2);
}
