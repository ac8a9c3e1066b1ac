/* Answers to what a profile grants, and the profile that comes of them. */
#include "tiers_text.h"

#include <errno.h>

#include "profile/cover.h"
#include "profile/review.h"

TestSuite(review, .init = load_tiers, .fini = drop_tiers, .timeout = 60);

static struct review *begin(const char *text, bool all)
{
	scoped_free char *whole = format_text(HEAD "%s", text);
	scoped_profile profile = {0};

	read_text(whole, &test_variables, &profile);
	return review_create(&profile, &(struct review_options){.tiers = tiers, .all = all});
}

/* Of the item with this fact. */
static size_t find(const struct review *review, const char *fact)
{
	for (size_t i = 0; i < review_count(review); i++) {
		scoped_free char *text = review_fact(review_item(review, i));

		if (!strcmp(text, fact))
			return i;
	}
	cr_assert_fail("not offered: %s", fact);
	return 0;
}

static enum review_answer letter(char key)
{
	return key == 'g' ? REVIEW_GRANTED : key == 'h' ? REVIEW_HELD : key == 'd' ? REVIEW_DROPPED : REVIEW_WIDENED;
}

/* "h read_file /etc/shadow" */
static void answer(struct review *review, const char *what)
{
	scoped_error err = {0};

	cr_assert_eq(review_answer(review, find(review, what + 2), letter(*what), &err), 0, "%s: %s", what,
		     err.message);
}

static void refuse(struct review *review, const char *what, const char *why)
{
	size_t answers = review_answer_count(review);
	scoped_error err = {0};

	cr_assert_eq(review_answer(review, find(review, what + 2), letter(*what), &err), -EPERM, "%s", what);
	cr_expect_str_eq(err.message, why, "%s: %s", what, err.message);
	cr_expect_eq(review_answer_count(review), answers, "nothing was changed");
}

static char *text_of(const struct review *review)
{
	struct profile *profile = (struct profile *)review_profile(review);
	scoped_buffer text = {0};

	profile_write(profile, &text);
	return duplicate(strstr(text.data, "complete = "));
}

static void expect(const struct review *review, const char *want)
{
	scoped_free char *got = text_of(review);

	cr_expect_str_eq(got, want);
}

static void expect_offered(const struct review *review, const char *want)
{
	scoped_buffer got = {0};

	for (size_t i = 0; i < review_count(review); i++) {
		const struct review_item *item = review_item(review, i);
		scoped_free char *fact = review_fact(item);

		buffer_format(&got, "%s%s %s: %s\n", tier_name(item->tier), item->held ? " held" : "", fact,
			      review_answer_name(item->answer));
	}
	cr_expect_str_eq(buffer_text(&got), want);
}

#define COMPLETE   "complete = yes\n"
#define HELD	   "complete = no\nincomplete = grants that were needed are held\n"
#define DROPPED	   "complete = no\nincomplete = grants that were needed were dropped in a review\n"
#define SHADOW	   "read_file /etc/shadow"
#define NETRC_LINE "allow = read_file /home/me/.ssh/id\n"

static const char mixed[] = COMPLETE "\n[normal]\nallow = read_file /opt/a\n"
				     "\n[guarded]\nallow = write_file /etc/motd\n"
				     "\n[protected]\n; Anna needs it\nallow = " SHADOW "\n"
				     "\n[held]\nallow = read_file /opt/held\n"
				     "\n[network]\nallow = connect_tcp 443\n"
				     "\n[scope]\nallow = signal\n"
				     "\n[seccomp]\nallow = unix_socket\n";

Test(review, offers_what_deserves_a_look_the_highest_first)
{
	struct review *review = begin(mixed, false);

	expect_offered(review, "protected read_file /etc/shadow: open\n"
			       "protected scope: signal: open\n"
			       "protected seccomp: unix_socket: open\n"
			       "guarded write_file /etc/motd: open\n"
			       "guarded network: connect_tcp 443: open\n"
			       "normal held read_file /opt/held: open\n");
	cr_expect_eq(review_open_count(review), 5u, "what is held is not in force");
	expect(review, mixed);
	review_destroy(review);
	review = begin(mixed, true);
	cr_expect_eq(review_count(review), 7u, "with all lines");
	find(review, "read_file /opt/a");
	review_destroy(review);
}

