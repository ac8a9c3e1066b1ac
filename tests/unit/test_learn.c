/* From accesses to grants: what recorded sessions (test_replay.c) do not show by themselves. */
#include "session.h"

#include <stdio.h>
#include <time.h>

#include "profile/closure.h"
#include "profile/cover.h"
#include "profile/learn_next.h"
#include "profile/needs.h"

/* The profile of these lines, without its first section. */
static void expect_learned(const char *lines, const char *want)
{
	scoped_session session;
	scoped_buffer got = {0};
	const char *begin;

	session_init(&session, lines);
	session_write(&session, &got);
	begin = strstr(got.data, "complete = ");
	cr_expect_str_eq(begin, want, "%s--- gives\n%s", lines, begin);
}

Test(learn, nothing_needs_nothing)
{
	expect_learned("", "complete = yes\n");
	expect_learned("use type=file path=/x rights=read_file\n", "complete = yes\n");
	expect_learned("use type=file path=/x rights=read_file asked=yes inherited=yes\n", "complete = yes\n");
	expect_learned("create type=file path=/x rights=write_file asked=yes inherited=yes\n", "complete = yes\n");
	expect_learned("use type=file path=/x asked=yes\n", "complete = yes\n");
	expect_learned("use type=character path=/x asked=yes\n", "complete = yes\n");
}

Test(learn, a_file_never_gets_the_rights_of_directories)
{
	expect_learned("use type=file path=/x rights=read_dir,read_file asked=yes\n",
		       "complete = yes\n\n[normal]\nallow = read_file /x\n");
	expect_learned("use path=/x rights=read_dir,read_file asked=yes\nuse type=fifo path=/x asked=yes\n",
		       "complete = yes\n\n[normal]\nallow = read_file /x\n");
	/* A directory stood there as well: which of the two was listed is known. */
	expect_learned("use type=directory path=/x rights=read_dir asked=yes\n"
		       "use type=file path=/x rights=read_file asked=yes\n",
		       "complete = yes\n\n[normal]\nallow = read_dir,read_file /x\n");
}

Test(learn, every_type_is_made_and_removed_by_its_own_right)
{
	const char *const types[][3] = {
		{"file", "make_reg", "remove_file"},	{"directory", "make_dir", "remove_dir"},
		{"symlink", "make_sym", "remove_file"}, {"fifo", "make_fifo", "remove_file"},
		{"socket", "make_sock", "remove_file"}, {"character", "make_char", "remove_file"},
		{"block", "make_block", "remove_file"},
	};

	for (size_t i = 0; i < ARRAY_LENGTH(types); i++) {
		scoped_free char *lines = format_text("create type=%s path=/srv/m/x asked=yes\n"
						      "remove type=%s path=/srv/r/x asked=yes\n",
						      types[i][0], types[i][0]);
		bool is_device = strstr(types[i][1], "make_char") || strstr(types[i][1], "make_block");
		scoped_free char *want =
			is_device ? format_text("complete = yes\n\n[normal]\nallow = %s /srv/r\n\n[protected]\n"
						"allow = %s /srv/m\n",
						types[i][2], types[i][1])
				  : format_text("complete = yes\n\n[normal]\nallow = %s /srv/m\nallow = %s /srv/r\n",
						types[i][1], types[i][2]);

		expect_learned(lines, want);
	}
}

Test(learn, a_name_that_is_replaced_within_its_directory_needs_no_refer)
{
	expect_learned("rename type=file path=/srv/a path2=/srv/b replaced=symlink asked=yes\n",
		       "complete = yes\n\n[normal]\nallow = make_reg,remove_file /srv\n");
	expect_learned("rename type=directory path=/srv/a path2=/srv/b replaced=directory asked=yes\n",
		       "complete = yes\n\n[normal]\nallow = make_dir,remove_dir /srv\n");
}

/* By a mode, after Landlock: EXDEV would come only where everything but refer is granted. */
Test(learn, what_the_system_refused_is_refused_alike)
{
	static const char granted[] = "create type=file path=/srv/b/y asked=yes\n"
				      "remove type=file path=/srv/a/z asked=yes\n";
	static const char refused[] = "rename type=file path=/srv/a/x path2=/srv/b/x error=EACCES\n";
	static const char linked[] = "link type=file path=/srv/c/x path2=/srv/b/x error=EACCES\n";
	scoped_free char *moves = format_text("%s%s%s", refused, granted, refused);
	scoped_free char *links = format_text("%s%s", granted, linked);

	expect_learned(refused, "complete = yes\n");
	expect_learned(linked, "complete = yes\n");
	expect_learned(moves, "complete = yes\n\n[normal]\nallow = make_reg,refer /srv/b\n"
			      "allow = refer,remove_file /srv/a\n\n[moves]\nmove = /srv/a/x /srv/b\n");
	expect_learned(links, "complete = yes\n\n[normal]\nallow = make_reg,refer /srv/b\nallow = refer /srv/c\n"
			      "allow = remove_file /srv/a\n\n[moves]\nmove = /srv/c/x /srv/b\n");
}

