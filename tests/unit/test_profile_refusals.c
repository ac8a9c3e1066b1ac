/* Every line of a profile that is refused, told at once: what follows one is read, unless it cannot be judged. */
#include "profile_text.h"

/* Of each message its line and its first words. */
static void expect_refusals(const char *text, const char *const want[], size_t count)
{
	scoped_buffer got = {0};
	const char *at;

	cr_expect_eq(list_refusals(text, &got), count, "%s", buffer_text(&got));
	at = buffer_text(&got);
	for (size_t i = 0; i < count; i++) {
		cr_assert_eq(strncmp(at, want[i], strlen(want[i])), 0, "%s\nis not\n%s", at, want[i]);
		at += strcspn(at, "\n") + 1;
	}
}

#define EXPECT(text, ...)                                                                                              \
	do {                                                                                                           \
		static const char *const want[] = {__VA_ARGS__};                                                       \
		expect_refusals(text, want, ARRAY_LENGTH(want));                                                       \
	} while (0)

Test(profile_refusals, none_in_a_profile)
{
	expect_refusals(HEAD "[normal]\nallow = read_file /a\n", NULL, 0);
}

Test(profile_refusals, each_line)
{
	EXPECT(HEAD "sessions = x\n[normal]\nallow = read_file relative\nallow = read_fil /a\nallow = read_file /ok\n"
		    "key\n= value\nallow = read_file /b\ttab\nallow = read_file /a\\q\n[held]\nallow = read_file /ok\n"
		    "[seccomp]\nallow = udpp\n",
	       "p.ini:3: not a number", "p.ini:5: not an absolute path", "p.ini:6: unknown right read_fil",
	       "p.ini:8: neither", "p.ini:9: a key is missing", "p.ini:10: a tab", "p.ini:11: unknown escape",
	       "p.ini:13: /ok is granted in line 7", "p.ini:15: unknown word udpp");
}

Test(profile_refusals, a_cut_value_is_one)
{
	EXPECT(HEAD "[normal]\nallow = read_file /a\\q\\\n  /b\\\n  /c\nx = y\n", "p.ini:4: unknown escape",
	       "p.ini:7: unknown key x");
	EXPECT(HEAD "[normal]\nallow = read_file /a\n  /b\n  /c\nx = y\n", "p.ini:5: indented",
	       "p.ini:7: unknown key x");
	EXPECT(HEAD "[normal]\nallow = read_file /a\\\n[held]\nx = y\n[absent]\nz = y\n",
	       "p.ini:4: ends in \\, but no indented line follows", "p.ini:8: unknown key z");
	EXPECT(HEAD "[normal]\nallow = read_file /a\\\n", "p.ini:4: ends in \\, but no indented line follows");
}

/* It says nothing of the lines that stand behind it. */
Test(profile_refusals, a_byte_order_mark_is_one)
{
	EXPECT("\xef\xbb\xbf" HEAD "[normal]\nallow = read_file /a\nx = y\n", "p.ini:1: a byte order mark",
	       "p.ini:5: unknown key x");
	EXPECT("\xef\xbb\xbf; comment\n" HEAD "x = y\n", "p.ini:1: a byte order mark", "p.ini:4: unknown key x");
}

/* Whose lines they are is not known. */
Test(profile_refusals, beneath_a_wrong_heading_nothing)
{
	EXPECT(HEAD "[norml]\nallow = y\nq\n  r\n[held\nallow = z\n[absent]\nx = y\n",
	       "p.ini:3: unknown section [norml]", "p.ini:7: a section's name", "p.ini:10: unknown key x");
}

Test(profile_refusals, what_no_line_says)
{
	EXPECT("", "p.ini:1: empty");
	EXPECT("[profile]\n", "p.ini:1: [profile] does not say format");
	EXPECT("[profile]\nformat = 2\n", "p.ini:2: format 2");
	EXPECT("[profile]\nforma = 1\n", "p.ini:2: unknown key forma");
	EXPECT(HEAD "[environment]\nkeep = A\nx = y\nunset = A\n", "p.ini:5: unknown key x",
	       "p.ini:6: A stands in line 4");
}

Test(profile_refusals, a_nul_is_one)
{
	static const char text[] = HEAD "[normal]\nallow = \0\nx = y\n";
	scoped_buffer got = {0};
	struct ini_refusals refusals = {.fn = add_refusal, .data = &got};

	profile_refusals(text, sizeof text - 1, "p.ini", &test_variables, &refusals);
	cr_expect_eq(refusals.count, 2u, "%s", buffer_text(&got));
	cr_expect_not_null(strstr(buffer_text(&got), "p.ini:4: a NUL byte\np.ini:5: unknown key x"));
}
