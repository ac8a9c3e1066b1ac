/* The reader of profiles: what each line means, and every way in which one is refused. */
#include "profile_text.h"

#include <stdio.h>

Test(profile_read, an_example)
{
	scoped_profile profile = {0};

	read_text("; written by trace-learn 0.1.0\n"
		  "[profile]\nformat = 1\nlandlock = 7\nsessions = 2\nprogram = /usr/bin/python3\nargv0 = python3\n"
		  "argument = build.py\nargument =\ndirectory = /home/me/project\ncomplete = no\n"
		  "incomplete = io_uring was refused while learning\n"
		  "[normal]\nallow = read_file,execute /usr/bin/python3.11\n"
		  "[held]\nallow = make_reg,write_file /\n"
		  "[absent]\nallow = make_reg /home/me/project\n"
		  "[moves]\nmove = /home/me/a\\x20b/ /home/me/c\n"
		  "[network]\nallow = connect_tcp 443\nallow = bind_tcp,connect_tcp any\n"
		  "[scope]\nallow = signal\n"
		  "[environment]\nkeep = PATH\nset = LANG=C=D\nunset = TOKEN\nset = EMPTY=\n"
		  "[seccomp]\nallow = unix_socket\n",
		  &test_variables, &profile);
	cr_expect_eq(profile.landlock, 7);
	cr_expect_eq(profile.sessions, 2u);
	cr_expect_str_eq(profile.program, "/usr/bin/python3");
	cr_expect_str_eq(profile.argv0, "python3");
	cr_expect_eq(profile.argument_count, 2u);
	cr_expect_str_eq(profile.arguments[0].text, "build.py");
	cr_expect_str_eq(profile.arguments[1].text, "");
	cr_expect_str_eq(profile.directory, "/home/me/project");
	cr_expect_not(profile.complete);
	cr_expect_str_eq(profile.incomplete[0].text, "io_uring was refused while learning");
	cr_expect_null(profile.heading_comments[HEADING_PROFILE]);

	cr_assert_eq(profile.grant_count, 3u);
	cr_expect_eq(profile.grants[0].section, SECTION_NORMAL);
	cr_expect_eq(profile.grants[0].rights, RIGHT_EXECUTE | RIGHT_READ_FILE);
	cr_expect_str_eq(profile.grants[0].path, "/usr/bin/python3.11");
	cr_expect_eq(profile.grants[0].origin.line, 14u);
	cr_expect_null(profile.grants[0].origin.written);
	cr_expect_eq(profile.grants[1].section, SECTION_HELD);
	cr_expect_str_eq(profile.grants[1].path, "/");
	cr_expect_eq(profile.grants[2].section, SECTION_ABSENT);

	cr_assert_eq(profile.move_count, 1u);
	cr_expect_str_eq(profile.moves[0].from, "/home/me/a b");
	cr_expect_str_eq(profile.moves[0].to, "/home/me/c");
	cr_expect(profile.moves[0].directory);
	cr_assert_eq(profile.port_count, 2u);
	cr_expect_eq(profile.ports[0].port, PORT_ANY);
	cr_expect_eq(profile.ports[0].rights, RIGHT_BIND_TCP | RIGHT_CONNECT_TCP);
	cr_expect_eq(profile.ports[1].port, 443);
	cr_expect_eq(profile.scope, RIGHT_SIGNAL);
	cr_assert_eq(profile.environment_count, 4u);
	cr_expect_str_eq(profile.environment[0].name, "PATH");
	cr_expect_str_eq(profile.environment[1].name, "EMPTY");
	cr_expect_str_eq(profile.environment[1].value, "");
	cr_expect_str_eq(profile.environment[2].value, "C=D");
	cr_expect_eq(profile.environment[3].action, ENVIRONMENT_UNSET);
	cr_expect_str_eq(profile.seccomp[0].text, "unix_socket");
}

Test(profile_read, the_shortest)
{
	scoped_profile profile = {0};

	read_text(HEAD, &test_variables, &profile);
	cr_expect(profile.complete);
	cr_expect_not(profile.has_network || profile.has_scope || profile.has_environment || profile.has_seccomp);
	cr_expect_eq(profile.landlock, 0);
	cr_expect_null(profile.program);
}

