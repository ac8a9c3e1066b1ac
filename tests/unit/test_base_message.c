/* Messages: one line each, with the command's name, and nothing in them steers the terminal. */
#include <criterion/criterion.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/hash.h"
#include "base/message.h"

static int ends[2];

static void catch_stderr(void)
{
	cr_assert_eq(pipe(ends), 0);
	fflush(stderr);
	dup2(ends[1], STDERR_FILENO);
	close(ends[1]);
	message_init("trace-x", 9);
	message_set_level(MESSAGE_USUAL);
}

TestSuite(message, .init = catch_stderr);

static void expect_lines(const char *want)
{
	char text[512];
	ssize_t length;

	cr_assert_eq(write(STDERR_FILENO, "|", 1), 1);
	length = read(ends[0], text, sizeof text - 1);
	cr_assert_gt(length, 0);
	text[length - 1] = '\0';
	cr_expect_str_eq(text, want);
}

Test(message, form)
{
	message("%s %d", "a", 1);
	message_warning("b");
	expect_lines("trace-x: a 1\ntrace-x: warning: b\n");
}

Test(message, levels)
{
	message_notice("usual");
	message_detail("verbose");
	message_set_level(MESSAGE_QUIET);
	message_notice("usual");
	message_warning("always");
	message("always");
	message_set_level(MESSAGE_VERBOSE);
	message_detail("verbose");
	expect_lines("trace-x: usual\ntrace-x: warning: always\ntrace-x: always\ntrace-x: verbose\n");
}

Test(message, errors)
{
	scoped_error err = {0};

	error_set(&err, EPERM, "x%%");
	message_error(&err);
	message_error(&(struct error){0});
	expect_lines("trace-x: x%\ntrace-x: unknown error\n");
}

Test(message, a_name_cannot_steer_or_fake)
{
	message("%s", "a\ntrace-x: all is well\x1b[2K\xe2\x80\xae\xc2\x9b\xff");
	expect_lines("trace-x: a\\ntrace-x: all is well\\x1b[2K\\xe2\\x80\\xae\\xc2\\x9b\\xff\n");
}

Test(print_line, goes_through_the_same)
{
	char text[64] = "";
	scoped_file out = fmemopen(text, sizeof text, "w");

	print_line(out, "%s", "a\nb\x1b");
	fflush(out);
	cr_expect_str_eq(text, "a\\nb\\x1b\n");
}

/* Blocks are of 64 bytes: a million of one letter, in pieces that mostly end elsewhere. */
Test(hash, of_many_pieces)
{
	struct hash *hash = hash_create();
	char text[HASH_TEXT_SIZE], bytes[1000];
	size_t left = 1000000;

	memset(bytes, 'a', sizeof bytes);
	for (size_t length = 0; left; left -= length) {
		length = (length + 7) % sizeof bytes;
		length = length < left ? length : left;
		hash_add(hash, bytes, length);
	}
	hash_end(hash, text);
	cr_expect_str_eq(text, "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

Test(hash, of_known_texts)
{
	char text[HASH_TEXT_SIZE], pieces[HASH_TEXT_SIZE];
	struct hash *hash;

	hash_text("", 0, text);
	cr_expect_str_eq(text, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
	hash_text("abc", 3, text);
	cr_expect_str_eq(text, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
	cr_expect(hash_is_text(text));
	hash = hash_create();
	hash_add(hash, "a", 1);
	hash_add(hash, "bc", 2);
	hash_end(hash, pieces);
	cr_expect_str_eq(pieces, text);
	hash_text("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", 56, text); /* no room for its length */
	cr_expect_str_eq(text, "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
	text[63] = '\0';
	cr_expect_not(hash_is_text(text));
	cr_expect_not(hash_is_text("BA7816BF8F01CFEA414140DE5DAE2223B00361A396177A9CB410FF61F20015AD"));
	cr_expect_not(hash_is_text("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad0"));
}
