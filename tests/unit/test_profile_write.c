/* The writer of profiles: its form, where it cuts long lines, and what stays as a person wrote it. */
#include "config.h"

#include "profile_text.h"

#include "base/cleanup.h"
#include "base/escape.h"
#include "base/memory.h"
#include "profile/ini.h"

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

static size_t longest_line(const char *text)
{
	size_t longest = 0;

	while (*text) {
		size_t length = strcspn(text, "\n");

		longest = length > longest ? length : longest;
		text += length + (text[length] == '\n');
	}
	return longest;
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

static int any_variable(void *data, const char *name, const char **value, struct error *err)
{
	(void)data;
	(void)name;
	(void)err;
	*value = "";
	return 0;
}

/* Every piece of a cut value can be decoded by itself: so none ends inside an escape, a variable or a character. */
static void expect_pieces_are_whole(const char *text)
{
	scoped_free char *copy = duplicate(text);

	for (char *line = strtok(copy, "\n"); line; line = strtok(NULL, "\n")) {
		size_t length = strlen(line), backslashes = 0;
		scoped_buffer decoded = {0};
		scoped_error err = {0};

		if (*line == ';' || *line == '#')
			continue;
		while (backslashes < length && line[length - 1 - backslashes] == '\\')
			backslashes++;
		line[length - backslashes % 2] = '\0';
		cr_expect_eq(line[clean_length(line, false)], '\0', "%s", line);
		cr_expect_eq(unescape_value(&decoded, line, any_variable, NULL, &err), 0, "%s: %s", err.message, line);
		if (!strncmp(line, "    ", 4))
			cr_expect(line[4] && !strchr(" ;#", line[4]), "%s", line);
	}
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

static unsigned long random_state;

static unsigned random_below(unsigned limit)
{
	random_state = random_state * 6364136223846793005UL + 1442695040888963407UL;
	return (unsigned)(random_state >> 33) % limit;
}

/* Bytes that a hostile program may choose: everything but NUL, and `without`. */
static char *random_text(unsigned longest, char without)
{
	static const char *const hostile[] = {
		"\n[normal]\nallow = execute ${HOME}\n",
		"${HOME}",
		"${",
		"}",
		"\\",
		"\\x41",
		"\\n",
		" ",
		"  ",
		";",
		"#",
		"=",
		"[",
		"]",
		"\t",
		"\r\n",
		"\x1b[2J",
		"\xe2\x80\xae",
		"\xc2\x9b",
		"\xef\xbb\xbf",
		"\xc3\xa9",
		"\xe2\x82",
		"any",
	};
	unsigned length = random_below(longest + 1);
	scoped_buffer text = {0};

	while (text.length < length) {
		unsigned kind = random_below(4);
		char byte = kind == 0 ? (char)(1 + random_below(255)) : (char)('a' + random_below(26));

		if (kind == 1)
			buffer_add_text(&text, hostile[random_below(sizeof hostile / sizeof *hostile)]);
		else
			buffer_add_byte(&text, byte);
	}
	for (size_t i = 0; i < text.length; i++)
		if (text.data[i] == without)
			text.data[i] = '_';
	if (text.length > longest)
		text.data[longest] = '\0';
	return buffer_steal(&text);
}

static char *random_path(void)
{
	unsigned parts = random_below(20) ? random_below(5) : random_below(40);
	scoped_buffer path = {0};

	for (unsigned i = 0; i < parts; i++) {
		scoped_free char *name = random_text(random_below(4) ? 20 : 255, '/');

		if (!*name || !strcmp(name, ".") || !strcmp(name, ".."))
			continue;
		buffer_add_byte(&path, '/');
		buffer_add_text(&path, name);
	}
	if (!path.length)
		buffer_add_byte(&path, '/');
	return buffer_steal(&path);
}

static char *random_comment(void)
{
	static const char *const comments[] = {"; one\n", "# two\n;\n", ";\ttab \xc3\xa9 ${HOME} \\\n", ";  \n"};

	return random_below(3) ? NULL : duplicate(comments[random_below(4)]);
}

static rights_t random_rights(rights_t of)
{
	rights_t rights = 0;

	while (!rights)
		rights = ((rights_t)random_below(1u << 30) << 32 | (rights_t)random_below(1u << 30)) & of;
	return rights;
}

static void add_random_grants(struct profile *profile)
{
	for (unsigned i = random_below(20); i; i--) {
		scoped_free char *path = random_path();
		enum section section = (enum section)random_below(SECTION_COUNT);
		enum section other = section == SECTION_HELD ? SECTION_NORMAL : SECTION_HELD;
		struct grant *grant;

		if (section != SECTION_ABSENT && profile_find_grant(profile, other, path))
			continue;
		grant = profile_add_grant(profile, section, random_rights(RIGHTS_FILE_SYSTEM), path);
		if (!grant->origin.comment)
			grant->origin.comment = random_comment();
	}
	for (unsigned i = random_below(5); i; i--) {
		scoped_free char *from = random_path(), *to = random_path();
		struct move *move = profile_add_move(profile, from, to);

		move->directory = random_below(2) && from[1];
		move->origin.comment = random_comment();
	}
}

static void add_random_environment(struct profile *profile)
{
	for (unsigned i = random_below(6); i; i--) {
		scoped_free char *name = random_text(30, '='), *value = random_text(300, '\0');
		scoped_free char *unique = format_text("%s%u", name, i);
		enum environment_action action = (enum environment_action)random_below(3);

		profile_add_environment(profile, action, unique, action == ENVIRONMENT_SET ? value : NULL)
			->origin.comment = random_comment();
	}
}

static void add_random_head(struct profile *profile)
{
	profile->landlock = (int)random_below(12);
	profile->sessions = random_below(3);
	profile->complete = random_below(2);
	profile->program = random_below(2) ? random_path() : NULL;
	profile->directory = random_below(2) ? random_path() : NULL;
	profile->argv0 = random_below(2) ? random_text(300, '\0') : NULL;
	for (unsigned i = random_below(5); i; i--) {
		scoped_free char *text = random_text(500, '\0');

		profile_add_argument(profile, text)->origin.comment = random_comment();
		if (!random_below(3))
			profile_add_incomplete(profile, text);
	}
	for (unsigned i = 0; i < HEADING_NETWORK; i++)
		profile->heading_comments[i] = random_comment();
	profile->keys[KEY_FORMAT].comment = random_comment();
	profile->tail_comment = random_comment();
}

static void make_random(struct profile *profile)
{
	add_random_head(profile);
	add_random_grants(profile);
	for (unsigned i = random_below(5); i; i--)
		profile_add_port(profile, random_rights(RIGHTS_NETWORK), (int)random_below(65537) - 1);
	profile->has_scope = random_below(2);
	profile->scope = profile->has_scope && random_below(2) ? random_rights(RIGHTS_SCOPE) : 0;
	add_random_environment(profile);
	if (random_below(2))
		profile_add_seccomp(profile, "udp");
	profile_sort(profile);
}

#define EXPECT_TEXT(a, b) cr_expect(!(a) == !(b) && (!(a) || !strcmp((a), (b))), "%s: %s", #a, (a) ? (a) : "(null)")

static void expect_same_words(const struct word *a, size_t a_count, const struct word *b, size_t b_count)
{
	cr_assert_eq(a_count, b_count);
	for (size_t i = 0; i < a_count; i++) {
		EXPECT_TEXT(a[i].text, b[i].text);
		EXPECT_TEXT(a[i].origin.comment, b[i].origin.comment);
	}
}

static void expect_same_head(const struct profile *a, const struct profile *b)
{
	cr_expect_eq(a->landlock, b->landlock);
	cr_expect_eq(a->sessions, b->sessions);
	cr_expect_eq(a->complete, b->complete);
	EXPECT_TEXT(a->program, b->program);
	EXPECT_TEXT(a->argv0, b->argv0);
	EXPECT_TEXT(a->directory, b->directory);
	EXPECT_TEXT(a->tail_comment, b->tail_comment);
	EXPECT_TEXT(a->keys[KEY_FORMAT].comment, b->keys[KEY_FORMAT].comment);
	for (unsigned i = 0; i < HEADING_COUNT; i++)
		EXPECT_TEXT(a->heading_comments[i], b->heading_comments[i]);
	expect_same_words(a->arguments, a->argument_count, b->arguments, b->argument_count);
	expect_same_words(a->incomplete, a->incomplete_count, b->incomplete, b->incomplete_count);
}

static void expect_same_grants(const struct profile *a, const struct profile *b)
{
	cr_assert_eq(a->grant_count, b->grant_count);
	for (size_t i = 0; i < a->grant_count; i++) {
		cr_expect_eq(a->grants[i].section, b->grants[i].section);
		cr_expect_eq(a->grants[i].rights, b->grants[i].rights);
		EXPECT_TEXT(a->grants[i].path, b->grants[i].path);
		EXPECT_TEXT(a->grants[i].origin.comment, b->grants[i].origin.comment);
		cr_expect_null(b->grants[i].origin.written);
	}
	cr_assert_eq(a->move_count, b->move_count);
	for (size_t i = 0; i < a->move_count; i++) {
		EXPECT_TEXT(a->moves[i].from, b->moves[i].from);
		EXPECT_TEXT(a->moves[i].to, b->moves[i].to);
		cr_expect_eq(a->moves[i].directory, b->moves[i].directory);
		EXPECT_TEXT(a->moves[i].origin.comment, b->moves[i].origin.comment);
	}
}

static void expect_same_rest(const struct profile *a, const struct profile *b)
{
	cr_expect_eq(a->has_network, b->has_network);
	cr_assert_eq(a->port_count, b->port_count);
	for (size_t i = 0; i < a->port_count; i++) {
		cr_expect_eq(a->ports[i].rights, b->ports[i].rights);
		cr_expect_eq(a->ports[i].port, b->ports[i].port);
	}
	cr_expect_eq(a->has_scope, b->has_scope);
	cr_expect_eq(a->scope, b->scope);
	cr_expect_eq(a->has_environment, b->has_environment);
	cr_assert_eq(a->environment_count, b->environment_count);
	for (size_t i = 0; i < a->environment_count; i++) {
		cr_expect_eq(a->environment[i].action, b->environment[i].action);
		EXPECT_TEXT(a->environment[i].name, b->environment[i].name);
		EXPECT_TEXT(a->environment[i].value, b->environment[i].value);
		EXPECT_TEXT(a->environment[i].origin.comment, b->environment[i].origin.comment);
	}
	cr_expect_eq(a->has_seccomp, b->has_seccomp);
	expect_same_words(a->seccomp, a->seccomp_count, b->seccomp, b->seccomp_count);
}

Test(profile_write, what_was_written_is_read_as_the_same)
{
	for (unsigned seed = 1; seed <= 400; seed++) {
		scoped_profile profile = {0}, again = {0};
		scoped_buffer text = {0}, text_again = {0};
		scoped_error err = {0};

		random_state = seed;
		make_random(&profile);
		profile_write(&profile, &text);
		cr_assert_eq(profile_read_text(text.data, text.length, "p", &(struct variables){0}, &again, &err), 0,
			     "seed %u: %s\n%s", seed, err.message, text.data);
		expect_same_head(&profile, &again);
		expect_same_grants(&profile, &again);
		expect_same_rest(&profile, &again);
		expect_pieces_are_whole(text.data);
		profile_write(&again, &text_again);
		cr_assert_str_eq(text_again.data, text.data, "seed %u", seed);
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
