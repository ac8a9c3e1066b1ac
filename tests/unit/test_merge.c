/* Many profiles made one: what is kept, what is held, and that neither order nor repetition counts. */
#include "tiers_text.h"

#include <dirent.h>
#include <stdio.h>

#include "profile/cover.h"
#include "profile/diff.h"
#include "profile/merge.h"
#include "tests/unit/limit_computing.h"

#define MOST 4

TestSuite(merge, .init = load_tiers, .fini = drop_tiers);

static int merge_read(const struct profile *profiles, size_t count, size_t min_seen, struct profile *merged,
		      struct error *err)
{
	static const char *const names[MOST] = {"a.ini", "b.ini", "c.ini", "d.ini"};
	struct merge_input inputs[MOST];

	cr_assert_leq(count, (size_t)MOST);
	for (size_t i = 0; i < count; i++)
		inputs[i] = (struct merge_input){&profiles[i], names[i]};
	return merge_profiles(inputs, count, min_seen, tiers, merged, err);
}

/* The text of a profile without its first two lines, the same in each. */
static char *text_of(struct profile *profile)
{
	scoped_buffer text = {0};

	profile_write(profile, &text);
	return duplicate(strchr(strchr(text.data, '\n') + 1, '\n') + 1);
}

static char *merge_texts(const char *const *texts, size_t count, size_t min_seen)
{
	struct profile profiles[MOST] = {0};
	scoped_profile merged = {0};
	scoped_error err = {0};
	char *text;

	for (size_t i = 0; i < count; i++) {
		scoped_free char *whole = format_text(HEAD "%s", texts[i]);

		read_text(whole, &test_variables, &profiles[i]);
	}
	cr_assert_eq(merge_read(profiles, count, min_seen, &merged, &err), 0, "%s", err.message);
	text = text_of(&merged);
	for (size_t i = 0; i < count; i++)
		profile_finish(&profiles[i]);
	return text;
}

/* `want` is what stands behind the heads, which say nothing here but that it is complete. */
static void expect_merged_seen(size_t min_seen, const char *a, const char *b, const char *c, const char *want)
{
	const char *texts[] = {a, b, c}, *back[] = {c, b, a};
	size_t count = c ? 3 : 2;
	scoped_free char *got = merge_texts(texts, count, min_seen);
	scoped_free char *reversed = merge_texts(back + (3 - count), count, min_seen);
	scoped_free char *whole = format_text(HEAD "%s", want);
	scoped_buffer wanted = {0};

	cr_expect_str_eq(got, reversed, "the order counts");
	write_text(whole, &test_variables, &wanted);
	cr_expect_str_eq(got, strchr(wanted.data, '\n') + 1);
}

static void expect_merged(const char *a, const char *b, const char *want)
{
	expect_merged_seen(1, a, b, NULL, want);
}

Test(merge, grants_are_joined)
{
	expect_merged("[normal]\nallow = read_file /d/a\nallow = read_file /d/b\n",
		      "[normal]\nallow = write_file /d/a\n[protected]\nallow = read_file /d/c\n",
		      "[normal]\nallow = read_file /d/b\nallow = read_file /d/c\nallow = read_file,write_file /d/a\n");
}

Test(merge, headings_are_those_of_computed_tiers)
{
	expect_merged("[normal]\nallow = write_file /etc/hosts\n", "[normal]\nallow = read_file /home/me/.ssh/id\n",
		      "[guarded]\nallow = write_file /etc/hosts\n[protected]\nallow = read_file /home/me/.ssh/id\n");
}

Test(merge, what_a_directory_grants_needs_no_line)
{
	expect_merged("[normal]\nallow = read_file /d\n", "[normal]\nallow = read_file,write_file /d/a\n",
		      "[normal]\nallow = read_file /d\nallow = write_file /d/a\n");
}

Test(merge, a_persons_lines_stay_though_they_are_needless)
{
	expect_merged("[normal]\nallow = read_file /d\nallow = read_file /d/a\n",
		      "[normal]\n; why\nallow = read_file /d/b\n",
		      "[normal]\nallow = read_file /d\nallow = read_file /d/a\n; why\nallow = read_file /d/b\n");
}

