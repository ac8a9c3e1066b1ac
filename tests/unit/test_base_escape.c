/* Escapes: every byte string comes back, nothing steers a terminal, and what cannot be read is refused. */
#include <criterion/criterion.h>
#include <errno.h>
#include <string.h>

#include "base/escape.h"
#include "base/memory.h"

static void expect_value(const char *value, const char *want)
{
	scoped_buffer out = {0}, back = {0};
	scoped_error err = {0};

	escape_value(&out, value);
	cr_expect_str_eq(buffer_text(&out), want);
	cr_assert_eq(unescape_value(&back, buffer_text(&out), NULL, NULL, &err), 0, "%s", err.message);
	cr_expect_str_eq(buffer_text(&back), value);
}

Test(escape_value, plain)
{
	expect_value("", "");
	expect_value("/usr/bin/x-1.2_3~:,=[](){}<>'\"`|&!?*%@^+", "/usr/bin/x-1.2_3~:,=[](){}<>'\"`|&!?*%@^+");
	expect_value("/home/J\xc3\xbcrgen/\xe2\x82\xac\xf0\x9f\x98\x80",
		     "/home/J\xc3\xbcrgen/\xe2\x82\xac\xf0\x9f\x98\x80");
}

Test(escape_value, bytes_with_a_meaning)
{
	expect_value("a\\b", "a\\\\b");
	expect_value("a\nb\tc", "a\\nb\\tc");
	expect_value("a;b#c", "a\\x3bb\\x23c");
	expect_value("\x01\x1f\x7f\r", "\\x01\\x1f\\x7f\\x0d");
	expect_value("${HOME}$x$", "\\x24{HOME}$x$");
	expect_value("$${", "$\\x24{");
}

Test(escape_value, blanks)
{
	expect_value(" ", "\\x20");
	expect_value(" a b ", "\\x20a b\\x20");
	expect_value("a  b", "a \\x20b");
	expect_value("   ", "\\x20\\x20\\x20");
}

Test(escape_value, bytes_that_are_not_utf8)
{
	expect_value("\xff\xfe", "\\xff\\xfe");
	expect_value("a\x80", "a\\x80");
	expect_value("\xc3", "\\xc3");
	expect_value("\xe2\x82", "\\xe2\\x82");
	expect_value("\xc0\xaf", "\\xc0\\xaf");			  /* a slash, too long */
	expect_value("\xed\xa0\x80", "\\xed\\xa0\\x80");	  /* a surrogate */
	expect_value("\xf4\x90\x80\x80", "\\xf4\\x90\\x80\\x80"); /* beyond Unicode */
	expect_value("\xe9t\xe9", "\\xe9t\\xe9");
}

Test(escape_value, characters_that_deceive_the_eye)
{
	expect_value("\xc2\x9b", "\\xc2\\x9b");		 /* U+009B */
	expect_value("\xe2\x80\xae", "\\xe2\\x80\\xae"); /* U+202E */
	expect_value("\xe2\x80\x8b", "\\xe2\\x80\\x8b"); /* U+200B */
	expect_value("\xef\xbb\xbf", "\\xef\\xbb\\xbf"); /* U+FEFF */
	expect_value("\xc2\xad", "\\xc2\\xad");		 /* U+00AD */
}

Test(escape_value, every_pair_of_bytes_comes_back)
{
	for (int first = 1; first < 256; first++)
		for (int second = 1; second < 256; second++) {
			char value[] = {(char)first, (char)second, '\0'};
			scoped_buffer out = {0}, back = {0};
			scoped_error err = {0};

			escape_value(&out, value);
			cr_assert_eq(unescape_value(&back, out.data, NULL, NULL, &err), 0, "%s", out.data);
			cr_assert_str_eq(back.data, value);
			cr_assert_eq(out.data[clean_length(out.data, false)], '\0');
			cr_assert_null(strpbrk(out.data, ";#"));
		}
}

static int find(void *data, const char *name, const char **value, struct error *err)
{
	if (strcmp(name, "A") != 0)
		return error_set(err, ENOENT, "no %s", name);
	*value = data;
	return 0;
}

static void expect_text(const char *text, const char *want)
{
	scoped_buffer out = {0};
	scoped_error err = {0};

	cr_assert_eq(unescape_value(&out, text, find, (char *)"\\x41", &err), 0, "%s", err.message);
	cr_expect_str_eq(buffer_text(&out), want);
}

Test(unescape_value, escapes_and_variables)
{
	expect_text("", "");
	expect_text("a\\x41\\x6a\\x6A\\n\\t\\\\", "aAjj\n\t\\");
	expect_text("x${A}y${A}", "x\\x41y\\x41"); /* what a variable holds is not read again */
	expect_text("$A$", "$A$");
	expect_text("\\x24{A}", "${A}");
	expect_text("a \xff b", "a \xff b");
}

static void expect_refused(const char *text, int number, const char *message)
{
	scoped_buffer out = {0};
	scoped_error err = {0};

	cr_assert_eq(unescape_value(&out, text, find, (char *)"a", &err), -number, "%s", text);
	cr_expect_str_eq(err.message, message);
}