Test(profile_read, a_section_counts_even_when_it_is_empty)
{
	scoped_profile profile = {0};

	read_text(HEAD "[network]\n[scope]\n[environment]\n[seccomp]\n", &test_variables, &profile);
	cr_expect(profile.has_network && profile.has_scope && profile.has_environment && profile.has_seccomp);
}

Test(profile_read, a_reason_makes_it_incomplete)
{
	scoped_profile profile = {0};

	read_text(HEAD "incomplete = b\nincomplete = a\nincomplete = b\n", &test_variables, &profile);
	cr_expect_not(profile.complete);
	cr_assert_eq(profile.incomplete_count, 2u);
	cr_expect_str_eq(profile.incomplete[0].text, "a");
}

Test(profile_read, expanded_paths_are_clean)
{
	scoped_profile profile = {0};

	read_text(HEAD "[normal]\nallow = read_file ${HOME}//a\\x20\\n\\t\\\\/b/\nallow = write_file /x\\x24{HOME}\n",
		  &(struct variables){.home = (char *)"/home//me/"}, &profile);
	cr_assert_eq(profile.grant_count, 2u);
	cr_expect_str_eq(profile.grants[0].path, "/home/me/a \n\t\\/b");
	cr_expect_str_eq(profile.grants[0].origin.written, "${HOME}//a\\x20\\n\\t\\\\/b/");
	cr_expect_str_eq(profile.grants[1].path, "/x${HOME}");
}

Test(profile_read, one_path_has_one_enforced_grant)
{
	scoped_profile profile = {0};

	read_text(HEAD "[protected]\n; a\nallow = read_file /home/me/x\n[normal]\n; b\nallow = write_file ${HOME}/x\n"
		       "[absent]\nallow = make_reg /home/me/x\n",
		  &test_variables, &profile);
	cr_assert_eq(profile.grant_count, 2u);
	cr_expect_eq(profile.grants[0].section, SECTION_PROTECTED);
	cr_expect_eq(profile.grants[0].rights, RIGHT_READ_FILE | RIGHT_WRITE_FILE);
	cr_expect_str_eq(profile.grants[0].origin.comment, "; a\n; b\n");
	cr_expect_eq(profile.grants[0].origin.line, 5u);
}

Test(profile_read, without_a_terminal_its_lines_are_skipped)
{
	scoped_profile profile = {0};

	read_text(HEAD "[normal]\nallow = read_file ${TTY}\n[guarded]\nallow = ioctl_dev ${TTY}\nallow = execute /x\n",
		  &(struct variables){0}, &profile);
	cr_assert_eq(profile.grant_count, 2u);
	cr_expect(profile.grants[0].skipped != profile.grants[1].skipped);
	for (size_t i = 0; i < 2; i++) {
		const struct grant *grant = &profile.grants[i];

		if (!grant->skipped)
			continue;
		cr_expect_null(grant->path);
		cr_expect_str_eq(grant->origin.written, "${TTY}");
		cr_expect_eq(grant->rights, RIGHT_READ_FILE | RIGHT_IOCTL_DEV);
		cr_expect_eq(grant->section, SECTION_GUARDED);
	}
}

Test(profile_read, refuses_empty_files)
{
	expect_read_error("", "p.ini:1: empty: a profile begins with [profile] and format = 1");
	expect_read_error("\n\n", "p.ini:1: empty: a profile begins with [profile] and format = 1");
	expect_read_error("; a comment\n", "p.ini:1: empty: a profile begins with [profile] and format = 1");
}

Test(profile_read, refuses_a_missing_head)
{
	expect_read_error("[normal]\nallow = read_file /x\n",
			  "p.ini:1: there is no [profile] section: a profile begins with it, and format = 1 in it");
	expect_read_error("[network]\n",
			  "p.ini:1: there is no [profile] section: a profile begins with it, and format = 1 in it");
	expect_read_error("; c\n[profile]\nlandlock = 7\n", "p.ini:2: [profile] does not say format = 1");
	expect_read_error("[profile]\n[normal]\nallow = read_file /x\n", "p.ini:1: [profile] does not say format = 1");
}