Test(merge, comments_are_kept_and_not_doubled)
{
	expect_merged("; head\n[profile]\n[normal]\n; why\n; and how\nallow = read_file /d/a\n; tail\n",
		      "; head\n[profile]\n[normal]\n; why\n; and how\nallow = write_file /d/a\n; tail\n",
		      "; head\n[profile]\n[normal]\n; why\n; and how\nallow = read_file,write_file /d/a\n; tail\n");
	expect_merged("[normal]\n; one\n; and two\nallow = read_file /d/a\n",
		      "[normal]\n; all\nallow = read_file /d/a\n",
		      "[normal]\n; all\n;\n; one\n; and two\nallow = read_file /d/a\n");
}

Test(merge, spellings_are_kept)
{
	expect_merged("[normal]\nallow = read_file /home/me/a\nallow = read_file ${TTY}\n",
		      "[normal]\nallow = read_file ${HOME}/a\n",
		      "[normal]\nallow = read_file ${HOME}/a\nallow = read_file ${TTY}\n");
}

Test(merge, a_terminal_that_is_not_there_is_kept)
{
	struct variables none = test_variables;
	struct profile profiles[2];
	scoped_profile merged = {0};
	scoped_error err = {0};
	scoped_free char *text = NULL;

	none.tty = NULL;
	read_text(HEAD "[normal]\nallow = read_file ${TTY}\n", &none, &profiles[0]);
	read_text(HEAD "[normal]\nallow = write_file ${TTY}\n", &none, &profiles[1]);
	cr_assert_eq(merge_read(profiles, 2, 1, &merged, &err), 0);
	text = text_of(&merged);
	cr_expect(strstr(text, "allow = read_file,write_file ${TTY}\n"), "%s", text);
	profile_finish(&profiles[0]);
	profile_finish(&profiles[1]);
}

#define HELD_NEEDED "complete = no\nincomplete = grants that were needed are held\n"

Test(merge, what_is_held_in_one_stays_held)
{
	expect_merged("[held]\n; no\nallow = read_file /d/a\n", "[normal]\nallow = read_file,write_file /d/a\n",
		      HELD_NEEDED "[held]\n; no\nallow = read_file,write_file /d/a\n");
	expect_merged("[held]\nallow = read_file /d/a\n", "[held]\nallow = write_file /d/a\n",
		      "[held]\nallow = read_file,write_file /d/a\n");
}

Test(merge, nothing_wider_lets_in_what_is_held)
{
	expect_merged("[held]\nallow = read_file /d/a/x\n",
		      "[normal]\nallow = read_file /d\nallow = read_dir /\nallow = write_file /d/a\n",
		      HELD_NEEDED "[normal]\nallow = write_file /d/a\n[protected]\nallow = read_dir /\n"
				  "[held]\nallow = read_file /d\nallow = read_file /d/a/x\n");
	/* what is held itself is let in by what is wider still */
	expect_merged("[held]\nallow = read_file /d/a/x\n",
		      "[normal]\nallow = write_file /d\nallow = read_file,write_file /d/a\n",
		      HELD_NEEDED "[held]\nallow = read_file /d/a/x\nallow = read_file,write_file /d/a\n"
				  "allow = write_file /d\n");
}

Test(merge, the_root_lets_nothing_in_either)
{
	expect_merged("[held]\nallow = read_dir /d\n", "[normal]\nallow = read_dir /\n",
		      HELD_NEEDED "[held]\nallow = read_dir /\nallow = read_dir /d\n");
	expect_merged("[held]\nallow = write_file /\n", "[normal]\nallow = read_dir /\n",
		      "[protected]\nallow = read_dir /\n[held]\nallow = write_file /\n");
	expect_merged("[held]\nallow = read_dir,write_file /\n", "[normal]\nallow = read_dir /\n",
		      HELD_NEEDED "[held]\nallow = read_dir,write_file /\n");
}

/* One user's home holds what another's does not, so neither line speaks for the other. */
Test(merge, a_variable_and_a_plain_path_do_not_cover_each_other)
{
	expect_merged("[guarded]\nallow = read_file ${HOME}/a\n", "[normal]\nallow = read_file /home/me/a/b\n",
		      "[normal]\nallow = read_file ${HOME}/a\nallow = read_file /home/me/a/b\n");
	expect_merged("[normal]\nallow = read_file ${HOME}/a/b\n", "[normal]\nallow = read_file /home/me/a\n",
		      "[normal]\nallow = read_file ${HOME}/a/b\nallow = read_file /home/me/a\n");
	expect_merged("[normal]\nallow = read_file ${HOME}/a/b\n", "[normal]\nallow = read_file ${HOME}/a\n",
		      "[normal]\nallow = read_file ${HOME}/a\n");
}