Test(review, answers_change_their_line_and_nothing_else)
{
	struct review *review = begin(mixed, false);

	answer(review, "g " SHADOW);
	answer(review, "g scope: signal");
	expect(review, mixed);
	answer(review, "h " SHADOW);
	answer(review, "d network: connect_tcp 443");
	answer(review, "d scope: signal");
	answer(review, "d seccomp: unix_socket");
	answer(review, "d write_file /etc/motd");
	answer(review, "g read_file /opt/held");
	expect(review, "complete = no\n"
		       "incomplete = grants that were needed are held\n"
		       "incomplete = grants that were needed were dropped in a review\n"
		       "\n[normal]\nallow = read_file /opt/a\nallow = read_file /opt/held\n"
		       "\n[held]\n; Anna needs it\nallow = " SHADOW "\n"
		       "\n[network]\n\n[scope]\n\n[seccomp]\n");
	expect_offered(review, "protected held read_file /etc/shadow: held\n"
			       "protected scope: signal: dropped\n"
			       "protected seccomp: unix_socket: dropped\n"
			       "guarded write_file /etc/motd: dropped\n"
			       "guarded network: connect_tcp 443: dropped\n"
			       "normal read_file /opt/held: granted\n");
	cr_expect_eq(review_open_count(review), 0u);
	refuse(review, "g write_file /etc/motd", "it is dropped: undo that first");
	review_destroy(review);
}

Test(review, undo_goes_back_to_the_beginning)
{
	static const char *const answers[] = {"h " SHADOW,
					      "d write_file /etc/motd",
					      "g read_file /opt/held",
					      "w read_file /opt/held",
					      "d seccomp: unix_socket",
					      "g " SHADOW};
	struct review *review = begin(mixed, false);
	char *texts[ARRAY_LENGTH(answers)];

	for (size_t i = 0; i < ARRAY_LENGTH(answers) - 1; i++) {
		texts[i] = text_of(review);
		/* the widened line is gone, and /opt is offered in its stead */
		answer(review, answers[i]);
	}
	for (size_t i = ARRAY_LENGTH(answers) - 1; i-- > 0; free(texts[i])) {
		const struct review_item *undone = review_undo(review);
		scoped_free char *fact = review_fact(undone);

		cr_expect_str_eq(fact, answers[i] + 2);
		expect(review, texts[i]);
	}
	cr_expect_null(review_undo(review));
	expect(review, mixed);
	review_destroy(review);
}

Test(review, widening_takes_comment_and_spelling_to_the_directory)
{
	struct review *review =
		begin(COMPLETE "\n[protected]\n; for deploy\nallow = read_file ${HOME}/.ssh/id\n", false);

	answer(review, "w read_file /home/me/.ssh/id");
	expect(review, COMPLETE "\n[protected]\n; for deploy\nallow = read_file ${HOME}/.ssh\n");
	expect_offered(review, "protected read_file /home/me/.ssh: granted\n"
			       "protected read_file /home/me/.ssh/id: widened\n");
	answer(review, "w read_file /home/me/.ssh");
	expect(review, COMPLETE "\n[protected]\n; for deploy\nallow = read_file ${HOME}\n");
	review_destroy(review);
}

Test(review, widening_makes_other_lines_needless)
{
	struct review *review =
		begin(COMPLETE "\n[protected]\nallow = read_file /root/a/x\nallow = read_file /root/a/y\n"
			       "; mine\nallow = read_file /root/a/z\n",
		      false);

	answer(review, "w read_file /root/a/x");
	expect(review, COMPLETE "\n[protected]\nallow = read_file /root/a\n; mine\nallow = read_file /root/a/z\n");
	cr_expect_eq(review_open_count(review), 1u, "a person's line stays, and is asked for");
	review_destroy(review);
}

Test(review, widening_does_not_answer_for_what_the_directory_had)
{
	struct review *review =
		begin(COMPLETE "\n[protected]\nallow = read_file /root/a/x\nallow = write_file /root/a\n", false);

	answer(review, "w read_file /root/a/x");
	expect_offered(review,
		       "protected read_file,write_file /root/a: open\nprotected read_file /root/a/x: widened\n");
	review_destroy(review);
}

Test(review, held_lines_stay_held)
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

Test(review, holding_holds_what_would_let_it_in)
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

Test(review, all_held_lines_granted_make_it_complete)
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

