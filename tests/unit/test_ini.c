/*
 * The line reader before inih: what it lets through arrives whole, in order and with its line; what inih would cut,
 * join or drop is refused with file and line.
 */
#include <criterion/criterion.h>
#include <errno.h>
#include <stdbool.h>
#include <string.h>

#include "base/buffer.h"
#include "base/cleanup.h"
#include "base/memory.h"
#include "profile/ini.h"

/* Writes each report as one line: number, section, key, value; comments in braces. */
static int report(void *data, const struct ini_line *line, struct error *err)
{
	struct buffer *out = data;

	if (line->key && !strcmp(line->key, "refuse"))
		return error_set(err, EPERM, "refused");
	if (line->comment)
		buffer_format(out, "{%s}", line->comment);
	if (line->key)
		buffer_format(out, "%u %s %s=%s|", line->line, line->section, line->key, line->value);
	else
		buffer_format(out, "%u [%s]|", line->line, line->section);
	return 0;
}

static int read_bytes(const char *text, size_t length, struct buffer *out, char **tail, struct error *err)
{
	scoped_file file = fmemopen((char *)text, length, "r");

	cr_assert(file);
	return ini_read(file, "f", report, out, tail, err);
}

static void expect(const char *text, const char *want)
{
	scoped_buffer out = {0};
	scoped_error err = {0};

	cr_assert_eq(read_bytes(text, strlen(text), &out, NULL, &err), 0, "%s: %s", text, err.message);
	cr_expect_str_eq(buffer_text(&out), want);
}

static void expect_error_bytes(const char *text, size_t length, int number, const char *want)
{
	scoped_buffer out = {0};
	scoped_error err = {0};

	cr_assert_eq(read_bytes(text, length, &out, NULL, &err), -number, "%s: %s", text, buffer_text(&out));
	cr_expect_str_eq(err.message, want);
}

static void expect_error(const char *text, const char *want)
{
	expect_error_bytes(text, strlen(text), EINVAL, want);
}

Test(ini, headings_and_keys_in_order)
{
	expect("[a]\nx = 1\ny=2\n\n[b]\n[c]\n  \nz  =  3 = 4  \n", "1 [a]|2 a x=1|3 a y=2|5 [b]|6 [c]|8 c z=3 = 4|");
}

Test(ini, before_the_first_section)
{
	expect("x = 1\n", "1  x=1|");
}

Test(ini, values_that_inih_would_change)
{
	expect("[a]\nx = a:b [c] \"d\" = e\n", "1 [a]|2 a x=a:b [c] \"d\" = e|");
	expect("[a]\nx =\n", "1 [a]|2 a x=|");
	expect("[a]  \nx = 1\n", "1 [a]|2 a x=1|");
	expect("[a b]\n[:=]\nx = 1\n", "1 [a b]|2 [:=]|3 := x=1|");
}

Test(ini, last_line_without_newline)
{
	expect("[a]\nx = 1", "1 [a]|2 a x=1|");
}

Test(ini, comments_belong_to_the_next_line)
{
	scoped_buffer out = {0};
	scoped_error err = {0};
	scoped_free char *tail = NULL;
	const char *text = "; head\n[a]\n# one\n;two\t\xc3\xa9\n\nx = 1\ny = 2\n; end\n";

	cr_assert_eq(read_bytes(text, strlen(text), &out, &tail, &err), 0, "%s", err.message);
	cr_expect_str_eq(buffer_text(&out), "{; head\n}2 [a]|{# one\n;two\t\xc3\xa9\n}6 a x=1|7 a y=2|");
	cr_expect_str_eq(tail, "; end\n");
}

Test(ini, comments_may_be_long)
{
	scoped_free char *text = allocate(1002);

	memset(text, ';', 1000);
	text[1000] = '\n';
	expect(text, "");
}

Test(ini, continuation)
{
	expect("[a]\nx = one\\\n  two \\\n\tthree\ny = 4\n", "1 [a]|2 a x=onetwo three|5 a y=4|");
	expect("[a]\nx = \\\n [b]\n", "1 [a]|2 a x=[b]|");
	expect("[a]\nx = \\\n b = c\n", "1 [a]|2 a x=b = c|");
	expect("[a]\nx = a\\\\\\\n b\n", "1 [a]|2 a x=a\\\\b|");
	expect("[a]\nx = a\\\\\ny = b\n", "1 [a]|2 a x=a\\\\|3 a y=b|");
	expect("[a]\nx = a\\ \n b\n", "1 [a]|2 a x=ab|");
}

Test(ini, a_value_of_any_length_arrives_whole)
{
	scoped_buffer text = {0}, want = {0};

	buffer_add_text(&text, "[a]\nx = ");
	buffer_add_text(&want, "1 [a]|2 a x=");
	for (int i = 0; i < 2000; i++) {
		buffer_format(&text, "%d\\\n ", i);
		buffer_format(&want, "%d", i);
	}
	buffer_add_text(&text, "end\n");
	buffer_add_text(&want, "end|");
	expect(text.data, want.data);
}

