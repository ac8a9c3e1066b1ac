/* Answers to what a profile grants, and the profile that comes of them. */
#include "review_text.h"

#include "tests/unit/limit_computing.h"

TestSuite(review, .init = load_tiers, .fini = drop_tiers);

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

/* A slash behind the name: a directory of that name was moved as well, on another day. */
Test(review, a_file_and_a_directory_of_one_name_are_two_moves)
{
	struct review *review = begin(COMPLETE "\n[moves]\nmove = /srv/a /srv/to\nmove = /srv/a/ /srv/to\n", true);

	expect_offered(review, "normal moves: /srv/a /srv/to: open\nnormal moves: /srv/a/ /srv/to: open\n");
	answer(review, "d moves: /srv/a/ /srv/to");
	expect(review, COMPLETE "\n[moves]\nmove = /srv/a /srv/to\n");
	review_destroy(review);
}

/* Each answer once looked at all others, and had all lines found anew: minutes. */
Test(review, many_lines_are_held_at_once)
{
	const size_t count = 20000;
	scoped_buffer text = {0};
	struct review *review;

	buffer_add_text(&text, COMPLETE "\n[guarded]\n");
	for (size_t i = 0; i < count; i++)
		buffer_format(&text, "allow = write_file /usr/d%zu/file\n", i);
	limit_computing(60);
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