Test(learn, what_was_used_before_its_name_was_born_goes_to_the_directory_too)
{
	expect_learned("use type=file path=/srv/a/x rights=execute asked=yes\n"
		       "remove type=file path=/srv/a/x asked=yes\n"
		       "create type=file path=/srv/a/x rights=write_file asked=yes\n",
		       "complete = yes\n\n[normal]\nallow = execute,make_reg,remove_file,write_file /srv/a\n");
}

Test(learn, the_topmost_born_directory_decides)
{
	expect_learned("create type=directory path=/srv/a/b asked=yes\n"
		       "create type=directory path=/srv/a/b/c/d asked=yes\n"
		       "use type=file path=/srv/a/b/c/d/e rights=read_file asked=yes\n"
		       "use type=file path=/srv/a/bc rights=read_file asked=yes\n",
		       "complete = yes\n\n[normal]\nallow = make_dir,read_file /srv/a\n");
	/* A name that only begins alike was not born. */
	expect_learned("create type=directory path=/srv/a/b asked=yes\n"
		       "use type=file path=/srv/a/bc rights=read_file asked=yes\n",
		       "complete = yes\n\n[normal]\nallow = make_dir /srv/a\nallow = read_file /srv/a/bc\n");
}

Test(learn, a_reason_is_written_once)
{
	struct learner *learner = learner_create(&(struct learn_options){0});
	scoped_profile profile = {.complete = true};
	struct tiers *tiers = builtin_tiers();

	learner_add_incomplete(learner, "b");
	learner_add_incomplete(learner, "a");
	learner_add_incomplete(learner, "b");
	learner_finish(learner, tiers, &profile);
	cr_expect_eq(profile.incomplete_count, 2u);
	cr_expect_not(profile.complete);
	tiers_destroy(tiers);
	learner_destroy(learner);
}

Test(learn, counts_what_was_missing_and_did_not_come)
{
	scoped_session session;
	struct learner *learner;

	session_init(&session, "missing path=/a rights=read_file\nmissing path=/a rights=read_file\n"
			       "missing path=/b rights=read_file\nmissing path=/c rights=read_file\n"
			       "create type=file path=/c asked=yes\nuse type=file path=/d rights=read_file asked=yes\n"
			       "missing path=/proc/12/stat rights=read_file\n");
	learner = session_learn(&session);
	cr_expect_eq(learner_missing_count(learner), 2u);
	cr_expect_not_null(learner_missing(learner));
	learner_destroy(learner);
	learner_destroy(NULL);
}

/* What a session leaves that its own profile does not let it meet again: "COUNT FIRST RIGHTS". */
static void expect_left(const char *lines, const char *want)
{
	scoped_session session;
	scoped_profile profile = {.complete = true};
	scoped_buffer got = {0};
	struct tiers *tiers = builtin_tiers();
	struct learner *learner;
	struct left left;

	session_init(&session, lines);
	learner = session_learn(&session);
	learner_finish(learner, tiers, &profile);
	left = learner_left(learner, &profile);
	buffer_format(&got, "%zu %s ", left.count, left.path ? left.path : "-");
	rights_write(&got, left.rights);
	cr_expect_str_eq(buffer_text(&got), want, "%s--- gives\n%s", lines, buffer_text(&got));
	learner_destroy(learner);
	tiers_destroy(tiers);
}

#define MADE "create type=file path=/srv/d/f rights=write_file again=truncate asked=yes\n"

Test(learn, tells_what_was_left_and_asks_for_more_when_it_is_met_again)
{
	expect_left(MADE, "1 /srv/d/f truncate");
	expect_left("create type=file path=/srv/d/g rights=write_file asked=yes\n", "0 - ");
	expect_left(MADE "use type=file path=/srv/d/f rights=truncate,write_file asked=yes\n", "0 - ");
	expect_left("rename type=file path=/srv/a/f path2=/srv/b/g asked=yes\n", "1 /srv/b/g remove_file");
	expect_left("rename type=file path=/srv/a/f path2=/srv/a/g asked=yes\n", "0 - ");
	expect_left("rename type=file path=/srv/a/f path2=/srv/b/g error=EXDEV asked=yes\n", "0 - ");
	expect_left("#: hold normal\ncreate type=file path=/f rights=write_file again=truncate asked=yes\n", "0 - ");
}

#define SOUGHT "missing path=/srv/d/f rights=read_file\n"