Test(ini, refuses_a_missing_continuation)
{
	expect_error("[a]\nx = 1\\\ny = 2\n", "f:2: ends in \\, but no indented line follows");
	expect_error("[a]\nx = 1\\\n", "f:2: ends in \\, but no indented line follows");
	expect_error("[a]\nx = 1\\", "f:2: ends in \\, but no indented line follows");
	expect_error("[a]\nx = 1\\\n\n y\n", "f:2: ends in \\, but no indented line follows");
	expect_error("[a]\nx = 1\\\n   \n", "f:2: ends in \\, but no indented line follows");
	expect_error("[a]\nx = 1\\\n; c\n y\n", "f:2: ends in \\, but no indented line follows");
}

Test(ini, refuses_a_continuation_that_looks_like_a_comment)
{
	expect_error("[a]\nx = 1\\\n # 2\n", "f:3: the line before ends in \\, so this one cannot begin with #");
	expect_error("[a]\nx = 1\\\n ;2\n", "f:3: the line before ends in \\, so this one cannot begin with ;");
}

Test(ini, refuses_an_indented_line_that_was_not_announced)
{
	expect_error("[a]\nx = 1\n  2\n", "f:3: indented, but the line before does not end in \\");
	expect_error("[a]\nx = 1\n\ty = 2\n", "f:3: indented, but the line before does not end in \\");
	expect_error(" [a]\n", "f:1: indented, but the line before does not end in \\");
	expect_error("[a]\nx = 1\n ; c\n", "f:3: indented, but the line before does not end in \\");
}

Test(ini, refuses_long_lines)
{
	scoped_buffer text = {0}, want = {0};

	buffer_add_text(&text, "x = ");
	buffer_add_text(&want, "1  x=");
	for (int i = 4; i < INI_LINE_BYTES; i++) {
		buffer_add_byte(&text, 'v');
		buffer_add_byte(&want, 'v');
	}
	buffer_add_byte(&want, '|');
	expect(text.data, want.data);
	buffer_add_byte(&text, '\n');
	expect(text.data, want.data);
	text.data[text.length - 1] = 'v';
	expect_error(text.data, "f:1: 198 bytes long, more than 197: end it with \\ and go on in an indented line");
}

Test(ini, refuses_long_names)
{
	scoped_free char *name = allocate(51);
	scoped_free char *heading = NULL, *key = NULL;

	memset(name, 'n', 49);
	heading = format_text("[%s]\n%s = 1\n", name, name);
	key = format_text("1 [%s]|2 %s %s=1|", name, name, name);
	expect(heading, key);
	name[49] = 'n';
	free(heading);
	free(key);
	heading = format_text("[%s]\n", name);
	key = format_text("[a]\n%s = 1\n", name);
	expect_error(heading, "f:1: section name of 50 bytes, more than 49");
	expect_error(key, "f:2: key of 50 bytes, more than 49");
}

Test(ini, tells_files_of_another_kind_by_their_first_line)
{
	expect_error("{\"format\":1}\n{}\n",
		     "f:1: JSON, as in an audit log, and no sections of key = value: was another file meant?");
	expect_error_bytes("\177ELF\2\1\0\n", 8, EINVAL,
			   "f:1: a program, and no sections of key = value: was another file meant?");
	expect_error_bytes("\xff\xfe[\0p\0\n\0", 8, EINVAL, "f:1: UTF-16: save the file as UTF-8");
	expect_error_bytes("\xfe\xff\0[\0p\0\n", 8, EINVAL, "f:1: UTF-16: save the file as UTF-8");
	expect_error("[a]\n{\n", "f:2: neither [section] nor key = value");
	expect("#!/bin/sh\n[a]\nx = 1\n", "{#!/bin/sh\n}2 [a]|3 a x=1|");
}

Test(ini, refuses_bytes_that_are_no_text)
{
	expect_error_bytes("[a]\nx = \0y\n", 11, EINVAL, "f:2: a NUL byte");
	expect_error_bytes("[a]\n; \0y\n", 9, EINVAL, "f:2: a NUL byte");
	expect_error_bytes("\0", 1, EINVAL, "f:1: a NUL byte");
	expect_error("[a]\nx = \x1b[0m\n", "f:2: control character U+001B: write its bytes as \\xHH");
	expect_error("[a]\n; \x1b[0m\n", "f:2: control character U+001B: write its bytes as \\xHH");
	expect_error("[a]\nx = \x7f\n", "f:2: control character U+007F: write its bytes as \\xHH");
	expect_error("[a]\nx = \xc2\x9b\n", "f:2: control character U+009B: write its bytes as \\xHH");
	expect_error("[a]\nx = a\rb\n", "f:2: control character U+000D: write its bytes as \\xHH");
	expect_error("[a]\nx = a\tb\n", "f:2: a tab: write \\t");
	expect_error("[a]\nx\t= b\n", "f:2: a tab: write \\t");
	expect_error("[a]\nx = \xff\n", "f:2: byte 0xff is not UTF-8: write \\xff");
	expect_error("[a]\nx = \xc3\n", "f:2: byte 0xc3 is not UTF-8: write \\xc3");
	expect_error("[a]\nx = \xc0\x80\n", "f:2: byte 0xc0 is not UTF-8: write \\xc0");
	expect_error("# \xe9\n", "f:1: byte 0xe9 is not UTF-8: write \\xe9");
}

