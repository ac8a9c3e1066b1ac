/* Spellings for other users and directories, and links that stand for files. */
#include "session.h"

#include "profile/portable.h"

static const struct variables mine = {.home = (char *)"/home/me",
				      .directory = (char *)"/home/me/project",
				      .tmpdir = (char *)"/home/me/project/tmp/",
				      .xdg_runtime_dir = (char *)"/run/user/1000",
				      .uid = (char *)"1000"};

static void expect_text(const struct variables *variables, const char *path, const char *want)
{
	scoped_free char *got = portable_text(variables, path);

	if (want)
		cr_expect_str_eq(got ? got : "(none)", want, "%s: %s", path, got);
	else
		cr_expect_null(got, "%s: %s", path, got);
}

Test(portable, the_longest_value_names_a_path)
{
	expect_text(&mine, "/home/me", "${HOME}");
	expect_text(&mine, "/home/me/x", "${HOME}/x");
	expect_text(&mine, "/home/me/project", "${DIRECTORY}");
	expect_text(&mine, "/home/me/project/a b", "${DIRECTORY}/a b");
	expect_text(&mine, "/home/me/project/tmp/x", "${TMPDIR}/x");
	expect_text(&mine, "/run/user/1000/bus", "${XDG_RUNTIME_DIR}/bus");
	expect_text(&mine, "/home/mexico", NULL);
	expect_text(&mine, "/home", NULL);
	expect_text(&mine, "/etc/hosts", NULL);
}

Test(portable, what_a_name_holds_is_escaped)
{
	expect_text(&mine, "/home/me/${HOME}/#;\n\xff ", "${HOME}/\\x24{HOME}/\\x23\\x3b\\n\\xff\\x20");
}

Test(portable, of_two_with_one_value_the_home_wins)
{
	const struct variables at_home = {.home = (char *)"/home/me", .directory = (char *)"/home/me"};

	expect_text(&at_home, "/home/me/x", "${HOME}/x");
}

Test(portable, what_cannot_be_read_back_is_not_used)
{
	const struct variables bad = {.home = (char *)"/",
				      .directory = (char *)"a",
				      .tmpdir = (char *)"/x/../y",
				      .xdg_runtime_dir = (char *)""};

	expect_text(&bad, "/y/x", NULL);
	expect_text(&bad, "/x/../y/z", NULL);
	cr_expect_eq(portable_base(&bad, "/y/x"), 0u);
	cr_expect_eq(portable_base(NULL, "/y/x"), 0u);
	cr_expect_eq(portable_base(&mine, "/home/me/project/x"), strlen("/home/me/project"));
}

Test(portable, the_user_s_id_in_shared_directories)
{
	const struct variables bare = {.uid = (char *)"1000", .tmpdir = (char *)"/var/tmp/mine"};

	expect_text(&bare, "/run/user/1000", "/run/user/${UID}");
	expect_text(&bare, "/run/user/1000/x/1000", "/run/user/${UID}/x/1000");
	expect_text(&bare, "/run/user/10001", NULL);
	expect_text(&bare, "/run/user", NULL);
	expect_text(&bare, "/tmp/tmux-1000/default", "/tmp/tmux-${UID}/default");
	expect_text(&bare, "/tmp/tmux-1000", "/tmp/tmux-${UID}");
	expect_text(&bare, "/tmp/tmux-21000", NULL);
	expect_text(&bare, "/tmp/1000", NULL);
	expect_text(&bare, "/tmp/x1000", NULL);
	expect_text(&bare, "/tmp/a/b-1000", NULL);
	expect_text(&bare, "/var/tmp/mine/x-1000", "${TMPDIR}/x-${UID}");
	expect_text(&bare, "/var/tmp/x-1000", "/var/tmp/x-${UID}");
	expect_text(&bare, "/tmp", NULL);
	expect_text(&bare, "/", NULL);
}

