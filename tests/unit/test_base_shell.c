/* Words of commands that are shown: what bash makes of them, as they stand on the terminal, is what went in. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/escape.h"
#include "base/memory.h"
#include "base/shell.h"

static void expect_word(const char *word, const char *want)
{
	scoped_buffer out = {0};

	shell_add_word(&out, word);
	cr_expect_str_eq(buffer_text(&out), want);
}

Test(shell, quotes_only_what_must_be)
{
	expect_word("/usr/bin/g++-12", "/usr/bin/g++-12");
	expect_word("", "''");
	expect_word("a b", "'a b'");
	expect_word("it's", "'it'\\''s'");
	expect_word("~", "'~'");
	expect_word("=ls", "'=ls'");
	expect_word("$HOME", "'$HOME'");
	expect_word("J\xc3\xbcrgen", "'J\xc3\xbcrgen'");
	expect_word("a\nb'\\", "$'a\\012b\\'\\\\'");
	expect_word("a\x1b"
		    "1\xff",
		    "$'a\\0331\\377'");
}

Test(shell, a_file_is_no_option)
{
	scoped_free char *dash = shell_file("-f x"), *plain = shell_file("p.ini");

	cr_expect_str_eq(dash, "'./-f x'");
	cr_expect_str_eq(plain, "p.ini");
}

/* What bash prints for the word, as a person would paste it from the terminal. */
static char *through_bash(const char *word)
{
	scoped_buffer shell = {0}, shown = {0}, command = {0}, quoted = {0};
	char got[64] = "";
	FILE *bash;

	shell_add_word(&shell, word);
	escape_display(&shown, buffer_text(&shell));
	buffer_format(&command, "printf %%s %s", buffer_text(&shown));
	shell_add_quoted(&quoted, buffer_text(&command));
	buffer_clear(&command);
	buffer_format(&command, "exec bash -c %s", buffer_text(&quoted));
	bash = popen(buffer_text(&command), "r");
	cr_assert(bash);
	cr_expect_eq(fread(got, 1, sizeof got - 1, bash), strlen(word));
	cr_expect_eq(pclose(bash), 0);
	return duplicate(got);
}

Test(shell, each_byte_comes_back, .timeout = 240) /* it starts a thousand programs */
{
	for (int byte = 1; byte < 256; byte++) {
		const char words[][5] = {{(char)byte}, {'-', (char)byte, '7', 'x'}};

		for (size_t i = 0; i < ARRAY_LENGTH(words); i++) {
			scoped_free char *got = through_bash(words[i]);

			cr_expect_str_eq(got, words[i], "byte %d", byte);
		}
	}
}