Test(ini, refuses_other_systems_text)
{
	expect_error("[a]\r\nx = 1\r\n", "f:1: the line ends in CR LF: save the file with LF alone");
	expect_error("; c\r\n", "f:1: the line ends in CR LF: save the file with LF alone");
	expect_error("\xef\xbb\xbf[a]\n", "f:1: a byte order mark: save the file without it");
	expect_error("\xef\xbb\xbf; c\n", "f:1: a byte order mark: save the file without it");
}

Test(ini, refuses_comments_behind_something)
{
	expect_error("[a]\nx = 1 ; c\n",
		     "f:2: ; begins a comment only at the start of a line: write \\x3b for the byte");
	expect_error("[a]\nx = 1#2\n", "f:2: # begins a comment only at the start of a line: write \\x23 for the byte");
	expect_error("[a]\nx = 1\\\n 2;3\n",
		     "f:3: ; begins a comment only at the start of a line: write \\x3b for the byte");
	expect_error("[a] ; c\n", "f:1: ; begins a comment only at the start of a line: write \\x3b for the byte");
}

Test(ini, refuses_lines_that_are_neither)
{
	expect_error("[a]\nword\n", "f:2: neither [section] nor key = value");
	expect_error("[a]\nx: 1\n", "f:2: neither [section] nor key = value");
	expect_error("[a]\nx:y = 1\n", "f:2: neither [section] nor key = value");
	expect_error("[a]\n= 1\n", "f:2: a key is missing before =");
	expect_error("[a\n", "f:1: a section's name stands alone between [ and ]");
	expect_error("[a] b\n", "f:1: a section's name stands alone between [ and ]");
	expect_error("[a]]\n", "f:1: a section's name stands alone between [ and ]");
	expect_error("]\n", "f:1: neither [section] nor key = value");
}

Test(ini, errors_of_the_caller_get_name_and_line)
{
	const char *text = "[a]\n\nrefuse = a\\\n b\nx = 1\n";

	expect_error_bytes(text, strlen(text), EPERM, "f:3: refused");
}

Test(ini, nothing_is_delivered_after_an_error)
{
	scoped_buffer out = {0};
	scoped_error err = {0};
	const char *text = "[a]\nx = 1\nrefuse = 1\ny = 2\n";

	cr_expect_eq(read_bytes(text, strlen(text), &out, NULL, &err), -EPERM);
	cr_expect_str_eq(buffer_text(&out), "1 [a]|2 a x=1|");
}

Test(ini, a_failed_read_is_an_error)
{
	scoped_file file = fopen("/", "r");
	scoped_buffer out = {0};
	scoped_error err = {0};

	cr_assert(file);
	cr_expect_eq(ini_read(file, "f", report, &out, NULL, &err), -EISDIR);
	cr_expect_str_eq(err.message, "f:1: cannot read: Is a directory");
}

/*
 * Another build of inih may cut or join where Debian's does not. Debian's can be told to, at run time; where these
 * variables are not there, nothing can be tried.
 */
extern int ini_max_line __attribute__((weak));
extern bool ini_allow_multiline __attribute__((weak));
extern char *ini_inline_comment_prefixes __attribute__((weak));

Test(ini, refuses_what_another_build_would_cut)
{
	if (!&ini_max_line)
		cr_skip_test("inih without run-time options");
	ini_max_line = 20;
	expect("[a]\nx = 12345678901234\n", "1 [a]|2 a x=12345678901234|");
	expect_error("[a]\nx = 123456789012345\n", "f:2: this build of inih takes no more than 18 bytes");
}

Test(ini, refuses_what_another_build_would_drop)
{
	if (!&ini_inline_comment_prefixes)
		cr_skip_test("inih without run-time options");
	ini_inline_comment_prefixes = (char *)"!";
	expect_error("[a]\nx = 1 !2\n", "f:2: this build of inih does not read the line as it stands");
}

Test(ini, refuses_what_another_build_would_split)
{
	if (!&ini_allow_multiline)
		cr_skip_test("inih without run-time options");
	ini_allow_multiline = false;
	expect_error("[a]\nx = 1\\\n 2 = 3\n", "f:3: this build of inih does not read the line as it stands");
	expect_error("[a]\nx = 1\\\n 2\ny = 3\n", "f:3: this build of inih does not read the line as it stands");
}