/* Learned by one, read by another: what is in the same place there. */
static char *carried(const char *lines, const struct variables *from, const struct variables *to)
{
	scoped_session session;
	scoped_profile profile = {.landlock = 7, .sessions = 1, .complete = true};
	scoped_buffer text = {0}, out = {0};

	session_init(&session, lines);
	session.options.portable = session.options.collapse.portable = from;
	profile.program = duplicate("/home/me/project/tool");
	profile.argv0 = duplicate("./tool");
	profile.directory = duplicate("/home/me/project");
	profile_add_argument(&profile, "--in=/home/me/in put");
	profile_add_argument(&profile, "/home/me/project");
	profile_add_argument(&profile, "x/home/me");
	session_add_to(&session, &profile);
	profile_write(&profile, &text);
	{
		scoped_profile there = {0};

		read_text(text.data, to, &there);
		for (size_t i = 0; i < there.grant_count; i++) {
			origin_finish(&there.grants[i].origin);
		}
		for (size_t i = 0; i < there.move_count; i++)
			origin_finish(&there.moves[i].origin);
		for (size_t i = 0; i < there.argument_count; i++)
			origin_finish(&there.arguments[i].origin);
		for (size_t i = 0; i < KEY_COUNT; i++)
			origin_finish(&there.keys[i]);
		profile_write(&there, &out);
	}
	return duplicate(strstr(out.data, "program = "));
}

Test(portable, a_profile_means_the_same_place_for_another)
{
	const struct variables other = {.home = (char *)"/home/you",
					.directory = (char *)"/srv/work dir",
					.tmpdir = (char *)"/tmp/you",
					.uid = (char *)"7"};
	const struct variables me = {.home = (char *)"/home/me",
				     .directory = (char *)"/home/me/project",
				     .tmpdir = (char *)"/tmp",
				     .uid = (char *)"1000"};
	scoped_free char *got = carried("use type=file path=/home/me/project/f rights=read_file asked=yes\n"
					"use type=file path=/home/me/.rc rights=read_file asked=yes\n"
					"use type=file path=/run/user/1000/x rights=read_file asked=yes\n"
					"create type=file path=/tmp/a rights=write_file asked=yes\n"
					"rename type=file path=/home/me/project/d/x path2=/home/me/e/x asked=yes\n",
					&me, &other);

	cr_expect_str_eq(got, "program = /srv/work dir/tool\nargv0 = ./tool\nargument = --in=/home/you/in put\n"
			      "argument = /srv/work dir\nargument = x/home/me\ndirectory = /srv/work dir\n"
			      "complete = yes\n\n[normal]\n"
			      "allow = make_reg,write_file /tmp/you\nallow = read_file /home/you/.rc\n"
			      "allow = read_file /run/user/7/x\nallow = read_file /srv/work dir/f\n"
			      "allow = refer,remove_file /srv/work dir/d\n\n[guarded]\n"
			      "allow = make_reg,refer /home/you/e\n\n[moves]\n"
			      "move = /srv/work\\x20dir/d/x /home/you/e\n");
}

/* The directory lies in /tmp here, and elsewhere for the next one. */
Test(portable, what_lies_above_a_variable_covers_nothing_in_it)
{
	const struct variables me = {.directory = (char *)"/tmp/w"};
	const struct variables other = {.directory = (char *)"/srv/w"};
	const char *lines = "use type=file path=/tmp/w/f rights=read_file asked=yes\n"
			    "use type=file path=/tmp/w/g rights=read_file asked=yes\n"
			    "create type=file path=/tmp/a rights=read_file asked=yes\n"
			    "use type=file path=/tmp/b rights=read_file asked=yes\n";
	scoped_free char *got = carried(lines, &me, &other), *all = format_text("#: collapse-prefix /tmp\n%s", lines);
	scoped_free char *collapsed = carried(all, &me, &other);
	const char *want = "\n[normal]\nallow = make_reg,read_file /tmp\nallow = read_file /srv/w/f\n"
			   "allow = read_file /srv/w/g\n";

	cr_expect_str_eq(strchr(strstr(got, "complete"), '\n') + 1, want, "%s", got);
	cr_expect_str_eq(strchr(strstr(collapsed, "complete"), '\n') + 1, want, "%s", collapsed);
}

Test(portable, directories_of_the_first_user_are_not_absent_for_the_next)
{
	const struct variables me = {.home = (char *)"/home/me"};
	scoped_free char *got = carried("create type=directory path=/home/me error=EEXIST\n"
					"create type=directory path=/home/me/x error=EEXIST\n"
					"create type=directory path=/srv/x error=EEXIST\n",
					&me, &me);

	cr_expect_str_eq(strstr(got, "[absent]"), "[absent]\nallow = make_dir /home/me\nallow = make_dir /srv\n", "%s",
			 got);
}