Test(merge, moves_are_closed_again)
{
	expect_merged("[normal]\nallow = make_reg,refer /to\nallow = refer,remove_file /from\n"
		      "[moves]\nmove = /from/f /to\n",
		      "[normal]\nallow = read_file /to\n",
		      "[normal]\nallow = make_reg,read_file,refer /to\nallow = read_file /from/f\n"
		      "allow = refer,remove_file /from\n[moves]\nmove = /from/f /to\n");
}

/* The source is held, so the move stays refused; and what closing adds is held where it would let something in. */
Test(merge, closing_lets_in_nothing_that_is_held)
{
	expect_merged("[moves]\nmove = /from/d/ /to\n[held]\nallow = read_file /from/d/key\n",
		      "[normal]\nallow = read_file /to\n",
		      HELD_NEEDED "[normal]\nallow = read_file /to\n[held]\nallow = read_file /from/d\n"
				  "allow = read_file /from/d/key\n[moves]\nmove = /from/d/ /to\n");
}

Test(merge, absent_is_what_is_not_granted)
{
	expect_merged("[absent]\nallow = make_reg,write_file /d\nallow = make_dir /e\n",
		      "[normal]\nallow = make_reg /d\n",
		      "[normal]\nallow = make_reg /d\n[absent]\nallow = make_dir /e\nallow = write_file /d\n");
}

Test(merge, ports_scopes_and_calls_are_joined)
{
	expect_merged("[network]\nallow = bind_tcp 80\n; web\nallow = connect_tcp 443\n[scope]\nallow = signal\n"
		      "[seccomp]\nallow = udp\n",
		      "[network]\nallow = connect_tcp 80\nallow = connect_tcp any\n[scope]\n"
		      "allow = abstract_unix_socket\n[seccomp]\nallow = bpf\nallow = udp\n",
		      "[network]\nallow = bind_tcp,connect_tcp 80\n; web\nallow = connect_tcp 443\n"
		      "allow = connect_tcp any\n[scope]\nallow = signal\nallow = abstract_unix_socket\n"
		      "[seccomp]\nallow = bpf\nallow = udp\n");
}

Test(merge, the_environment_is_in_force_when_one_has_it)
{
	expect_merged("", "[environment]\n", "[environment]\n");
	expect_merged("[normal]\nallow = read_file /d\n", "", "[normal]\nallow = read_file /d\n");
	expect_merged("[environment]\n; path\nkeep = PATH\nset = A=1\n", "[environment]\nset = A=1\nunset = B\n",
		      "[environment]\n; path\nkeep = PATH\nset = A=1\nunset = B\n");
}

static void expect_contradiction(const char *a, const char *b, const char *message)
{
	scoped_free char *first = format_text(HEAD "[environment]\n%s\n", a);
	scoped_free char *second = format_text(HEAD "[environment]\n%s\n", b);
	struct profile profiles[2];
	struct profile merged;
	scoped_error err = {0};

	read_text(first, &test_variables, &profiles[0]);
	read_text(second, &test_variables, &profiles[1]);
	cr_assert_eq(merge_read(profiles, 2, 1, &merged, &err), -EINVAL);
	cr_expect_str_eq(err.message, message);
	cr_expect_eq(merged.environment_count, 0u);
	profile_finish(&profiles[0]);
	profile_finish(&profiles[1]);
}

Test(merge, an_environment_that_contradicts_is_an_error)
{
	expect_contradiction(
		"keep = A", "unset = A",
		"a.ini:4: \"keep = A\" and b.ini:4: \"unset = A\" contradict each other: change one of the "
		"two");
	expect_contradiction(
		"set = A=1", "set = A=2",
		"a.ini:4: \"set = A=1\" and b.ini:4: \"set = A=2\" contradict each other: change one of the "
		"two");
}