Test(learn, tells_what_was_sought_before_it_was_made)
{
	expect_left(SOUGHT "create type=file path=/srv/d/f rights=write_file asked=yes\n", "1 /srv/d/f read_file");
	expect_left(SOUGHT MADE, "1 /srv/d/f read_file,truncate");
	expect_left(SOUGHT "rename type=file path=/srv/d/e path2=/srv/d/f asked=yes\n", "1 /srv/d/f read_file");
	expect_left(SOUGHT "create type=file path=/srv/d/e rights=write_file asked=yes\n"
			   "rename type=file path=/srv/d/e path2=/srv/d/f asked=yes\n",
		    "1 /srv/d/f read_file");
	expect_left(SOUGHT MADE "use type=file path=/srv/d/f rights=read_file,truncate asked=yes\n", "0 - ");
	expect_left(SOUGHT MADE "remove type=file path=/srv/d/f asked=yes\n", "0 - ");
	expect_left(SOUGHT "create type=directory path=/srv/d/f rights=make_dir asked=yes\n", "0 - ");
	expect_left(SOUGHT, "0 - ");
}

Test(learn, what_is_gone_at_the_end_is_not_left)
{
	expect_left(MADE "remove type=file path=/srv/d/f asked=yes\n", "0 - ");
	expect_left(MADE "remove type=file path=/srv/d/f error=EPERM asked=yes\n", "1 /srv/d/f truncate");
	expect_left(MADE "rename type=file path=/srv/d/f path2=/srv/d/g asked=yes\n", "0 - ");
	expect_left(MADE "rename type=directory path=/srv/d path2=/srv/e asked=yes\n", "0 - ");
	expect_left(MADE "remove type=file path=/srv/d/f asked=yes\n" MADE, "1 /srv/d/f truncate");
	expect_left(MADE "link type=file path=/srv/d/f path2=/srv/d/g asked=yes\n", "1 /srv/d/f truncate");
}

Test(learn, knows_what_was_touched)
{
	scoped_session session;
	struct learner *learner;

	session_init(&session, "use type=file path=/a/b/c rights=read_file asked=yes\n"
			       "create type=file path=/d/e asked=yes\nremove type=file path=/f/g asked=yes\n"
			       "rename type=file path=/h/i path2=/j/k asked=yes\nmissing path=/l/m rights=read_file\n");
	learner = session_learn(&session);
	for (size_t i = 0; i < 10; i++) {
		const char *const paths[] = {"/", "/a", "/a/b", "/a/b/c", "/d/e", "/f", "/f/g", "/h/i", "/j/k", "/j"};

		cr_expect(learner_touched(learner, paths[i]), "%s", paths[i]);
	}
	cr_expect_not(learner_touched(learner, "/a/bc"));
	cr_expect_not(learner_touched(learner, "/a/b/c/d"));
	cr_expect_not(learner_touched(learner, "/l/m"));
	learner_add_line(learner, "use type=file path=/l/m rights=read_file asked=yes");
	cr_expect(learner_touched(learner, "/l/m"));
	learner_destroy(learner);
}

/* Whether a failure there would add nothing. */
static bool has_made(const struct learner *learner, const char *path, enum object_type type, rights_t rights)
{
	return learner_has_made(learner,
				&(struct access){.kind = ACCESS_CREATE, .path = path, .type = type, .rights = rights});
}

Test(learn, knows_what_it_need_not_wait_for)
{
	static const char *const lines[] = {
		"create type=file path=/a/own/f rights=write_file asked=yes",
		"create type=directory path=/a/own/d asked=yes",
		"create type=file path=/a/own/d/f rights=read_file asked=yes",
		"create type=file path=/a/own/was rights=write_file asked=yes",
		"remove type=file path=/a/own/was asked=yes",
	};
	scoped_session session;
	struct learner *learner;

	session_init(&session, "create type=file path=/a/f rights=write_file asked=yes\n"
			       "create type=directory path=/a/own asked=yes\n");
	learner = session_learn(&session);
	cr_expect_not(learner_has_made(learner, NULL), "nothing was made in a directory of its own");
	for (size_t i = 0; i < ARRAY_LENGTH(lines); i++)
		learner_add_line(learner, lines[i]);
	cr_expect(learner_has_made(learner, NULL));
	cr_expect(has_made(learner, "/a/own/new", OBJECT_FILE, RIGHT_WRITE_FILE));
	cr_expect(has_made(learner, "/a/own/new", OBJECT_DIRECTORY, 0));
	cr_expect(has_made(learner, "/a/own/d/new", OBJECT_FILE, RIGHT_READ_FILE), "beneath its own");
	cr_expect(has_made(learner, "/a/own/was", OBJECT_FILE, RIGHT_WRITE_FILE), "gone");
	cr_expect_not(has_made(learner, "/a/own/f", OBJECT_FILE, RIGHT_WRITE_FILE), "it is there");
	cr_expect_not(has_made(learner, "/a/new", OBJECT_FILE, RIGHT_WRITE_FILE), "not in its own");
	cr_expect_not(has_made(learner, "/a/own/new", OBJECT_FILE, RIGHT_WRITE_FILE | RIGHT_READ_FILE), "a right more");
	cr_expect_not(has_made(learner, "/a/own/d/new", OBJECT_FILE, RIGHT_WRITE_FILE), "not asked in this one");
	cr_expect_not(has_made(learner, "/a/own/new", OBJECT_SYMLINK, 0), "none was made");
	cr_expect_not(has_made(learner, "/a/own/e/new", OBJECT_FILE, RIGHT_WRITE_FILE), "never heard of");
	cr_expect_not(has_made(learner, "/new", OBJECT_FILE, RIGHT_WRITE_FILE));
	learner_destroy(learner);
}