Test(review, a_held_line_that_nobody_needed_may_go)
{
	struct review *review = begin(COMPLETE "\n[held]\nallow = " SHADOW "\n", false);

	answer(review, "d " SHADOW);
	expect(review, COMPLETE);
	review_destroy(review);
}

Test(review, root_gets_no_more_than_read_dir)
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

Test(review, moves_are_closed_again)
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
	refuse(review, "d write_file /root/from", "closing over a move needs it: /root/from /root/to; hold it instead");
	answer(review, "h write_file /root/from");
	expect(review, HELD "\n[protected]\nallow = write_file /root/to\n\n[held]\nallow = write_file /root/from\n"
			    "\n[moves]\nmove = /root/from/ /root/to\n");
	review_destroy(review);
}

/* What closing adds above normal was let in by nobody. */
Test(review, what_closing_adds_is_asked_for)
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
			       "normal moves: /root/from /srv/to: open\n");
	answer(review, "h read_file,write_file /root/from");
	cr_expect_eq(review_open_count(review), 0u);
	review_destroy(review);
}

static const char not_grants[] = COMPLETE "\n[normal]\nallow = read_file /srv/a\n"
					  "\n[absent]\n; made at the first start\nallow = make_reg /srv/new\n"
					  "allow = make_reg,write_file /srv\n"
					  "\n[moves]\nmove = /srv/a /srv/to\n"
					  "\n[environment]\nkeep = PATH\nset = LANG=C\n";

Test(review, lines_that_let_in_nothing_are_offered_with_all)
{
	struct review *review = begin(not_grants, false);

	expect_offered(review, "");
	review_destroy(review);
	review = begin(not_grants, true);
	expect_offered(review, "normal read_file /srv/a: open\n"
			       "normal absent: make_reg,write_file /srv: open\n"
			       "normal absent: make_reg /srv/new: open\n"
			       "normal moves: /srv/a /srv/to: open\n"
			       "normal environment: keep = PATH: open\n"
			       "normal environment: set = LANG=C: open\n");
	cr_expect_eq(review_open_count(review), 3u, "the file and the variables");
	refuse(review, "h absent: make_reg /srv/new", "it is not enforced: grant or drop it, or go on");
	refuse(review, "w absent: make_reg /srv/new", "it is not enforced: grant or drop it, or go on");
	refuse(review, "h moves: /srv/a /srv/to", "only files can be held: drop it");
	refuse(review, "w environment: keep = PATH", "only what lies in a directory can be widened to it");
	review_destroy(review);
}

Test(review, what_is_absent_is_granted_with_its_comment)
{
	struct review *review = begin(not_grants, true);

	answer(review, "g absent: make_reg /srv/new");
	expect_offered(review, "normal read_file /srv/a: open\n"
			       "normal make_reg /srv/new: granted\n"
			       "normal absent: make_reg,write_file /srv: open\n"
			       "normal absent: make_reg /srv/new: granted\n"
			       "normal moves: /srv/a /srv/to: open\n"
			       "normal environment: keep = PATH: open\n"
			       "normal environment: set = LANG=C: open\n");
	refuse(review, "d absent: make_reg /srv/new", "it is granted, and a line of its own now: undo that first");
	answer(review, "d absent: make_reg,write_file /srv");
	expect(review, COMPLETE "\n[normal]\n; made at the first start\nallow = make_reg /srv/new\n"
				"allow = read_file /srv/a\n"
				"\n[moves]\nmove = /srv/a /srv/to\n"
				"\n[environment]\nkeep = PATH\nset = LANG=C\n");
	review_undo(review);
	review_undo(review);
	expect(review, "complete = yes\n\n[normal]\nallow = read_file /srv/a\n"
		       "\n[absent]\n; made at the first start\nallow = make_reg /srv/new\n"
		       "allow = make_reg,write_file /srv\n"
		       "\n[moves]\nmove = /srv/a /srv/to\n"
		       "\n[environment]\nkeep = PATH\nset = LANG=C\n");
	review_destroy(review);
}

