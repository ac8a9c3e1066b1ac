/* The writer of profiles: its form, where it cuts long lines, and what stays as a person wrote it. */
#include "config.h"

#include "profile_text.h"

#include "base/memory.h"
#include "profile/ini.h"
#include "profile/profile_line.h"

#define SHORTEST "[profile]\nformat = 1\nsessions = 0\ncomplete = yes\n"

Test(profile_write, every_section_in_its_order)
{
	const char *text = "[profile]\nformat = 1\nlandlock = 7\nsessions = 1\nprogram = /usr/bin/python3\n"
			   "argv0 = python3\nargument = build.py\ndirectory = /home/me/project\n"
			   "tiers = 0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef\n"
			   "complete = no\nincomplete = io_uring was refused while learning\n\n"
			   "[normal]\nallow = execute,read_file /usr/bin/python3.11\n"
			   "allow = make_reg,read_file,remove_file,truncate,write_file /home/me/project/build\n"
			   "allow = read_file /etc/hosts\nallow = read_file /proc/self/maps\n\n"
			   "[guarded]\nallow = truncate,write_file /home/me/.cache/build.log\n\n"
			   "[protected]\nallow = read_file /home/me/.ssh/known_hosts\n\n"
			   "[held]\nallow = make_reg,write_file /\n\n"
			   "[absent]\nallow = make_reg /home/me/project\n\n"
			   "[moves]\nmove = /home/me/project/build /home/me/project/dist\n"
			   "move = /home/me/project/tree/ /home/me/project/dist\n\n"
			   "[network]\nallow = connect_tcp 443\n\n"
			   "[scope]\nallow = signal\n\n"
			   "[environment]\nkeep = PATH\nset = LANG=C\nunset = TOKEN\n\n"
			   "[seccomp]\nallow = unix_socket\n";

	expect_written(text, text);
}

Test(profile_write, begins_with_who_wrote_it)
{
	scoped_profile profile = {0};
	scoped_buffer out = {0};

	profile_write(&profile, &out);
	cr_expect_str_eq(buffer_text(&out), "; written by trace-learn " PACKAGE_VERSION "\n"
					    "[profile]\nformat = 1\nsessions = 0\ncomplete = no\n");
}

Test(profile_write, an_older_first_line_is_replaced)
{
	expect_written("; mine\n; written by trace-learn 0.0.1\n; and this\n" HEAD, "; mine\n; and this\n" SHORTEST);
}

Test(profile_write, open_sections_stay_without_lines)
{
	expect_written(HEAD "[seccomp]\n[network]\n[normal]\n[environment]\n[moves]\n[scope]\n[held]\n",
		       SHORTEST "\n[network]\n\n[scope]\n\n[environment]\n\n[seccomp]\n");
}

Test(profile_write, lines_are_sorted_by_bytes_and_rights_by_name)
{
	expect_written(
		HEAD "[seccomp]\nallow = udp\nallow = bpf\nallow = udp\n[scope]\nallow = signal,abstract_unix_socket\n"
		     "[network]\nallow = connect_tcp 443\nallow = connect_tcp 1000\nallow = bind_tcp 443\n"
		     "[normal]\nallow = read_file /b\nallow = write_file,execute /z\nallow = read_file /a\xc3\xa9\n"
		     "allow = read_file ${HOME}/z\nallow = read_file /a/b\n"
		     "[moves]\nmove = /b /a\nmove = /a /b\nmove = /b /a\n",
		SHORTEST "\n[normal]\nallow = execute,write_file /z\nallow = read_file ${HOME}/z\n"
			 "allow = read_file /a/b\nallow = read_file /a\xc3\xa9\nallow = read_file /b\n\n"
			 "[moves]\nmove = /a /b\nmove = /b /a\n\n"
			 "[network]\nallow = bind_tcp,connect_tcp 443\nallow = connect_tcp 1000\n\n"
			 "[scope]\nallow = abstract_unix_socket\nallow = signal\n\n"
			 "[seccomp]\nallow = bpf\nallow = udp\n");
}

Test(profile_write, a_move_of_the_root)
{
	struct profile profile;
	scoped_buffer out = {0};
	struct move *move;

	expect_written(HEAD "[moves]\nmove = / /b\n", SHORTEST "\n[moves]\nmove = / /b\n");
	read_text(HEAD "[moves]\nmove = / /b\n", &test_variables, &profile);
	cr_expect(profile.moves[0].directory);
	move = profile_add_move(&profile, "/", "/a");
	move->directory = true;
	line_move(&out, move);
	cr_expect_str_eq(out.data, "/ /a");
	profile_finish(&profile);
}

