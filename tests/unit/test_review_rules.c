/* Whatever is answered in a review, the profile keeps its rules: held stays held, moves are closed, / is listed at
 * most. */
#include "review_text.h"

#include "profile/cover.h"

TestSuite(review_rules, .init = load_tiers, .fini = drop_tiers,
	  .timeout = 240); /* under valgrind a test takes a minute */

Test(review_rules, held_lines_stay_held)
{
	struct review *review = begin(HELD "\n[protected]\nallow = read_file /root/a/b/x\n"
					   "\n[held]\nallow = read_file /root/a\nallow = read_file /root/a/c\n",
				      false);

	refuse(review, "w read_file /root/a", "it is held: grant it first");
	refuse(review, "g read_file /root/a",
	       "it would let in what is held: read_file /root/a/c; grant or drop that first");
	answer(review, "w read_file /root/a/b/x");
	refuse(review, "w read_file /root/a/b", "/root/a is held: grant or drop that first");
	answer(review, "d read_file /root/a");
	refuse(review, "w read_file /root/a/b",
	       "it would let in what is held: read_file /root/a/c; grant or drop that first");
	answer(review, "g read_file /root/a/c");
	answer(review, "w read_file /root/a/b");
	expect(review, DROPPED "\n[protected]\nallow = read_file /root/a\n");
	review_destroy(review);
}

Test(review_rules, holding_holds_what_would_let_it_in)
{
	struct review *review =
		begin(COMPLETE "\n[protected]\nallow = read_file /root\nallow = read_file,write_file /root/a\n", false);
	struct diff diff = {0};

	answer(review, "h read_file,write_file /root/a");
	expect(review, HELD "\n[held]\nallow = read_file /root\nallow = read_file,write_file /root/a\n");
	review_last_change(review, &diff);
	cr_expect(diff.count >= 2, "and it is told");
	diff_finish(&diff);
	review_destroy(review);
}

Test(review_rules, all_held_lines_granted_make_it_complete)
{
	struct review *review = begin(HELD "\n[held]\nallow = " SHADOW "\nallow = write_file /etc/motd\n", false);

	answer(review, "g " SHADOW);
	expect(review, HELD "\n[protected]\nallow = " SHADOW "\n\n[held]\nallow = write_file /etc/motd\n");
	answer(review, "g write_file /etc/motd");
	expect(review, COMPLETE "\n[guarded]\nallow = write_file /etc/motd\n\n[protected]\nallow = " SHADOW "\n");
	review_undo(review);
	answer(review, "d write_file /etc/motd");
	expect(review, DROPPED "\n[protected]\nallow = " SHADOW "\n");
	review_destroy(review);
}

Test(review_rules, a_held_line_that_nobody_needed_may_go)
{
	struct review *review = begin(COMPLETE "\n[held]\nallow = " SHADOW "\n", false);

	answer(review, "d " SHADOW);
	expect(review, COMPLETE);
	review_destroy(review);
}

Test(review_rules, root_gets_no_more_than_read_dir)
{
	struct review *review = begin("complete = no\nincomplete = / gets no more than read_dir: the rest is held\n"
				      "\n[protected]\nallow = read_dir /\nallow = read_file /root\n"
				      "\n[held]\nallow = make_reg /\n",
				      false);

	refuse(review, "g make_reg /",
	       "/ never gets more than read_dir: grant the directories that are needed instead");
	refuse(review, "w read_file /root", "the directory above is /, which never gets more than read_dir");
	refuse(review, "w read_dir /", "only what lies in a directory can be widened to it");
	answer(review, "g read_dir /");
	answer(review, "d make_reg /");
	expect(review, DROPPED "\n[protected]\nallow = read_dir /\nallow = read_file /root\n");
	review_destroy(review);
}

Test(review_rules, moves_are_closed_again)
{
	static const char moving[] = COMPLETE "\n[normal]\nallow = read_file /opt/from\n"
					      "\n[protected]\nallow = read_file /root/to/sub\n"
					      "\n[moves]\nmove = /opt/from/ /root/to\n";
	struct review *review = begin(moving, false);

	answer(review, "w read_file /root/to/sub");
	expect(review, COMPLETE "\n[normal]\nallow = read_file /opt/from\n"
				"\n[protected]\nallow = read_file /root/to\n\n[moves]\nmove = /opt/from/ /root/to\n");
	review_destroy(review);
	review = begin(COMPLETE "\n[protected]\nallow = write_file /root/from\nallow = write_file /root/to\n"
				"\n[moves]\nmove = /root/from/ /root/to\n",
		       false);
	refuse(review, "d write_file /root/from",
	       "closing over a move needs it: /root/from/ /root/to; hold it instead");
	answer(review, "h write_file /root/from");
	expect(review, HELD "\n[protected]\nallow = write_file /root/to\n\n[held]\nallow = write_file /root/from\n"
			    "\n[moves]\nmove = /root/from/ /root/to\n");
	review_destroy(review);
}