Test(review, what_is_absent_lets_in_nothing_that_is_held)
{
	struct review *review =
		begin(COMPLETE "\n[held]\nallow = write_file /srv/a\nallow = write_file /srv/b/c\n"
			       "\n[absent]\nallow = make_reg /srv/a\nallow = make_reg,write_file /srv/b\n",
		      true);

	refuse(review, "g absent: make_reg /srv/a", "/srv/a is held: grant or drop that first");
	refuse(review, "g absent: make_reg,write_file /srv/b",
	       "it would let in what is held: write_file /srv/b/c; grant or drop that first");
	review_destroy(review);
}

Test(review, moves_and_variables_are_dropped)
{
	struct review *review = begin(not_grants, true);

	answer(review, "d moves: /srv/a /srv/to");
	cr_expect(review_profile(review)->complete, "a move lets in nothing");
	answer(review, "g environment: keep = PATH");
	answer(review, "d environment: set = LANG=C");
	expect(review, DROPPED "\n[normal]\nallow = read_file /srv/a\n"
			       "\n[absent]\n; made at the first start\nallow = make_reg /srv/new\n"
			       "allow = make_reg,write_file /srv\n"
			       "\n[environment]\nkeep = PATH\n");
	review_destroy(review);
}

/* Each answer once looked at all others, and had all lines found anew: minutes, which the suite's timeout does not
 * give. */
Test(review, many_lines_are_held_at_once)
{
	const size_t count = 20000;
	scoped_buffer text = {0};
	struct review *review;

	buffer_add_text(&text, COMPLETE "\n[guarded]\n");
	for (size_t i = 0; i < count; i++)
		buffer_format(&text, "allow = write_file /usr/d%zu/file\n", i);
	review = begin(buffer_text(&text), false);
	cr_expect_eq(review_open_count(review), count);
	review_hold_rest(review);
	cr_expect_eq(review_open_count(review), 0u);
	cr_expect_eq(review_answer_count(review), count);
	review_destroy(review);
}

Test(review, what_was_not_answered_is_held)
{
	struct review *review = begin(mixed, false);

	answer(review, "g write_file /etc/motd");
	review_hold_rest(review);
	cr_expect_eq(review_open_count(review), 0u);
	expect(review, "complete = no\n"
		       "incomplete = grants that were needed are held\n"
		       "incomplete = grants that were needed were dropped in a review\n"
		       "\n[normal]\nallow = read_file /opt/a\n"
		       "\n[guarded]\nallow = write_file /etc/motd\n"
		       "\n[held]\n; Anna needs it\nallow = " SHADOW "\nallow = read_file /opt/held\n"
		       "\n[network]\n\n[scope]\n\n[seccomp]\n");
	review_destroy(review);
	/* what is held covers no longer, so the move opens at another place */
	review = begin(COMPLETE "\n[protected]\nallow = read_file /root\nallow = read_file /home/other\n"
				"\n[moves]\nmove = /root/a/b/ /home/other\n",
		       false);
	answer(review, "g read_file /home/other");
	review_hold_rest(review);
	cr_expect_eq(review_open_count(review), 0u, "whatever arises is held too");
	expect(review, HELD "\n[protected]\nallow = read_file /home/other\n"
			    "\n[held]\nallow = read_file /root\nallow = read_file /root/a/b\n"
			    "\n[moves]\nmove = /root/a/b/ /home/other\n");
	review_destroy(review);
}

Test(review, what_was_there_before_is_not_asked_for)
{
	scoped_profile before = {0}, now = {0};
	struct review *review;

	read_text(HEAD "[protected]\nallow = read_file /root\n[network]\nallow = connect_tcp 443\n[seccomp]\n"
		       "allow = unix_socket\n",
		  &test_variables, &before);
	read_text(HEAD "[protected]\nallow = read_file /root/a\nallow = read_file,write_file /root\n[network]\n"
		       "allow = connect_tcp 443\nallow = bind_tcp,connect_tcp 80\n[scope]\nallow = signal\n[seccomp]\n"
		       "allow = unix_socket\n",
		  &test_variables, &now);
	review = review_create(&now, &(struct review_options){.tiers = tiers, .before = &before});
	expect_offered(review, "protected read_file,write_file /root: open\n"
			       "protected read_file /root/a: granted before\n"
			       "protected scope: signal: open\n"
			       "protected seccomp: unix_socket: granted before\n"
			       "guarded network: bind_tcp,connect_tcp 80: open\n"
			       "guarded network: connect_tcp 443: granted before\n");
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

Test(review, any_answers_keep_the_rules_and_can_be_undone)
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