Test(profile_write, blanks_between_the_paths_of_a_move_are_one)
{
	expect_written(HEAD "[moves]\nmove = ${HOME}/a   /b\nmove = /c  /d\n",
		       SHORTEST "\n[moves]\nmove = ${HOME}/a /b\nmove = /c /d\n");
}

Test(profile_write, comments_stay_with_their_line)
{
	const char *text =
		"; head\n[profile]\n; the format\nformat = 1\nsessions = 0\n; why\nargument = a\ncomplete = yes\n\n"
		"; normal things\n# of every day\n[normal]\n;  as it is\t!\nallow = execute /b\n"
		"# second\nallow = read_file /a\n\n[moves]\n; m\nmove = /a /b\n\n[network]\n; p\nallow = bind_tcp 1\n\n"
		"[scope]\n; s\nallow = signal\n\n[environment]\n; e\nkeep = A\n\n; calls\n[seccomp]\n; u\nallow = "
		"udp\n; tail\n";

	expect_written(text, text);
}

Test(profile_write, a_comment_above_two_scopes_stays_one)
{
	expect_written(HEAD "[scope]\n; both\nallow = signal,abstract_unix_socket\n",
		       SHORTEST "\n[scope]\n; both\nallow = abstract_unix_socket\nallow = signal\n");
}

Test(profile_write, comments_go_where_their_line_goes)
{
	scoped_profile profile = {0};
	scoped_buffer out = {0};

	read_text(HEAD "[normal]\n; z comes last\nallow = write_file /z\n; moved\nallow = read_file /a\n; h\n[held]\n"
		       "allow = read_file /h\n",
		  &test_variables, &profile);
	for (size_t i = 0; i < profile.grant_count; i++)
		if (!strcmp(profile.grants[i].path, "/a"))
			profile.grants[i].section = SECTION_PROTECTED;
		else if (!strcmp(profile.grants[i].path, "/h"))
			profile.grants[i].section = SECTION_NORMAL;
	profile_write(&profile, &out);
	cr_expect_str_eq(strchr(out.data, '\n') + 1,
			 SHORTEST "\n[normal]\nallow = read_file /h\n; z comes last\nallow = write_file /z\n\n"
				  "[protected]\n; moved\nallow = read_file /a\n\n; h\n[held]\n");
}

Test(profile_write, what_a_person_spelled_stays)
{
	const char *text =
		"[profile]\nformat = 1\nsessions = 0\nprogram = ${HOME}/bin/x\nargv0 = \\x78\nargument = ${UID}\n"
		"directory = ${DIRECTORY}\ncomplete = no\nincomplete = \\x61\n\n"
		"[normal]\nallow = read_file ${HOME}//x/\nallow = read_file ${TTY}\nallow = read_file /\\x61\n\n"
		"[moves]\nmove = ${HOME}/a/ ${TMPDIR}\n\n[environment]\nset = A=${HOME}\n";

	expect_written(text, text);
}

/* The learner, a merge or a person's tool changes facts; an old spelling must not outlive what it stood for. */
Test(profile_write, a_spelling_goes_with_its_fact)
{
	scoped_profile profile = {0};
	scoped_buffer out = {0};

	read_text(HEAD "program = ${HOME}/x\n[normal]\nallow = read_file ${HOME}/x\n", &test_variables, &profile);
	free(profile.program);
	profile.program = duplicate("/usr/bin/y");
	free(profile.grants[0].path);
	profile.grants[0].path = duplicate("/etc/y");
	profile_write(&profile, &out);
	cr_expect_str_eq(strchr(out.data, '\n') + 1, "[profile]\nformat = 1\nsessions = 0\nprogram = /usr/bin/y\n"
						     "complete = yes\n\n[normal]\nallow = read_file /etc/y\n");
}

Test(profile_write, a_spelling_stays_when_rights_join)
{
	scoped_profile profile = {0};
	scoped_buffer out = {0};

	read_text(HEAD "[normal]\nallow = read_file ${HOME}/x\n", &test_variables, &profile);
	profile_add_grant(&profile, SECTION_GUARDED, RIGHT_WRITE_FILE, "/home/me/x");
	profile_write(&profile, &out);
	cr_expect_str_eq(strchr(out.data, '\n') + 1, SHORTEST "\n[guarded]\nallow = read_file,write_file ${HOME}/x\n");
}