Test(profile_read, refuses_other_formats)
{
	expect_read_error("[profile]\nformat = 2\nnew = x\n", "p.ini:2: format 2: this version reads format 1 only");
	expect_read_error("[profile]\nformat = 0\n", "p.ini:2: not a number from 1 to 999999: 0");
	expect_read_error("[profile]\nformat = 01\n", "p.ini:2: not a number from 1 to 999999: 01");
	expect_read_error("[profile]\nformat =\n", "p.ini:2: not a number from 1 to 999999: ");
}

Test(profile_read, refuses_unknown_names)
{
	expect_read_error(HEAD "[normals]\n", "p.ini:3: unknown section [normals]");
	expect_read_error(HEAD "[Normal]\n", "p.ini:3: unknown section [Normal]");
	expect_read_error(HEAD "[]\n", "p.ini:3: unknown section []");
	expect_read_error(HEAD "landlok = 7\n", "p.ini:3: unknown key landlok in [profile]");
	expect_read_error(HEAD "[normal]\nallows = read_file /x\n", "p.ini:4: unknown key allows in [normal]");
	expect_read_error(HEAD "[held]\nmove = /x /y\n", "p.ini:4: unknown key move in [held]");
	expect_read_error(HEAD "[moves]\nallow = /x /y\n", "p.ini:4: unknown key allow in [moves]");
	expect_read_error(
		HEAD "[network]\ndeny = bind_tcp 1\n",
		"p.ini:4: unknown key deny in [network]: what no line allows is refused, and nothing can be taken out "
		"of a grant on a directory");
	expect_read_error(HEAD "[scope]\nkeep = signal\n", "p.ini:4: unknown key keep in [scope]");
	expect_read_error(HEAD "[environment]\nallow = X\n", "p.ini:4: unknown key allow in [environment]");
	expect_read_error(HEAD "[seccomp]\nkeep = udp\n", "p.ini:4: unknown key keep in [seccomp]");
	expect_read_error(HEAD "[normal]\nallow = read /x\n", "p.ini:4: unknown right read");
	expect_read_error(HEAD "[scope]\nallow = signals\n", "p.ini:4: unknown right signals");
	expect_read_error(HEAD "[seccomp]\nallow = socket\n", "p.ini:4: unknown word socket in [seccomp]");
	expect_read_error(HEAD "[seccomp]\nallow = udp,perf\n", "p.ini:4: unknown word udp,perf in [seccomp]");
	expect_read_error(HEAD "[normal]\nallow = read_file /a\\q\n",
			  "p.ini:4: unknown escape \\q (known: \\\\ \\n \\t \\xHH)");
	expect_read_error(HEAD "[normal]\nallow = read_file ${NAME}/x\n",
			  "p.ini:4: unknown variable ${NAME} (known: HOME TTY DIRECTORY TMPDIR XDG_RUNTIME_DIR UID; a "
			  "literal ${ is \\x24{)");
}

Test(profile_read, refuses_lines_outside_a_section)
{
	expect_read_error("format = 1\n", "p.ini:1: format stands in no section");
	expect_read_error("\nallow = read_file /x\n[profile]\n", "p.ini:2: allow stands in no section");
}

Test(profile_read, refuses_repeated_keys)
{
	static const char *const lines[] = {"format = 1", "landlock = 7",   "sessions = 1", "program = /x",
					    "argv0 = x",  "directory = /x", "complete = no"};

	for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
		scoped_buffer text = {0}, want = {0};
		int length = (int)strcspn(lines[i], " ");
		bool is_format = i == 0;

		buffer_format(&text, "[profile]\n%s\n%s\n%s\n", is_format ? "" : "format = 1", lines[i], lines[i]);
		buffer_format(&want, "p.ini:4: %.*s stands in line 3 already", length, lines[i]);
		expect_read_error(text.data, want.data);
	}
	expect_read_error(HEAD "[normal]\n[profile]\nformat = 1\n", "p.ini:5: format stands in line 2 already");
}

Test(profile_read, refuses_bad_numbers)
{
	static const char *const numbers[] = {"-1", "+7", "7x", "0x7", "007", "7 7", "1000000", "99999999999999999999"};

	for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
		scoped_buffer text = {0}, want = {0};

		buffer_format(&text, HEAD "landlock = %s\n", numbers[i]);
		buffer_format(&want, "p.ini:3: not a number from 1 to 999999: %s", numbers[i]);
		expect_read_error(text.data, want.data);
	}
	expect_read_error(HEAD "landlock = 0\n", "p.ini:3: not a number from 1 to 999999: 0");
}