Test(merge, the_head_tells_of_all_sessions)
{
	expect_merged("landlock = 4\nsessions = 2\nprogram = /bin/p\nargv0 = p\nargument = a\ndirectory = /d\n",
		      "landlock = 6\nsessions = 3\nprogram = /bin/p\nargv0 = p\nargument = a\ndirectory = /d\n"
		      "complete = no\nincomplete = one\n",
		      "landlock = 6\nsessions = 5\nprogram = /bin/p\nargv0 = p\nargument = a\ndirectory = /d\n"
		      "complete = no\nincomplete = one\n");
	expect_merged("complete = no\n", "", "complete = no\n"); /* a person may give no reason */
	expect_merged("complete = no\nincomplete = one\nincomplete = two\n", "complete = no\nincomplete = two\n",
		      "complete = no\nincomplete = one\nincomplete = two\n");
	expect_merged("sessions = 999998\n", "sessions = 2\n", "sessions = 999999\n");
}

/* A program with another session's arguments, or with none, is what nobody ran. */
Test(merge, a_command_stays_only_if_it_is_the_same)
{
	expect_merged("sessions = 1\nprogram = /bin/p\nargv0 = p\nargument = a\ndirectory = /d\n",
		      "sessions = 1\nprogram = /bin/p\nargv0 = p\nargument = b\ndirectory = /d\n",
		      "sessions = 2\ndirectory = /d\n");
	expect_merged("sessions = 1\nprogram = /bin/p\nargv0 = p\ndirectory = /d\n",
		      "sessions = 1\nprogram = /bin/p\nargv0 = p\ndirectory = /e\n",
		      "sessions = 2\nprogram = /bin/p\nargv0 = p\n");
	expect_merged("sessions = 1\nprogram = /bin/p\nargv0 = p\n", "sessions = 1\n", "sessions = 2\n");
}

Test(merge, a_profile_by_hand_says_nothing_of_commands)
{
	expect_merged("sessions = 1\nprogram = /bin/p\nargv0 = p\nargument = a\n", "[environment]\nkeep = PATH\n",
		      "sessions = 1\nprogram = /bin/p\nargv0 = p\nargument = a\n[environment]\nkeep = PATH\n");
}

Test(merge, the_tiers_are_those_in_use)
{
	expect_merged("tiers = e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855\n", "", "");
}

Test(merge, rights_count_by_what_is_allowed)
{
	expect_merged_seen(
		2, "[normal]\nallow = read_file /d/a\nallow = read_file /d/b\n",
		"[normal]\nallow = read_file,write_file /d\n",
		"[normal]\nallow = execute /d/a\n; mine\nallow = execute /d/c\n[held]\nallow = truncate /h\n",
		"[normal]\n; mine\nallow = execute /d/c\nallow = read_file /d/a\nallow = read_file /d/b\n"
		"[held]\nallow = truncate /h\n");
	expect_merged_seen(3, "[normal]\nallow = read_file /d\n", "[normal]\nallow = read_file /d\n",
			   "[normal]\nallow = read_file /d\n[environment]\nkeep = A\n[seccomp]\nallow = bpf\n",
			   "[normal]\nallow = read_file /d\n[environment]\nkeep = A\n[seccomp]\nallow = bpf\n");
}

Test(merge, ports_scopes_and_moves_count_too)
{
	expect_merged_seen(2,
			   "[network]\nallow = connect_tcp 80\n; mine\nallow = bind_tcp 22\n[scope]\nallow = signal\n"
			   "[moves]\nmove = /a/x /b\nmove = /a/y /b\n; mine\nmove = /a/z /b\n",
			   "[network]\nallow = connect_tcp any\n[scope]\nallow = abstract_unix_socket\n"
			   "[moves]\nmove = /a/x /b\n",
			   "[scope]\n; mine\nallow = signal\n",
			   "[moves]\nmove = /a/x /b\n; mine\nmove = /a/z /b\n[network]\n; mine\nallow = bind_tcp "
			   "22\nallow = connect_tcp 80\n"
			   "[scope]\n; mine\nallow = signal\n");
}

static unsigned long random_state;

static unsigned random_below(unsigned limit)
{
	random_state = random_state * 6364136223846793005UL + 1442695040888963407UL;
	return (unsigned)(random_state >> 33) % limit;
}

static const char *const paths[] = {"/d",   "/d/a",   "/d/a/x", "/d/a/y", "/d/b",	   "/d/b/x", "/e",
				    "/e/a", "/e/a/x", "/f",	"/f/x",	  "/home/me/.ssh", "/etc",   "/"};