Test(profile_write, without_a_terminal_its_lines_are_kept)
{
	const char *text = HEAD "[normal]\n; t\nallow = read_file ${TTY}\nallow = execute /x\n";
	scoped_buffer with = {0}, without = {0};

	write_text(text, &test_variables, &with);
	write_text(text, &(struct variables){0}, &without);
	cr_expect_str_eq(buffer_text(&without), buffer_text(&with));
}

Test(profile_write, spelling_by_hand)
{
	scoped_profile profile = {0};
	scoped_buffer out = {0};
	struct grant *grant = profile_add_grant(&profile, SECTION_NORMAL, RIGHT_READ_FILE, "/dev/pts/3");

	origin_spell(&grant->origin, "${TTY}", "/dev/pts/3");
	profile_write(&profile, &out);
	cr_expect(strstr(out.data, "allow = read_file ${TTY}\n"));
}

Test(profile_write, a_spelling_cannot_become_a_line)
{
	static const char *const spellings[] = {"${HOME}/x\n[normal]\nallow = execute /",
						"${HOME}/;",
						"${HOME}/#",
						"${HOME}/\xff",
						" ${HOME}",
						"${HOME} "};

	for (size_t i = 0; i < sizeof spellings / sizeof *spellings; i++) {
		scoped_profile profile = {0};
		scoped_buffer out = {0};
		struct grant *grant = profile_add_grant(&profile, SECTION_NORMAL, RIGHT_READ_FILE, "/home/me/x");

		origin_spell(&grant->origin, spellings[i], "/home/me/x");
		profile_write(&profile, &out);
		cr_expect(strstr(out.data, "\n[normal]\nallow = read_file /home/me/x\n"), "%s", out.data);
	}
}

Test(profile_write, a_reason_is_never_written_beside_complete)
{
	scoped_profile profile = {0};
	scoped_buffer out = {0};

	profile_add_incomplete(&profile, "x");
	profile.complete = true;
	profile_write(&profile, &out);
	cr_expect(strstr(out.data, "\ncomplete = no\nincomplete = x\n"));
}

/* A comment may quote what a program chose. */
Test(profile_write, comments_cannot_become_lines)
{
	scoped_profile profile = {0};
	scoped_buffer out = {0};

	profile.tail_comment = duplicate("; reaches /a\n[normal]\nallow = execute /\x1b[0m\xff\n\ttab");
	profile_write(&profile, &out);
	cr_expect_str_eq(strstr(out.data, "; reaches"),
			 "; reaches /a\n; [normal]\n; allow = execute /\\x1b[0m\\xff\n; \ttab\n");
}

/* Reads path back through one written grant; also gives the text. */
static void expect_path_survives(const char *path, struct buffer *text)
{
	scoped_profile profile = {0}, again = {0};
	scoped_error err = {0};

	profile_add_grant(&profile, SECTION_NORMAL, RIGHT_READ_FILE, path);
	buffer_clear(text);
	profile_write(&profile, text);
	cr_assert_eq(profile_read_text(text->data, text->length, "p", &test_variables, &again, &err), 0, "%s\n%s",
		     err.message, text->data);
	cr_assert_eq(again.grant_count, 1u);
	cr_expect_str_eq(again.grants[0].path, path);
	cr_expect_null(again.grants[0].origin.written, "%s", text->data);
}

Test(profile_write, long_paths_of_every_length)
{
	scoped_buffer text = {0}, path = {0};

	for (unsigned length = 1; length < 1000; length++) {
		buffer_add_text(&path, length % 50 == 1 ? "/x" : "x");
		expect_path_survives(path.data, &text);
		cr_expect_leq(longest_line(text.data), (size_t)INI_LINE_BYTES, "%u", length);
	}
	cr_expect_eq(longest_line(text.data), (size_t)INI_LINE_BYTES, "lines are used up");
}

Test(profile_write, a_line_is_cut_only_when_it_must_be)
{
	scoped_buffer text = {0}, path = {0};
	unsigned key_length = strlen("allow = read_file ");

	buffer_add_byte(&path, '/');
	while (path.length + key_length < INI_LINE_BYTES)
		buffer_add_byte(&path, 'x');
	expect_path_survives(path.data, &text);
	cr_expect_null(strstr(text.data, "\\\n"));
	buffer_add_byte(&path, 'y');
	expect_path_survives(path.data, &text);
	cr_expect(strstr(text.data, "x\\\n    xy\n"), "%s", text.data);
}