Test(learn, knows_what_was_no_directory)
{
	scoped_session session;
	struct learner *learner;

	session_init(&session, "use type=file path=/a/f rights=read_file asked=yes\n"
			       "use type=directory path=/a/d rights=read_dir asked=yes\n"
			       "create type=file path=/a/n asked=yes\nremove type=file path=/a/n asked=yes\n"
			       "missing path=/a/m rights=read_file\n");
	learner = session_learn(&session);
	cr_expect(learner_saw_file(learner, "/a/f"));
	cr_expect(learner_saw_file(learner, "/a/n"));
	cr_expect_not(learner_saw_file(learner, "/a/d"));
	cr_expect_not(learner_saw_file(learner, "/a/m"));
	cr_expect_not(learner_saw_file(learner, "/a"));
	cr_expect_not(learner_saw_file(learner, "/a/none"));
	learner_add_line(learner, "create type=directory path=/a/n asked=yes");
	cr_expect_not(learner_saw_file(learner, "/a/n"), "a directory took its place");
	learner_destroy(learner);
}

Test(learn, goes_on_after_it_has_finished)
{
	struct learner *learner = learner_create(&(struct learn_options){0});
	struct tiers *tiers = builtin_tiers();
	scoped_profile early = {0}, late = {0};

	learner_add_line(learner, "use type=file path=/srv/a/x rights=read_file asked=yes");
	learner_finish(learner, tiers, &early);
	learner_add_line(learner, "create type=file path=/srv/a/x rights=write_file asked=yes");
	learner_finish(learner, tiers, &late);
	cr_expect_eq(profile_find_grant(&early, SECTION_NORMAL, "/srv/a/x")->rights, RIGHT_READ_FILE);
	cr_expect_null(profile_find_grant(&late, SECTION_NORMAL, "/srv/a/x"));
	cr_expect_eq(profile_find_grant(&late, SECTION_NORMAL, "/srv/a")->rights,
		     RIGHT_MAKE_REG | RIGHT_READ_FILE | RIGHT_WRITE_FILE);
	tiers_destroy(tiers);
	learner_destroy(learner);
}

Test(learn, keeps_its_own_copy_of_the_terminals_name)
{
	scoped_free char *tty = duplicate("/dev/pts/3");
	struct learner *learner = learner_create(&(struct learn_options){.tty = tty});
	struct tiers *tiers = builtin_tiers();
	scoped_profile profile = {0};

	memset(tty, 'x', strlen(tty));
	learner_add_line(learner, "use type=character path=/dev/pts/3 rights=read_file asked=yes");
	learner_finish(learner, tiers, &profile);
	cr_expect_str_eq(profile.grants[0].origin.written, "${TTY}");
	cr_expect_str_eq(profile.grants[0].path, "/dev/pts/3");
	tiers_destroy(tiers);
	learner_destroy(learner);
}

/* As -m does it. */
static void expect_added(const char *lines, const char *before, const char *want)
{
	scoped_free char *text = format_text(HEAD "%s", before);
	scoped_session session;
	scoped_profile profile = {0};
	scoped_buffer got = {0};

	session_init(&session, lines);
	read_text(text, &test_variables, &profile);
	session_add_to(&session, &profile);
	profile_write(&profile, &got);
	cr_expect_str_eq(strstr(got.data, "\n\n") + 2, want, "%s--- gives\n%s", lines, strstr(got.data, "\n\n") + 2);
}

Test(learn_more, leaves_the_lines_that_were_there)
{
	expect_added("use type=directory path=/srv rights=read_dir asked=yes\n"
		     "create type=file path=/srv/x rights=read_file,write_file asked=yes\n"
		     "use type=file path=/srv/a rights=write_file asked=yes\n",
		     "complete = yes\n[normal]\n; mine\nallow = read_file /srv/a\nallow = read_file ${HOME}/x\n",
		     "[normal]\nallow = make_reg,read_dir,read_file,write_file /srv\nallow = read_file ${HOME}/x\n"
		     "; mine\nallow = read_file /srv/a\n");
}

Test(learn_more, what_is_held_stays_held)
{
	expect_added("use type=file path=/srv/a rights=read_file,write_file asked=yes\n",
		     "complete = yes\n[held]\nallow = read_file /srv/a\n",
		     "[held]\nallow = read_file,write_file /srv/a\n");
}