/* What closing adds above normal was let in by nobody. */
Test(review_rules, what_closing_adds_is_asked_for)
{
	struct review *review =
		begin(COMPLETE "\n[protected]\nallow = read_file /root/from\nallow = write_file /srv/to/x\n"
			       "\n[moves]\nmove = /root/from/ /srv/to\n",
		      true);

	answer(review, "g read_file /root/from");
	answer(review, "w write_file /srv/to/x");
	expect_offered(review, "protected read_file,write_file /root/from: open\n"
			       "normal write_file /srv/to: granted\n"
			       "normal write_file /srv/to/x: widened\n"
			       "normal moves: /root/from/ /srv/to: open\n");
	answer(review, "h read_file,write_file /root/from");
	cr_expect_eq(review_open_count(review), 0u);
	review_destroy(review);
}

/* That it was dropped lets in nothing when another answer brings it back. */
Test(review_rules, what_was_dropped_and_closing_adds_again_is_asked_for)
{
	struct review *review = begin(COMPLETE "\n[normal]\nallow = write_file /srv/to/x\n"
					       "\n[protected]\nallow = write_file /root/from\n"
					       "\n[moves]\nmove = /root/from/ /srv/to\n",
				      true);

	answer(review, "d write_file /root/from");
	answer(review, "w write_file /srv/to/x");
	expect_offered(review, "protected write_file /root/from: open\n"
			       "normal write_file /srv/to: granted\n"
			       "normal write_file /srv/to/x: widened\n"
			       "normal moves: /root/from/ /srv/to: open\n");
	review_destroy(review);
}

/* Whatever is answered, the profile keeps its rules: nothing held is let in, and each move is closed or said open. */
static void expect_rules(const struct review *review, unsigned seed)
{
	const struct profile *profile = review_profile(review);
	struct cover *cover = cover_create(profile, COVER_ENFORCED);

	for (size_t i = 0; i < profile->grant_count; i++) {
		const struct grant *grant = &profile->grants[i];

		if (grant->section == SECTION_HELD)
			cr_assert_eq(grant->rights & cover_rights(cover, grant->path), 0u, "seed %u: %s", seed,
				     grant->path);
		else if (section_is_enforced(grant->section))
			cr_assert_eq(grant->section,
				     section_of_tier(tiers_of_grant(tiers, grant->path, grant->rights)));
	}
	for (size_t i = 0; i < profile->move_count && profile->complete; i++)
		cr_assert_eq(cover_rights(cover, profile->moves[i].to) & ~cover_rights(cover, profile->moves[i].from),
			     0u, "seed %u", seed);
	cover_destroy(cover);
}

Test(review_rules, any_answers_keep_the_rules_and_can_be_undone)
{
	static const char text[] = COMPLETE
		"\n[protected]\nallow = read_file /root/a/b\nallow = write_file /root/a\nallow = read_dir /root\n"
		"allow = read_file /home/me/.ssh/id\nallow = write_file /home/me/.ssh\nallow = read_file /root/c/d/e\n"
		"[held]\nallow = read_file /root/c\nallow = make_reg /\n"
		"[moves]\nmove = /root/a/b/ /home/me/.ssh\nmove = /root/c/d/e /root/a\nmove = /root/x /root/c\n"
		"[network]\nallow = bind_tcp 80\n";
	unsigned taken = 0, refused = 0;

	for (unsigned seed = 1; seed <= 300; seed++) {
		struct review *review = begin(text, seed % 2);
		scoped_free char *first = text_of(review);
		unsigned long state = seed;

		for (int i = 0; i < 12; i++) {
			scoped_error err = {0};

			state = state * 6364136223846793005UL + 1442695040888963407UL;
			if (review_answer(review, (state >> 33) % review_count(review),
					  letter("ghdw"[(state >> 20) % 4]), &err) < 0)
				refused++;
			else
				taken++;
			expect_rules(review, seed);
		}
		while (review_undo(review))
			;
		expect(review, first);
		review_hold_rest(review);
		expect_rules(review, seed);
		cr_assert_eq(review_open_count(review), 0u, "seed %u", seed);
		review_destroy(review);
	}
	cr_expect(taken > 500 && refused > 100, "%u taken, %u refused", taken, refused);
}