static const rights_t few_rights[] = {RIGHT_READ_FILE, RIGHT_WRITE_FILE, RIGHT_READ_DIR, RIGHT_MAKE_REG, RIGHT_REFER};

static const char *random_path(void)
{
	return paths[random_below(ARRAY_LENGTH(paths))];
}

static rights_t random_rights(const char *path)
{
	return !strcmp(path, "/") ? RIGHT_READ_DIR
				  : few_rights[random_below(ARRAY_LENGTH(few_rights))] |
					    few_rights[random_below(ARRAY_LENGTH(few_rights))];
}

static char *random_comment(unsigned chance)
{
	static const char *const comments[] = {"; one\n", "; two\n; lines\n", "; three\n", "; four\n;\n; and five\n"};

	return random_below(100) < chance ? duplicate(comments[random_below(ARRAY_LENGTH(comments))]) : NULL;
}

struct kind {
	bool held, spellings;
	unsigned comments; /* in a hundred grants */
};

static void add_random_grant(struct profile *profile, enum section section, const struct kind *kind)
{
	const char *path = random_path();
	enum section other = section == SECTION_HELD ? SECTION_NORMAL : SECTION_HELD;
	struct grant *grant;

	if (section != SECTION_ABSENT && profile_find_grant(profile, other, path))
		return;
	grant = profile_add_grant(profile, section, random_rights(path), path);
	if (!grant->origin.comment)
		grant->origin.comment = random_comment(section == SECTION_ABSENT ? 0 : kind->comments);
	if (kind->spellings && random_below(4) == 0 && !strncmp(path, "/d/", 3)) {
		scoped_free char *spelled = format_text("${%s}%s", random_below(2) ? "A" : "B", path + 2);

		origin_spell(&grant->origin, spelled, path);
	}
}

static void add_random_rest(struct profile *profile)
{
	for (unsigned i = random_below(4); i; i--)
		profile_add_port(profile, 1ULL << (RIGHTS_NETWORK_SHIFT + random_below(4)), (int)random_below(3) - 1);
	for (unsigned i = random_below(3); i; i--) {
		static const char *const names[] = {"A", "B", "C"};
		const char *name = names[random_below(3)];

		profile_add_environment(profile, *name == 'A' ? ENVIRONMENT_KEEP : ENVIRONMENT_UNSET, name, NULL)
			->origin.comment = random_comment(30);
	}
	profile->scope = (rights_t)random_below(4) << RIGHTS_SCOPE_SHIFT;
	if (random_below(3) == 0)
		profile_add_seccomp(profile, random_below(2) ? "udp" : "bpf");
	if (random_below(4) == 0)
		profile_add_incomplete(profile, random_below(2) ? "one" : "two");
	profile->tail_comment = random_comment(30);
	profile->heading_comments[HEADING_GRANTS] = random_comment(30);
}

static void make_random(struct profile *profile, const struct kind *kind)
{
	profile->landlock = (int)random_below(10);
	profile->sessions = random_below(4);
	profile->complete = true;
	if (profile->sessions) {
		profile->program = duplicate(random_below(4) ? "/bin/p" : "/bin/q");
		profile->directory = duplicate(random_below(4) ? "/d" : "/e");
		profile_add_argument(profile, random_below(4) ? "a" : "b")->origin.comment = random_comment(30);
	}
	for (unsigned i = random_below(6); i; i--)
		add_random_grant(profile, SECTION_NORMAL, kind);
	for (unsigned i = kind->held ? random_below(3) : 0; i; i--)
		add_random_grant(profile, SECTION_HELD, kind);
	for (unsigned i = random_below(3); i; i--)
		add_random_grant(profile, SECTION_ABSENT, kind);
	for (unsigned i = random_below(3); i; i--) {
		const char *from = random_path(), *to = random_path();

		profile_add_move(profile, from, to)->directory = random_below(2) && from[1];
	}
	add_random_rest(profile);
	profile_sort(profile);
}

static void merge_two(const struct profile *a, const struct profile *b, struct profile *merged)
{
	const struct merge_input inputs[] = {{a, "a"}, {b, "b"}};
	scoped_error err = {0};

	cr_assert_eq(merge_profiles(inputs, 2, 1, tiers, merged, &err), 0, "%s", err.message);
}

static void finish_all(struct profile *profiles, size_t count)
{
	for (size_t i = 0; i < count; i++)
		profile_finish(&profiles[i]);
}