/* "/" is the one path that can be both, but not with the same right. */
Test(learn_more, what_is_held_on_the_root_stays_held)
{
	expect_added("use type=directory path=/ rights=read_dir asked=yes\n",
		     "complete = yes\n[held]\nallow = read_dir,write_file /\n",
		     "[held]\nallow = read_dir,write_file /\n");
}

Test(learn_more, what_is_granted_is_absent_no_more)
{
	expect_added("create type=file path=/srv/f rights=write_file asked=yes\n",
		     "complete = yes\n[absent]\nallow = make_dir,make_reg /srv\n",
		     "[normal]\nallow = make_reg,write_file /srv\n\n[absent]\nallow = make_dir /srv\n");
}

/* Landlock cannot subtract: what would let in a held line through its directory has to wait with it. */
Test(learn_more, nothing_wider_lets_in_what_is_held)
{
	expect_added("create type=file path=/srv/a/new rights=read_file asked=yes\n"
		     "use type=directory path=/srv/a rights=read_dir asked=yes\n"
		     "create type=file path=/srv/b/new rights=write_file asked=yes\n",
		     "complete = yes\n[held]\nallow = read_file /srv/a/b/c\nallow = read_file /srv/b/c\n",
		     "[normal]\nallow = make_reg,write_file /srv/b\n\n"
		     "[held]\nallow = make_reg,read_dir,read_file /srv/a\nallow = read_file /srv/a/b/c\n"
		     "allow = read_file /srv/b/c\n");
}

Test(learn_more, a_contradiction_of_two_lines_is_left_for_check)
{
	expect_added("", "complete = yes\n[normal]\nallow = read_file /srv\n[held]\nallow = read_file /srv/a\n",
		     "[normal]\nallow = read_file /srv\n\n[held]\nallow = read_file /srv/a\n");
}

/* A person let the first one in; the second one is new, and a line is held or granted as a whole. */
Test(learn_more, what_was_let_in_is_not_held_again)
{
	expect_added("#: hold protected\nuse type=file path=/etc/shadow rights=read_file asked=yes\n"
		     "use type=file path=/etc/sudoers rights=read_file,write_file asked=yes\n",
		     "complete = yes\n[protected]\nallow = read_file /etc/shadow\nallow = read_file /etc/sudoers\n",
		     "[protected]\nallow = read_file /etc/shadow\n\n[held]\n"
		     "allow = read_file,write_file /etc/sudoers\n");
}

/* Only what a line is held for must not come from above; the rest comes from there. */
Test(learn_more, a_held_line_says_what_it_is_held_for)
{
	expect_learned("#: hold guarded\nuse type=file path=/usr/local/x rights=read_file,write_file asked=yes\n"
		       "use type=directory path=/usr rights=read_file asked=yes\n",
		       "complete = no\nincomplete = grants that were needed are held\n\n"
		       "[normal]\nallow = read_file /usr\n\n[held]\nallow = write_file /usr/local/x\n");
}

/* The file could be moved with what its directory granted; when that is held, it needs the right itself. */
Test(learn_more, what_is_held_closes_no_move)
{
	expect_learned("#: hold guarded\ncreate type=file path=/home/me/work/new rights=read_file asked=yes\n"
		       "create type=file path=/srv/a/new rights=read_file asked=yes\n"
		       "rename type=file path=/home/me/work/out/f path2=/srv/a/f asked=yes\n",
		       "complete = no\nincomplete = grants that were needed are held\n\n"
		       "[normal]\nallow = make_reg,read_file,refer /srv/a\n"
		       "allow = read_file /home/me/work/out/f\nallow = refer,remove_file /home/me/work/out\n\n"
		       "[held]\nallow = make_reg,read_file /home/me/work\n\n"
		       "[moves]\nmove = /home/me/work/out/f /srv/a\n");
}

Test(learn_more, says_when_what_is_held_was_needed)
{
	scoped_profile profile = {0}, other = {0};
	scoped_session session;

	session_init(&session, "use type=file path=/srv/a rights=read_file asked=yes\n");
	read_text(HEAD "complete = yes\n[held]\nallow = read_file /srv/a\n", &test_variables, &profile);
	session_add_to(&session, &profile);
	cr_expect_not(profile.complete);
	cr_expect_str_eq(profile.incomplete[0].text, "grants that were needed are held");
	read_text(HEAD "complete = yes\n[held]\nallow = read_file /srv/b\n", &test_variables, &other);
	session_add_to(&session, &other);
	cr_expect(other.complete);
}