Test(unescape_value, refuses)
{
	expect_refused("a\\", EINVAL, "a lone backslash at the end (write \\\\ for one)");
	expect_refused("\\q", EINVAL, "unknown escape \\q (known: \\\\ \\n \\t \\xHH)");
	expect_refused("\\x", EINVAL, "\\x needs two hexadecimal digits");
	expect_refused("\\x4", EINVAL, "\\x needs two hexadecimal digits");
	expect_refused("\\x4g", EINVAL, "\\x needs two hexadecimal digits");
	expect_refused("\\x00", EINVAL, "\\x00 cannot be part of a value");
	expect_refused("${A", EINVAL, "${ without its } (write \\x24{ for the two bytes)");
	expect_refused("${}", EINVAL, "${} names no variable (write \\x24{ for the two bytes)");
	expect_refused("${B}", ENOENT, "no B");
	expect_refused("${123456789012345678901234567890123456789012345678901234567890123456789}", EINVAL,
		       "${ without its } (write \\x24{ for the two bytes)");
}

Test(unescape_value, refuses_variables_where_there_are_none)
{
	scoped_buffer out = {0};
	scoped_error err = {0};

	cr_expect_eq(unescape_value(&out, "${A}", NULL, NULL, &err), -EINVAL);
	cr_expect_str_eq(err.message, "no variable can stand here: ${A}");
}

static void expect_shown(const char *text, const char *want)
{
	scoped_buffer out = {0};

	escape_display(&out, text);
	cr_expect_str_eq(buffer_text(&out), want);
}

Test(escape_display, leaves_text)
{
	expect_shown("", "");
	expect_shown("a  \\ ;#${} \xc3\xbc\xe2\x82\xac\xf0\x9f\x98\x80",
		     "a  \\ ;#${} \xc3\xbc\xe2\x82\xac\xf0\x9f\x98\x80");
}

Test(escape_display, shows_controls)
{
	expect_shown("a\nb\tc\rd", "a\\nb\\tc\\x0dd");
	expect_shown("\x1b[31m\x7f\x07", "\\x1b[31m\\x7f\\x07");
	expect_shown("\xc2\x80\xc2\x9b\xc2\x9f", "\\xc2\\x80\\xc2\\x9b\\xc2\\x9f");
	expect_shown("\x9b\xff", "\\x9b\\xff");
}

/* In the one form that a profile has for it, so that it can be pasted there. */
static void expect_hex(const char *character)
{
	scoped_buffer hex = {0}, value = {0};

	for (const char *at = character; *at; at++)
		buffer_format(&hex, "\\x%02x", (unsigned char)*at);
	expect_shown(character, hex.data);
	escape_value(&value, character);
	cr_expect_str_eq(value.data, hex.data);
}

Test(escape_display, shows_what_reorders_or_hides)
{
	static const char *const characters[] = {
		"\u202a", "\u202e", "\u2066", "\u2069", "\u200b",     "\u200d",	    "\u200f",
		"\ufeff", "\u00ad", "\u2028", "\u2029", "\u061c",     "\u034f",	    "\u115f",
		"\u17b5", "\u180e", "\u2060", "\ufe0f", "\U000e0041", "\U0001d17a",
	};
	static const char *const blanks[] = {"\u00a0", "\u1680", "\u2003", "\u202f",
					     "\u2800", "\u3000", "\u3164", "\uffa0"};

	for (size_t i = 0; i < ARRAY_LENGTH(characters); i++)
		expect_hex(characters[i]);
	for (size_t i = 0; i < ARRAY_LENGTH(blanks); i++)
		expect_hex(blanks[i]);
	expect_shown("\u2010\u2027\u2030\ufe10\u2801\u00a1", "\u2010\u2027\u2030\ufe10\u2801\u00a1");
}

Test(clean_length, ends_before_the_first_bad_byte)
{
	cr_expect_eq(clean_length("", false), 0u);
	cr_expect_eq(clean_length("a\xc3\xbc", false), 3u);
	cr_expect_eq(clean_length("ab\tc", false), 2u);
	cr_expect_eq(clean_length("ab\tc", true), 4u);
	cr_expect_eq(clean_length("ab\xc3", true), 2u);
	cr_expect_eq(clean_length("ab\xc2\x9b", true), 2u);
	cr_expect_eq(clean_length("\x1b", true), 0u);
}

Test(utf8_sequence, lengths_and_code_points)
{
	static const struct {
		const char *text;
		size_t length;
		unsigned code_point;
	} cases[] = {
		{"a", 1, 'a'},
		{"\xc2\x80", 2, 0x80},
		{"\xdf\xbf", 2, 0x7ff},
		{"\xe0\xa0\x80", 3, 0x800},
		{"\xef\xbf\xbf", 3, 0xffff},
		{"\xf0\x90\x80\x80", 4, 0x10000},
		{"\xf4\x8f\xbf\xbf", 4, 0x10ffff},
	};
	unsigned code_point;

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		cr_expect_eq(utf8_sequence(cases[i].text, &code_point), cases[i].length);
		cr_expect_eq(code_point, cases[i].code_point);
	}
}