Test(merge, property_any_order_gives_the_same)
{
	for (unsigned seed = 1; seed <= 600; seed++) {
		struct profile profiles[MOST] = {0};
		scoped_profile first = {0}, second = {0};
		scoped_error err = {0};
		scoped_free char *one = NULL, *other = NULL;
		size_t min_seen = 1 + seed % 3;

		random_state = seed;
		for (size_t i = 0; i < MOST; i++)
			make_random(&profiles[i], &(struct kind){seed % 2, true, 20});
		cr_assert_eq(merge_read(profiles, MOST, min_seen, &first, &err), 0, "%s", err.message);
		for (unsigned i = 0; i < MOST; i++) {
			unsigned j = random_below(MOST);
			struct profile swapped = profiles[i];

			profiles[i] = profiles[j];
			profiles[j] = swapped;
		}
		cr_assert_eq(merge_read(profiles, MOST, min_seen, &second, &err), 0);
		one = text_of(&first);
		other = text_of(&second);
		cr_expect_str_eq(one, other, "seed %u", seed);
		finish_all(profiles, MOST);
	}
}

/* What was merged is closed, so that it with itself is the same but for the sessions. */
Test(merge, property_twice_is_once)
{
	for (unsigned seed = 1; seed <= 600; seed++) {
		struct profile profiles[2] = {0};
		scoped_profile once = {0}, twice = {0};
		scoped_free char *one = NULL, *other = NULL;

		random_state = seed;
		for (size_t i = 0; i < 2; i++)
			make_random(&profiles[i], &(struct kind){seed % 2, true, 20});
		merge_two(&profiles[0], &profiles[1], &once);
		merge_two(&once, &once, &twice);
		twice.sessions = once.sessions;
		one = text_of(&once);
		other = text_of(&twice);
		cr_expect_str_eq(one, other, "seed %u", seed);
		finish_all(profiles, 2);
	}
}

/* Byte for byte, where nothing is held; a line that goes on the way takes its comment and spelling along. */
Test(merge, property_in_steps_or_at_once)
{
	for (unsigned seed = 1; seed <= 600; seed++) {
		struct profile profiles[3] = {0};
		scoped_profile whole = {0}, left = {0}, right = {0}, steps = {0}, other_steps = {0};
		scoped_free char *at_once = NULL, *in_steps = NULL, *in_other_steps = NULL;
		scoped_error err = {0};

		random_state = seed;
		for (size_t i = 0; i < 3; i++)
			make_random(&profiles[i], &(struct kind){false, false, 0});
		cr_assert_eq(merge_read(profiles, 3, 1, &whole, &err), 0, "%s", err.message);
		merge_two(&profiles[0], &profiles[1], &left);
		merge_two(&left, &profiles[2], &steps);
		merge_two(&profiles[1], &profiles[2], &right);
		merge_two(&profiles[0], &right, &other_steps);
		at_once = text_of(&whole);
		in_steps = text_of(&steps);
		in_other_steps = text_of(&other_steps);
		cr_expect_str_eq(in_steps, at_once, "seed %u", seed);
		cr_expect_str_eq(in_other_steps, at_once, "seed %u", seed);
		finish_all(profiles, 3);
	}
}

static void expect_held(const struct profile *held, struct profile *merged, unsigned seed)
{
	struct cover *granted = cover_create(merged, COVER_ENFORCED);

	for (size_t i = 0; i < held->grant_count; i++) {
		const struct grant *grant = &held->grants[i], *still;

		if (grant->section != SECTION_HELD)
			continue;
		still = profile_find_grant(merged, SECTION_HELD, grant->path);
		cr_expect(still && !(grant->rights & ~still->rights), "seed %u: %s", seed, grant->path);
		cr_expect_eq(cover_rights(granted, grant->path) & grant->rights, 0u, "seed %u: %s", seed, grant->path);
	}
	cover_destroy(granted);
}

/* Held in one: held in all that it went into, in steps too, and nothing above it lets it in. */
Test(merge, property_what_is_held_stays_out)
{
	for (unsigned seed = 1; seed <= 600; seed++) {
		struct profile profiles[3] = {0};
		scoped_profile left = {0}, steps = {0};

		random_state = seed;
		for (size_t i = 0; i < 3; i++)
			make_random(&profiles[i], &(struct kind){true, true, 20});
		merge_two(&profiles[0], &profiles[1], &left);
		merge_two(&left, &profiles[2], &steps);
		for (size_t i = 0; i < 3; i++)
			expect_held(&profiles[i], &steps, seed);
		finish_all(profiles, 3);
	}
}

