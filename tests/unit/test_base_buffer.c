#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"

Test(buffer, empty)
{
	struct buffer buffer = {0};
	char *text;

	cr_expect_str_eq(buffer_text(&buffer), "");
	text = buffer_steal(&buffer);
	cr_expect_str_eq(text, "");
	free(text);
	buffer_clear(&buffer);
	buffer_finish(&buffer);
}

Test(buffer, grows_and_stays_terminated)
{
	scoped_buffer buffer = {0};

	for (int i = 0; i < 10000; i++) {
		buffer_add_byte(&buffer, (char)('a' + i % 26));
		cr_assert_eq(buffer.length, (size_t)i + 1);
		cr_assert_lt(buffer.length, buffer.capacity);
		cr_assert_eq(buffer.data[buffer.length], '\0');
	}
	for (int i = 0; i < 10000; i++)
		cr_assert_eq(buffer.data[i], 'a' + i % 26);
}

Test(buffer, adds)
{
	scoped_buffer buffer = {0};

	buffer_add_text(&buffer, "a");
	buffer_format(&buffer, "%d%s", 1, "b");
	buffer_add(&buffer, "x\0y", 3);
	cr_expect_eq(buffer.length, 6u);
	cr_expect_eq(memcmp(buffer.data, "a1bx\0y", 7), 0);
}

Test(buffer, extends)
{
	scoped_buffer buffer = {0};

	memcpy(buffer_extend(&buffer, 2), "ab", 2);
	memset(buffer_extend(&buffer, 1000), 'c', 1000);
	buffer_extend(&buffer, 0);
	cr_expect_eq(buffer.length, 1002u);
	cr_expect_eq(memcmp(buffer.data, "abc", 3), 0);
	cr_expect_str_eq(buffer.data + 1000, "cc");
}

Test(buffer, a_block_larger_than_its_memory)
{
	scoped_buffer buffer = {0};
	char block[5000];

	memset(block, 'x', sizeof block);
	buffer_add_text(&buffer, "y");
	buffer_add(&buffer, block, sizeof block);
	cr_expect_eq(buffer.length, 5001u);
	cr_expect_eq(buffer.data[5000], 'x');
}

Test(buffer, clear_and_steal)
{
	scoped_buffer buffer = {0};
	char *text;

	buffer_add_text(&buffer, "long ago");
	buffer_clear(&buffer);
	cr_expect_str_eq(buffer_text(&buffer), "");
	buffer_add_text(&buffer, "now");
	text = buffer_steal(&buffer);
	cr_expect_str_eq(text, "now");
	cr_expect_null(buffer.data);
	cr_expect_eq(buffer.length, 0u);
	free(text);
}