Test(profile_read, refuses_bad_heads)
{
	expect_read_error(HEAD "complete = true\n", "p.ini:3: neither yes nor no: true");
	expect_read_error(HEAD "complete = yes\nincomplete = x\n",
			  "p.ini:4: incomplete, but line 3 says complete = yes");
	expect_read_error(HEAD "incomplete = x\ncomplete = yes\n", "p.ini:4: complete, but line 3 says why it is not");
	expect_read_error(HEAD "program = python3\n", "p.ini:3: not an absolute path: python3");
	expect_read_error(HEAD "directory = x\n", "p.ini:3: not an absolute path: x");
	expect_read_error(HEAD "directory = /x/..\n", "p.ini:3: a path may not have a . or .. part: /x/..");
	expect_read_error(HEAD "tiers = abc\n", "p.ini:3: not a SHA-256 of 64 hexadecimal digits: abc");
}

Test(profile_read, refuses_bad_paths)
{
	expect_read_error(HEAD "[normal]\nallow = read_file\n", "p.ini:4: a path is missing behind the rights");
	expect_read_error(HEAD "[normal]\nallow =\n",
			  "p.ini:4: empty: here the rights are missing, and what they are on");
	expect_read_error(HEAD "[normal]\nallow = /x\n", "p.ini:4: the rights are missing in front of /x");
	expect_read_error(HEAD "[normal]\nallow = read_file etc\n", "p.ini:4: not an absolute path: etc");
	expect_read_error(
		HEAD "[normal]\nallow = execute read_file /etc\n",
		"p.ini:4: not an absolute path: read_file /etc (between two rights stands a comma, without blanks)");
	expect_read_error(HEAD "[normal]\nallow = execute read_file\n", "p.ini:4: not an absolute path: read_file");
	expect_read_error(HEAD "[normal]\nallow = execute own /etc\n", "p.ini:4: not an absolute path: own /etc");
	expect_read_error(HEAD "[normal]\nallow = read_file $HOME/x\n",
			  "p.ini:4: not an absolute path: $HOME/x (the home directory is ${HOME})");
	expect_read_error(HEAD "[normal]\nallow = read_file \"/a b\"\n",
			  "p.ini:4: not an absolute path: \"/a b\" (it stands without quotes, also with blanks in it)");
	expect_read_error(HEAD "[normal]\nallow = read_file \\x20/etc\n", "p.ini:4: not an absolute path: \\x20/etc");
	expect_read_error(HEAD "[normal]\nallow = read_file /a/../b\n",
			  "p.ini:4: a path may not have a . or .. part: /a/../b");
	expect_read_error(HEAD "[normal]\nallow = read_file /a/.\n",
			  "p.ini:4: a path may not have a . or .. part: /a/.");
	expect_read_error(HEAD "[normal]\nallow = read_file /a/\\x2e./b\n",
			  "p.ini:4: a path may not have a . or .. part: /a/\\x2e./b");
	expect_read_error(HEAD "[normal]\nallow = read_file /a/\\x2e\\x2e\\x2fb\n",
			  "p.ini:4: a path may not have a . or .. part: /a/\\x2e\\x2e\\x2fb");
	expect_read_error(HEAD "[normal]\nallow = read_file /a\\x00b\n", "p.ini:4: \\x00 cannot be part of a value");
	expect_read_error(HEAD "[normal]\nallow = read_file /a\\x4\n", "p.ini:4: \\x needs two hexadecimal digits");
	expect_read_error(HEAD "[normal]\nallow = read_file ${HOME/x\n",
			  "p.ini:4: ${ without its } (write \\x24{ for the two bytes)");
	expect_read_error(HEAD "[normal]\nallow = read_file ${}/x\n",
			  "p.ini:4: ${} names no variable (write \\x24{ for the two bytes)");
}