/* Where nothing is held, each input's grants are all in it. */
Test(merge, property_nothing_is_lost)
{
	for (unsigned seed = 1; seed <= 300; seed++) {
		struct profile profiles[2] = {0};
		scoped_profile merged = {0};

		random_state = seed;
		for (size_t i = 0; i < 2; i++)
			make_random(&profiles[i], &(struct kind){false, true, 20});
		merge_two(&profiles[0], &profiles[1], &merged);
		for (size_t i = 0; i < 2; i++) {
			struct diff diff = {0};

			diff_profiles(&profiles[i], &merged, tiers, &diff);
			for (size_t j = 0; j < diff.count; j++)
				cr_expect(diff.changes[j].kind != CHANGE_LOST || !diff.changes[j].enforced,
					  "seed %u: lost %s", seed, diff.changes[j].text);
			diff_finish(&diff);
		}
		finish_all(profiles, 2);
	}
}

static void expect_itself(const char *path)
{
	scoped_file file = fopen(path, "r");
	scoped_profile profile = {0}, merged = {0};
	scoped_free char *before = NULL, *after = NULL;
	scoped_error err = {0};

	cr_assert(file, "%s", path);
	cr_assert_eq(profile_read_file(file, path, &test_variables, &profile, &err), 0, "%s", err.message);
	merge_two(&profile, &profile, &merged);
	merged.sessions = profile.sessions;
	before = text_of(&profile);
	after = text_of(&merged);
	cr_expect_str_eq(after, before, "%s", path);
}

/* What was learned, held lines and open moves included, is already as merging makes it. */
Test(merge, a_learned_profile_with_itself_is_itself)
{
	const char *source = getenv("TL_SRC") ? getenv("TL_SRC") : getenv("srcdir") ? getenv("srcdir") : ".";
	scoped_free char *name = format_text("%s/fixtures/sessions", source);
	scoped_directory directory = opendir(name);
	size_t count = 0;

	cr_assert(directory, "%s: %s", name, strerror(errno));
	for (const struct dirent *entry = readdir(directory); entry; entry = readdir(directory)) {
		const char *dot = strrchr(entry->d_name, '.');
		scoped_free char *path = format_text("%s/%s", name, entry->d_name);

		if (!dot || strcmp(dot, ".ini") != 0)
			continue;
		expect_itself(path);
		count++;
	}
	cr_expect_gt(count, 10u);
}

/* Sorted so that each round of closing could close one move alone: that took minutes. */
Test(merge, a_long_chain_of_moves_is_closed)
{
	const unsigned count = 20000;
	scoped_buffer text = {0};
	const char *texts[] = {NULL};
	scoped_free char *merged = NULL;

	buffer_format(&text, "complete = yes\n\n[normal]\nallow = write_file /srv/d%05u\n\n[moves]\n", count);
	for (unsigned i = 0; i < count; i++)
		buffer_format(&text, "move = /srv/d%05u /srv/d%05u\n", i, i + 1);
	texts[0] = buffer_text(&text);
	limit_computing(60);
	merged = merge_texts(texts, 1, 1);
	cr_expect(strstr(merged, "allow = write_file /srv/d00000\n"), "the first move is closed over the last one");
}

/* A held line holds each directory above it, and the others were then found anew. */
Test(merge, many_directories_are_held_for_what_lies_beneath)
{
	const unsigned count = 20000;
	scoped_buffer text = {0};
	const char *texts[] = {NULL};
	scoped_free char *merged = NULL;

	buffer_add_text(&text, "complete = yes\n\n[normal]\n");
	for (unsigned i = 0; i < count; i++)
		buffer_format(&text, "allow = read_file /srv/d%u\n", i);
	buffer_add_text(&text, "\n[held]\n");
	for (unsigned i = 0; i < count; i++)
		buffer_format(&text, "allow = read_file /srv/d%u/f\n", i);
	texts[0] = buffer_text(&text);
	limit_computing(60);
	merged = merge_texts(texts, 1, 1);
	cr_expect_not(strstr(merged, "[normal]"), "all is held");
}