/* What must not be cut, moved over the edge byte by byte. */
Test(profile_write, nothing_is_cut_inside)
{
	static const char *const pieces[] = {"\n",
					     "\xff",
					     "\\",
					     "\xc3\xa9",
					     "\xe2\x82\xac",
					     "\xf0\x9f\x98\x80",
					     "${HOME}",
					     " ",
					     "  ",
					     "a b c d e f g h",
					     "\xe2\x80\xae",
					     ";;##",
					     "\\\\\\\\\\\\\\",
					     "      ",
					     "x [y] = z"};
	scoped_buffer text = {0};

	for (size_t i = 0; i < sizeof pieces / sizeof *pieces; i++)
		for (unsigned before = 150; before < 200; before++) {
			scoped_buffer path = {0};

			buffer_add_byte(&path, '/');
			for (unsigned j = 0; j < before; j++)
				buffer_add_byte(&path, 'x');
			buffer_add_text(&path, pieces[i]);
			buffer_add_text(&path, pieces[i]);
			buffer_add_text(&path, "end");
			expect_path_survives(path.data, &text);
			cr_expect_leq(longest_line(text.data), (size_t)INI_LINE_BYTES);
		}
}

/* A line that just fits with the indentation of a person's; ours is wider. */
Test(profile_write, hand_written_blanks_are_not_pushed_over_the_edge)
{
	scoped_buffer text = {0}, out = {0};

	buffer_add_text(&text, HEAD "[normal]\nallow = read_file /a\\\n ${UID}");
	for (size_t i = strlen(" ${UID}"); i < INI_LINE_BYTES - 1; i++)
		buffer_add_byte(&text, ' ');
	buffer_add_text(&text, "b\n");
	write_text(text.data, &test_variables, &out);
	cr_expect_leq(longest_line(out.data), (size_t)INI_LINE_BYTES);
}

Test(profile_write, hand_written_variables_are_not_cut)
{
	scoped_buffer text = {0}, out = {0}, again = {0};

	for (unsigned before = 100; before < 200; before++) {
		buffer_clear(&text);
		buffer_add_text(&text, HEAD "[normal]\nallow = read_file ${HOME}/");
		for (unsigned i = 0; i < before; i++)
			buffer_add_text(&text, i % 60 == 59 ? "\\\n y" : "y");
		buffer_add_text(&text, "\\\n ${UID}  \\x41  b${XDG_RUNTIME_DIR}\n");
		write_text(
			text.data,
			&(struct variables){.home = (char *)"/h", .uid = (char *)"0", .xdg_runtime_dir = (char *)"/r"},
			&out);
		expect_pieces_are_whole(out.data);
		cr_expect_leq(longest_line(out.data), (size_t)INI_LINE_BYTES);
		write_text(
			out.data,
			&(struct variables){.home = (char *)"/h", .uid = (char *)"0", .xdg_runtime_dir = (char *)"/r"},
			&again);
		cr_expect_str_eq(again.data, out.data);
	}
}

Test(profile_write, the_longest_path_and_beyond)
{
	scoped_buffer text = {0}, path = {0};

	for (unsigned i = 0; i < 16; i++) {
		buffer_add_byte(&path, '/');
		for (unsigned j = 0; j < 255; j++)
			buffer_add_byte(&path, (char)(j ? (j == '/' ? '_' : j) : 1));
	}
	cr_expect_eq(path.length, 4096u);
	expect_path_survives(path.data, &text);
	buffer_add_text(&path, path.data);
	expect_path_survives(path.data, &text);
	expect_pieces_are_whole(text.data);
}

/* More different rights than are remembered, names that are not written as they are, and all sections. */
Test(profile_sort, grants_are_in_the_order_of_their_lines)
{
	static const char *const names[] = {"/b", "/a b", "/a", "/a;", "/a/b", "/\xff", "/a\n", "/A"};
	scoped_buffer one = {0}, other = {0};
	scoped_profile profile = {0};

	for (size_t i = 0; i < 400; i++) {
		scoped_free char *path = format_text("%s%zu", names[i * 7 % ARRAY_LENGTH(names)], i * 271 % 400);

		profile_add_grant(&profile, (enum section)(i * 3 % SECTION_COUNT), i * 37 % 50 + 1, path);
	}
	profile_sort(&profile);
	cr_assert_eq(profile.grant_count, 400u);
	for (size_t i = 0; i < profile.grant_count; i++) {
		struct buffer *text = i % 2 ? &one : &other, *last = i % 2 ? &other : &one;

		buffer_clear(text);
		buffer_format(text, "%d", (int)profile.grants[i].section);
		line_grant(text, &profile.grants[i]);
		cr_assert(!i || strcmp(buffer_text(last), buffer_text(text)) < 0, "%s | %s", buffer_text(last),
			  buffer_text(text));
	}
}