Test(learn_more, what_a_move_needs_of_a_held_line_makes_it_incomplete)
{
	scoped_profile profile = {0};
	scoped_session session;

	session_init(&session, "rename type=file path=/srv/a/f path2=/srv/b/f asked=yes\n"
			       "use type=file path=/srv/b/f rights=read_file asked=yes\n");
	read_text(HEAD "complete = yes\n[held]\nallow = write_file /srv/a/f\n", &test_variables, &profile);
	session_add_to(&session, &profile);
	cr_expect_not(profile.complete);
	cr_expect_eq(profile_find_grant(&profile, SECTION_HELD, "/srv/a/f")->rights,
		     RIGHT_READ_FILE | RIGHT_WRITE_FILE);
}

/* The move is an old session's; what is granted on its target is new. */
Test(learn_more, closes_over_the_moves_of_earlier_sessions)
{
	expect_added("create type=file path=/srv/b/new rights=read_file asked=yes\n",
		     "complete = yes\n[normal]\nallow = refer,remove_file /srv/a\nallow = make_reg,refer /srv/b\n"
		     "[moves]\nmove = /srv/a/f /srv/b\nmove = /srv/c/ /srv/b\n",
		     "[normal]\nallow = make_reg,read_file,refer /srv/b\nallow = make_reg,read_file,refer /srv/c\n"
		     "allow = read_file /srv/a/f\nallow = refer,remove_file /srv/a\n\n"
		     "[moves]\nmove = /srv/a/f /srv/b\nmove = /srv/c/ /srv/b\n");
}

/* Profiles made by chance: a few directories in each other, with any rights, and any moves between them. */
static unsigned chance(unsigned *seed, unsigned below)
{
	*seed = *seed * 1103515245u + 12345u;
	return *seed / 65536 % below;
}

static const char *some_path(unsigned *seed)
{
	static const char *const paths[] = {"/",	  "/a",		"/a/b",	    "/a/b/c", "/a/b/d", "/a/bb",
					    "/a/bb/file", "/e",		"/e/f",	    "/e/g",   "/e/f/h", "/i",
					    "/i/j",	  "/i/j/k/l/m", "/i/jj/kk", "/i/k"};

	return paths[chance(seed, ARRAY_LENGTH(paths))];
}

static void make_by_chance(struct profile *profile, unsigned *seed)
{
	for (unsigned i = 0; i < 12; i++) {
		const char *path = some_path(seed);
		rights_t some = chance(seed, 32768), rights = some & chance(seed, 32768);

		if (rights)
			needs_add(profile, path, rights);
	}
	for (unsigned i = 0; i < 6; i++) {
		const char *from = some_path(seed), *to = some_path(seed);

		profile_add_move(profile, from, to)->directory = chance(seed, 2);
	}
}

static bool is_open(const struct cover *cover, const struct move *move)
{
	rights_t possible = move->directory ? RIGHTS_FILE_SYSTEM : RIGHTS_ON_FILE;

	if (!strcmp(move->from, "/"))
		possible &= RIGHT_READ_DIR; /* the rest is held */
	return cover_rights(cover, move->to) & possible & ~cover_rights(cover, move->from);
}

static bool has_open(const struct profile *profile, const struct cover *cover)
{
	for (size_t i = 0; i < profile->move_count; i++)
		if (is_open(cover, &profile->moves[i]))
			return true;
	return false;
}

Test(closure, leaves_no_move_open)
{
	unsigned seed = 7;

	for (int round = 0; round < 2000; round++) {
		scoped_profile profile = {0};
		struct cover *cover;

		make_by_chance(&profile, &seed);
		closure_close(&profile);
		cover = cover_create(&profile, COVER_ENFORCED);
		cr_assert_not(has_open(&profile, cover), "round %d", round);
		cover_destroy(cover);
	}
}

/* Whether a move is open when `bit` is not granted on path, or was given to a directory above later on. */
static bool is_needed(const struct profile *profile, struct cover *cover, const char *path, rights_t bit)
{
	bool needed = cover_rights_above(cover, path) & bit;

	cover_remove(cover, path, bit);
	needed |= has_open(profile, cover);
	cover_add(cover, path, bit);
	return needed;
}

static void expect_needed(const struct profile *profile, const struct cover *before, struct cover *after)
{
	for (size_t i = 0; i < profile->grant_count; i++) {
		const struct grant *grant = &profile->grants[i];
		rights_t added = grant->rights & ~cover_rights_on(before, grant->path);

		for (rights_t bit = 1; section_is_enforced(grant->section) && bit <= added; bit <<= 1)
			if (added & bit)
				cr_assert(is_needed(profile, after, grant->path, bit), "%s", grant->path);
	}
}

/* A smaller set of rights would not do: without any one that was added, a move is open again. */
Test(closure, adds_no_right_that_is_not_needed)
{
	unsigned seed = 11;

	for (int round = 0; round < 500; round++) {
		scoped_profile profile = {0};
		struct cover *before, *after;

		make_by_chance(&profile, &seed);
		before = cover_create(&profile, COVER_ENFORCED);
		closure_close(&profile);
		after = cover_create(&profile, COVER_ENFORCED);
		expect_needed(&profile, before, after);
		cover_destroy(before);
		cover_destroy(after);
	}
}