Test(portable, the_base_of_a_line_is_the_value_of_its_variable)
{
	const struct {
		const char *written, *path;
		size_t base;
	} lines[] = {
		{"${HOME}/a/b", "/home/me/a/b", 8}, {"${HOME}", "/home/me", 8},	      {"${TTY}", "/dev/pts/3", 10},
		{"/home/me/a", "/home/me/a", 0},    {"${HOME}//a/", "/home/me/a", 8},
	};

	for (size_t i = 0; i < ARRAY_LENGTH(lines); i++) {
		struct grant grant = {.path = (char *)lines[i].path};

		grant.origin.written = (char *)lines[i].written;
		cr_expect_eq(grant_variable_base(&grant), lines[i].base, "%s", lines[i].written);
	}
	cr_expect_eq(grant_variable_base(&(struct grant){.path = (char *)"/x"}), 0u);
}

static void expect_learned(const char *lines, const char *want)
{
	scoped_session session;
	scoped_buffer got = {0};

	session_init(&session, lines);
	session_write(&session, &got);
	cr_expect_str_eq(strstr(got.data, "[normal]"), want, "%s--- gives\n%s", lines, got.data);
}

#define LINKED(rights) "use type=file path=/usr/lib/z.so.1.2 link=/usr/lib/z.so.1 rights=" rights " asked=yes\n"

Test(portable, a_link_stands_for_what_is_only_read)
{
	expect_learned(LINKED("read_file"), "[normal]\nallow = read_file /usr/lib/z.so.1\n");
	expect_learned(LINKED("execute,read_file"), "[normal]\nallow = execute,read_file /usr/lib/z.so.1\n");
	/* Named both ways, it needs both. */
	expect_learned(LINKED("read_file") "use type=file path=/usr/lib/z.so.1.2 rights=execute asked=yes\n",
		       "[normal]\nallow = execute /usr/lib/z.so.1.2\nallow = read_file /usr/lib/z.so.1\n");
	expect_learned("use type=file path=/srv/z.so.1.2 link=/srv/z.so.1 rights=write_file asked=yes\n",
		       "[normal]\nallow = write_file /srv/z.so.1.2\n");
}

Test(portable, a_link_stands_for_nothing_where_it_may_change)
{
	/* It led somewhere else before. */
	expect_learned("use type=file path=/usr/lib/z.so.1.1 link=/usr/lib/z.so.1 rights=read_file asked=yes\n"
		       "use type=file path=/usr/lib/z.so.1.2 link=/usr/lib/z.so.1 rights=read_file asked=yes\n",
		       "[normal]\nallow = read_file /usr/lib/z.so.1\nallow = read_file /usr/lib/z.so.1.2\n");
	/* The program may make and remove names there. */
	expect_learned("create type=file path=/srv/new asked=yes\n"
		       "use type=file path=/srv/z.so.1.2 link=/srv/z.so.1 rights=read_file asked=yes\n",
		       "[normal]\nallow = make_reg /srv\nallow = read_file /srv/z.so.1.2\n");
	/* It was made in the session, or what it leads to. */
	expect_learned("create type=symlink path=/srv/z.so.1 asked=yes\n"
		       "use type=file path=/srv/z.so.1.2 link=/srv/z.so.1 rights=read_file asked=yes\n",
		       "[normal]\nallow = make_sym /srv\nallow = read_file /srv/z.so.1.2\n");
	expect_learned("create type=file path=/srv/z.so.1.2 asked=yes\n"
		       "use type=file path=/srv/z.so.1.2 link=/srv/z.so.1 rights=read_file asked=yes\n",
		       "[normal]\nallow = make_reg,read_file /srv\n");
}

/* Else a secret would stand under [normal] by its link's name. */
Test(portable, a_link_stands_for_nothing_that_is_more_sensitive)
{
	scoped_session session;
	scoped_buffer got = {0};

	session_init(&session, "use type=file path=/etc/shadow link=/etc/harmless rights=read_file asked=yes\n");
	session_write(&session, &got);
	cr_expect(strstr(got.data, "[protected]\nallow = read_file /etc/shadow\n"), "%s", got.data);
	cr_expect_not(strstr(got.data, "harmless"));
}