Test(profile_read, refuses_rights_of_another_class)
{
	expect_read_error(HEAD "[normal]\nallow = connect_tcp /x\n",
			  "p.ini:4: connect_tcp is of the network: it belongs in [network]");
	expect_read_error(HEAD "[held]\nallow = read_file,signal /x\n",
			  "p.ini:4: signal is a scope: it belongs in [scope]");
	expect_read_error(HEAD "[network]\nallow = read_file 80\n",
			  "p.ini:4: read_file is of the file system: it belongs in [normal], [guarded] or [protected]");
	expect_read_error(HEAD "[scope]\nallow = bind_tcp\n",
			  "p.ini:4: bind_tcp is of the network: it belongs in [network]");
}

Test(profile_read, refuses_what_is_held_and_granted)
{
	expect_read_error(HEAD "[normal]\nallow = read_file /x\n[held]\nallow = write_file /x\n",
			  "p.ini:6: /x is granted in line 4: a path is held or granted, not both");
	expect_read_error(HEAD "[held]\nallow = read_file ${HOME}/x\n[protected]\nallow = read_file /home/me//x\n",
			  "p.ini:6: /home/me/x is held in line 4: a path is held or granted, not both");
	expect_read_error(HEAD "[protected]\nallow = make_reg,read_dir /\n[held]\nallow = make_reg /\n",
			  "p.ini:6: / is granted in line 4: a path is held or granted, not both");
}

Test(profile_read, takes_what_learning_writes_of_the_root)
{
	scoped_profile profile = {0};

	read_text(HEAD "[protected]\nallow = read_dir /\n[held]\nallow = make_reg /\n", &test_variables, &profile);
	cr_expect_eq(profile_find_grant(&profile, SECTION_NORMAL, "/")->rights, RIGHT_READ_DIR);
	cr_expect_eq(profile_find_grant(&profile, SECTION_HELD, "/")->rights, RIGHT_MAKE_REG);
}

/* Learning grants read_dir on the root directory and holds the rest. */
Test(profile_read, the_root_may_be_held_and_granted_by_different_rights)
{
	scoped_profile profile = {0};

	read_text(HEAD "[normal]\nallow = read_dir /\n[held]\nallow = make_reg /\n", &test_variables, &profile);
	cr_expect_eq(profile.grant_count, 2u);
	expect_read_error(HEAD "[normal]\nallow = read_dir /\n[held]\nallow = make_reg,read_dir /\n",
			  "p.ini:6: / is granted in line 4: a path is held or granted, not both");
}

Test(profile_read, refuses_a_held_terminal_that_is_granted_even_without_one)
{
	const char *text = HEAD "[held]\nallow = read_file ${TTY}\n[normal]\nallow = write_file ${TTY}\n";
	struct profile profile;
	scoped_error err = {0};

	cr_assert_eq(profile_read_text(text, strlen(text), "p", &(struct variables){0}, &profile, &err), -EINVAL);
	cr_expect_str_eq(err.message, "p:6: ${TTY} is held in line 4: a path is held or granted, not both");
}

Test(profile_read, refuses_variables_that_mean_nothing)
{
	static const struct {
		const char *home, *message;
	} cases[] = {
		{NULL, "p:4: ${HOME} is not set"},
		{"", "p:4: ${HOME} is not set"},
		{"/", "p:4: ${HOME} is /"},
		{"//", "p:4: ${HOME} is /"},
		{"home", "p:4: ${HOME} is not absolute: home"},
		{"/home/../root", "p:4: ${HOME} has a . or .. part: /home/../root"},
		{"/home/.", "p:4: ${HOME} has a . or .. part: /home/."},
	};
	const char *text = HEAD "[normal]\nallow = read_file ${HOME}/x\n";

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct variables variables = {.home = (char *)cases[i].home};
		struct profile profile;
		scoped_error err = {0};

		cr_assert_eq(profile_read_text(text, strlen(text), "p", &variables, &profile, &err), -EINVAL);
		cr_expect_str_eq(err.message, cases[i].message);
	}
}

Test(profile_read, refuses_bad_moves)
{
	const char *what = "not two paths with a blank between (one in a path is \\x20)";
	static const char *const values[] = {"/a", "/a /b /c", ""};

	for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
		scoped_buffer text = {0}, want = {0};

		buffer_format(&text, HEAD "[moves]\nmove = %s\n", values[i]);
		buffer_format(&want, "p.ini:4: %s: %s", what, values[i]);
		expect_read_error(text.data, want.data);
	}
	expect_read_error(HEAD "[moves]\nmove = /a b\n", "p.ini:4: not an absolute path: b");
	expect_read_error(HEAD "[moves]\nmove = /a/.. /b\n", "p.ini:4: a path may not have a . or .. part: /a/..");
}