Test(closure, does_not_depend_on_the_order_of_moves)
{
	unsigned seed = 3;

	for (int round = 0; round < 500; round++) {
		unsigned copy = seed;
		scoped_profile forward = {0}, backward = {0};
		scoped_buffer first = {0}, second = {0};

		make_by_chance(&forward, &seed);
		make_by_chance(&backward, &copy);
		for (size_t i = 0; i < backward.move_count / 2; i++) {
			struct move move = backward.moves[i];

			backward.moves[i] = backward.moves[backward.move_count - 1 - i];
			backward.moves[backward.move_count - 1 - i] = move;
		}
		cr_assert_eq(closure_close(&forward), closure_close(&backward));
		needs_drop_covered(&forward, NULL);
		needs_drop_covered(&backward, NULL);
		profile_write(&forward, &first);
		profile_write(&backward, &second);
		cr_assert_str_eq(first.data, second.data, "round %d", round);
	}
}

Test(closure, says_when_a_move_stays_open)
{
	scoped_profile profile = {0};

	profile_add_grant(&profile, SECTION_NORMAL, RIGHT_READ_FILE, "/b");
	profile_add_grant(&profile, SECTION_HELD, RIGHT_WRITE_FILE, "/a/f");
	profile_add_move(&profile, "/a/g", "/b");
	cr_expect(closure_close(&profile));
	profile_add_move(&profile, "/a/f", "/b");
	cr_expect_not(closure_close(&profile));
}

/* Why lines may be dropped after closing: on every path the same is granted, so every move is as closed as before. */
Test(needs, dropping_what_is_covered_changes_nothing)
{
	unsigned seed = 23;
	size_t dropped = 0;

	for (int round = 0; round < 2000; round++) {
		scoped_profile profile = {0};
		struct cover *before, *after;
		size_t count;

		make_by_chance(&profile, &seed);
		closure_close(&profile);
		before = cover_create(&profile, COVER_ENFORCED);
		count = profile.grant_count;
		needs_drop_covered(&profile, NULL);
		dropped += count - profile.grant_count;
		after = cover_create(&profile, COVER_ENFORCED);
		cr_assert_not(has_open(&profile, after), "round %d", round);
		for (int i = 0; i < 64; i++) {
			const char *path = some_path(&seed);

			cr_assert_eq(cover_rights(before, path), cover_rights(after, path), "round %d: %s", round,
				     path);
		}
		for (size_t i = 0; i < profile.grant_count; i++)
			cr_assert_eq(profile.grants[i].rights & cover_rights_above(after, profile.grants[i].path), 0u);
		cover_destroy(before);
		cover_destroy(after);
	}
	cr_expect_gt(dropped, 1000u);
}

Test(needs, a_terminal_is_not_covered_by_where_it_lies_today)
{
	scoped_profile profile = {0};

	origin_spell(&profile_add_grant(&profile, SECTION_NORMAL, RIGHT_READ_FILE, "/dev/pts/3")->origin, "${TTY}",
		     "/dev/pts/3");
	profile_add_grant(&profile, SECTION_NORMAL, RIGHT_READ_FILE, "/dev/pts/4");
	profile_add_grant(&profile, SECTION_NORMAL, RIGHT_READ_FILE, "/dev/pts");
	needs_drop_covered(&profile, NULL);
	cr_expect_not_null(profile_find_grant(&profile, SECTION_NORMAL, "/dev/pts/3"));
	cr_expect_null(profile_find_grant(&profile, SECTION_NORMAL, "/dev/pts/4"));
}

static void add_by_number(struct learner *learner, char *path, unsigned number)
{
	struct access access = {
		.kind = ACCESS_USE, .type = OBJECT_FILE, .rights = RIGHT_READ_FILE, .path = path, .asked = true};

	sprintf(path, "/srv/project-%u/directory-%u/with/some/depth/file-%u", number % 7, number % 1000, number);
	if (number % 10 == 0) {
		access.kind = ACCESS_CREATE;
		access.rights = RIGHT_WRITE_FILE;
	}
	learner_add(learner, &access);
}

/* Seconds for a session of so many accesses on a tenth as many paths, one of ten born. */
static double seconds_of_session(unsigned count)
{
	struct learner *learner = learner_create(&(struct learn_options){0});
	struct tiers *tiers = builtin_tiers();
	struct timespec before, after;
	scoped_profile profile = {0};
	scoped_buffer text = {0};
	char path[128];

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &before);
	for (unsigned i = 0; i < count; i++)
		add_by_number(learner, path, i % (count / 10));
	learner_finish(learner, tiers, &profile);
	profile_write(&profile, &text);
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &after);
	cr_expect_gt(profile.grant_count, count / 20);
	tiers_destroy(tiers);
	learner_destroy(learner);
	return (double)(after.tv_sec - before.tv_sec) + (double)(after.tv_nsec - before.tv_nsec) / 1e9;
}

