/* read(write(p)) is p, and write(read(t)) is t, for profiles whose names a hostile program has chosen. */
#include "profile_text.h"

#include <stdio.h>

#include "base/memory.h"
#include "profile/profile_copy.h"

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
		unsigned byte = kind == 0 ? 1 + random_below(255) : 'a' + random_below(26);

		if (kind == 1)
			buffer_add_text(&text, hostile[random_below(sizeof hostile / sizeof *hostile)]);
		else
			buffer_add_byte(&text, (char)byte);
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

		move->directory = random_below(2) || !from[1];
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

Test(profile_round_trip, what_was_written_is_read_as_the_same)
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

static void damage(struct buffer *text)
{
	for (unsigned i = 1 + random_below(3); i && text->length; i--) {
		size_t at = random_below((unsigned)text->length), length = random_below(20);

		if (length > text->length - at)
			length = text->length - at;
		if (random_below(2))
			text->data[at] = (char)random_below(256);
		else
			memset(text->data + at, " \n=[\\;"[random_below(6)], length);
	}
}

/* What is refused is refused with a place; what is still read is read the same again. */
Test(profile_round_trip, a_copy_is_the_same_and_its_own)
{
	for (unsigned seed = 1; seed <= 100; seed++) {
		scoped_profile copy = {0};
		struct profile profile = {0};
		scoped_buffer text = {0}, text_of_copy = {0};

		random_state = seed;
		make_random(&profile);
		profile_find_grant(&profile, SECTION_NORMAL, "/"); /* there is an index now */
		profile_copy(&profile, &copy);
		profile_write(&profile, &text);
		profile_finish(&profile);
		profile_write(&copy, &text_of_copy);
		cr_assert_str_eq(text_of_copy.data, text.data, "seed %u", seed);
	}
}

Test(profile_round_trip, damaged_files_are_refused_or_mean_one_thing)
{
	unsigned refused = 0, taken = 0;

	for (unsigned seed = 1; seed <= 2000; seed++) {
		scoped_profile profile = {0};
		scoped_buffer text = {0}, first = {0}, second = {0};
		scoped_error err = {0};
		unsigned line;

		random_state = seed;
		make_random(&profile);
		profile_write(&profile, &text);
		profile_finish(&profile);
		damage(&text);
		if (profile_read_text(text.data, text.length, "p", &test_variables, &profile, &err) < 0) {
			cr_expect_eq(sscanf(err.message, "p:%u: ", &line), 1, "seed %u: %s", seed, err.message);
			refused++;
			continue;
		}
		taken++;
		profile_write(&profile, &first);
		write_text(first.data, &test_variables, &second);
		cr_assert_str_eq(second.data, strchr(first.data, '\n') + 1, "seed %u", seed);
	}
	cr_expect(refused > 100 && taken > 100, "%u refused, %u taken", refused, taken);
}