Test(profile_read, refuses_bad_ports)
{
	static const char *const ports[] = {"65536", "-1", "080", "http", "80 ", "80,443", "127.0.0.1:80", "ANY"};

	for (size_t i = 0; i < sizeof ports / sizeof *ports; i++) {
		scoped_buffer text = {0}, want = {0};
		bool is_blank_at_end = ports[i][2] == ' ';

		buffer_format(&text, HEAD "[network]\nallow = connect_tcp %s%s\n", ports[i],
			      is_blank_at_end ? "81" : "");
		buffer_format(&want,
			      "p.ini:4: not a number from 0 to 65535: %s%s (one port a line, as a number, without an "
			      "address)",
			      ports[i], is_blank_at_end ? "81" : "");
		expect_read_error(text.data, want.data);
	}
	expect_read_error(HEAD "[network]\nallow = connect_tcp\n",
			  "p.ini:4: a port, or any, is missing behind the rights");
	expect_read_error(HEAD "[network]\nallow = 443\n", "p.ini:4: the rights are missing in front of 443");
}

Test(profile_read, ports_at_the_edges)
{
	scoped_profile profile = {0};

	read_text(HEAD "[network]\nallow = bind_tcp 0\nallow = bind_tcp 65535\nallow = connect_tcp 0\n",
		  &test_variables, &profile);
	cr_assert_eq(profile.port_count, 2u);
	cr_expect_eq(profile.ports[0].port, 65535);
	cr_expect_eq(profile.ports[1].port, 0);
	cr_expect_eq(profile.ports[1].rights, RIGHT_BIND_TCP | RIGHT_CONNECT_TCP);
}

Test(profile_read, refuses_bad_environments)
{
	expect_read_error(HEAD "[environment]\nset = LANG\n", "p.ini:4: not NAME=value: LANG");
	expect_read_error(HEAD "[environment]\nset = =C\n", "p.ini:4: the name of a variable is missing");
	expect_read_error(HEAD "[environment]\nkeep =\n", "p.ini:4: the name of a variable is missing");
	expect_read_error(HEAD "[environment]\nunset = A=B\n", "p.ini:4: a variable's name alone has no =: A=B");
	expect_read_error(HEAD "[environment]\nset = A=1\nkeep = B\nunset = A\n",
			  "p.ini:6: A stands in line 4 already");
	expect_read_error(HEAD "[environment]\nkeep = A\nkeep = A\n", "p.ini:5: A stands in line 4 already");
}

Test(profile_read, refuses_a_terminal_where_a_line_cannot_be_skipped)
{
	const char *text = HEAD "argument = ${TTY}\n";
	struct profile profile;
	scoped_error err = {0};

	cr_assert_eq(profile_read_text(text, strlen(text), "p", &(struct variables){0}, &profile, &err), -EINVAL);
	cr_expect_str_eq(err.message, "p:3: ${TTY}: there is no controlling terminal");
}

/* The errors of lines are the line reader's own tests (test_ini.c); here, that a profile goes through it. */
Test(profile_read, refuses_what_is_no_ini)
{
	expect_read_error(HEAD "[normal]\nallow = read_file /x\\\n",
			  "p.ini:4: ends in \\, but no indented line follows");
	expect_read_error(HEAD "[normal]\r\n", "p.ini:3: the line ends in CR LF: save the file with LF alone");
}

Test(profile_read, the_tail_comment_is_kept)
{
	scoped_profile profile = {0};

	read_text(HEAD "; the end\n", &test_variables, &profile);
	cr_expect_str_eq(profile.tail_comment, "; the end\n");
}

Test(profile_read, a_hundred_thousand_lines_in_any_order)
{
	scoped_profile profile = {0};
	scoped_buffer text = {0};

	buffer_add_text(&text, HEAD "[normal]\n");
	for (unsigned i = 0; i < 100000; i++)
		buffer_format(&text, "allow = read_file /usr/lib/%u/file\n", (i * 7919) % 50000);
	read_text(text.data, &test_variables, &profile);
	cr_expect_eq(profile.grant_count, 50000u);
}