/* Ten times the session takes ten times as long, give or take what caches do, and not a hundred times. */
Test(learn_scale, an_access_takes_the_same_time_in_a_long_session)
{
	double small = seconds_of_session(20000), large = seconds_of_session(200000);

	cr_log_info("20,000 accesses: %.3f s, 200,000: %.3f s", small, large);
	cr_expect_lt(large, 30 * small + 0.1, "%.3f s for 20000 accesses, %.3f s for 200000", small, large);
}

/* In a template @ stands for the directory. */
static void fill(char *lines, size_t size, const char *template, const char *directory)
{
	size_t length = 0;

	for (; *template; template ++)
		length += (size_t)snprintf(lines + length, size - length, *template == '@' ? "%s" : "%.1s",
					   *template == '@' ? directory : template);
}

/* The heading that a session's grants on a directory end under, or its absence. */
static enum section section_of(const char *lines, enum tier hold, const char *path)
{
	scoped_session session;
	scoped_profile profile = {.complete = true};
	const struct grant *grant;

	session_init(&session, lines);
	session.options.hold = hold;
	session_add_to(&session, &profile);
	grant = profile_find_grant(&profile, SECTION_NORMAL, path);
	if (!grant)
		grant = profile_find_grant(&profile, SECTION_HELD, path);
	return grant ? grant->section : SECTION_COUNT;
}

/* mkdir /root/foo and creating /root/foo/bar end alike: in a directory of this tier, whichever call it was. */
Test(learn, one_rule_for_a_target_whichever_call_led_to_it)
{
	static const struct {
		const char *directory;
		enum section section;
	} places[] = {
		{"/root", SECTION_PROTECTED},	      {"/root/foo", SECTION_PROTECTED},
		{"/etc/foo", SECTION_GUARDED},	      {"/usr/lib/foo", SECTION_GUARDED},
		{"/home/me", SECTION_PROTECTED},      {"/home/me/project", SECTION_GUARDED},
		{"/home/me/p/sub", SECTION_NORMAL},   {"/home/other/x", SECTION_PROTECTED},
		{"/home/me/.ssh", SECTION_PROTECTED}, {"/srv/x", SECTION_NORMAL},
	};
	static const char *const calls[] = {
		"create type=directory path=@/new asked=yes\n",
		"create type=file path=@/new rights=write_file asked=yes\n",
		"create type=symlink path=@/new asked=yes\n",
		"create type=fifo path=@/new asked=yes\n",
		"create type=socket path=@/new asked=yes\n",
		"create type=file path=@/new rights=write_file asked=yes error=EDQUOT\n",
		"tmpfile path=@/#12 rights=write_file asked=yes\n",
		"rename type=file path=@/old path2=@/new asked=yes\n",
		"rename type=directory path=/srv/from/d path2=@/new asked=yes\n",
		"link type=file path=/srv/from/f path2=@/new asked=yes\n",
		"exchange type=file path=/srv/from/f path2=@/new replaced=file asked=yes\n",
		("create type=directory path=@/new asked=yes\n"
		 "create type=file path=@/new/bar rights=write_file asked=yes\n"),
		"remove type=file path=@/new asked=yes\n",
	};

	for (size_t i = 0; i < ARRAY_LENGTH(places); i++) {
		for (size_t j = 0; j < ARRAY_LENGTH(calls); j++) {
			const char *directory = places[i].directory;
			enum section section = places[i].section;
			char lines[1024];

			fill(lines, sizeof lines, calls[j], directory);
			cr_expect_eq(section_of(lines, TIER_NORMAL, directory), section, "%s", lines);
			cr_expect_eq(section_of(lines, TIER_PROTECTED, directory),
				     section == SECTION_PROTECTED ? SECTION_HELD : section, "%s", lines);
			cr_expect_eq(section_of(lines, TIER_GUARDED, directory),
				     section == SECTION_NORMAL ? section : SECTION_HELD, "%s", lines);
		}
	}
}

/* A word for what succeeded. What only failed opens nothing, but it may fail otherwise under the profile. */
Test(learn, words_are_for_calls_that_succeeded)
{
	expect_learned("call path=metadata call=chmod\ncall path=metadata call=chown error=ENOENT\n",
		       "complete = yes\n\n[seccomp]\nallow = metadata\n");
	expect_learned("call path=namespaces call=setns error=EPERM\ncall path=udp call=socket error=EACCES\n",
		       "complete = yes\n");
	expect_learned("call path=metadata call=chmod error=ENOENT\ncall path=metadata call=chmod error=EROFS\n",
		       "complete = no\n"
		       "incomplete = chmod failed with ENOENT, and fails with EPERM without metadata in [seccomp]\n");
}
