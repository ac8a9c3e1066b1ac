/* JSON output: always ASCII, always valid, and bytes from outside can be told apart and read back. */
#include <criterion/criterion.h>

#include <errno.h>
#include <limits.h>
#include <string.h>

#include "base/json.h"
#include "base/json_read.h"
#include "base/memory.h"

static void expect(const struct json *json, const char *want)
{
	scoped_buffer text = {0};

	json_write(json, false, &text);
	cr_expect_str_eq(buffer_text(&text), want);
}

Test(json, members_keep_their_order)
{
	scoped_json json = json_create_object();
	struct json *list = json_create_array();

	json_put_text(json, "zebra", "z");
	json_put_number(json, "answer", -42);
	json_put_flag(json, "yes", true);
	json_put_flag(json, "no", false);
	json_put_text(list, NULL, "one");
	json_put_number(list, NULL, 2);
	json_put(list, NULL, json_create_object());
	json_put(json, "list", list);
	json_put_text(json, "nothing", NULL);
	json_put_bytes(json, "none", NULL);
	expect(json, "{\"zebra\":\"z\",\"answer\":-42,\"yes\":true,\"no\":false,"
		     "\"list\":[\"one\",2,{}],\"nothing\":null,\"none\":null}");
}

Test(json, arrays_in_place)
{
	scoped_json json = json_create_object();

	json_begin_array(json, "none");
	json_end_array(json);
	json_begin_array(json, "some");
	json_put_text(json, NULL, "[");
	json_put_number(json, NULL, 0);
	json_begin_array(json, NULL);
	json_put_flag(json, NULL, true);
	json_end_array(json);
	json_end_array(json);
	json_put_text(json, "last", "");
	expect(json, "{\"none\":[],\"some\":[\"[\",0,[true]],\"last\":\"\"}");
}

Test(json, numbers)
{
	scoped_json json = json_create_array();

	json_put_number(json, NULL, LLONG_MAX);
	json_put_number(json, NULL, LLONG_MIN);
	json_put_number(json, NULL, -10);
	expect(json, "[9223372036854775807,-9223372036854775808,-10]");
}

Test(json, empty)
{
	scoped_json object = json_create_object();
	scoped_json array = json_create_array();

	expect(object, "{}");
	expect(array, "[]");
	json_destroy(NULL);
}

Test(json, text_is_ascii)
{
	scoped_json json = json_create_array();

	json_put_text(json, NULL, "q\"b\\n\n\x01");
	json_put_text(json, NULL, "\xc3\xa9 \xe2\x80\xae \xf0\x9f\x98\x80");
	expect(json, "[\"q\\\"b\\\\n\\n\\u0001\",\"\\u00E9 \\u202E \\uD83D\\uDE00\"]");
}

Test(json, text_that_is_not_utf8_is_escaped)
{
	scoped_json json = json_create_array();

	json_put_text(json, NULL,
		      "a\xff"
		      "b");
	json_put_text(json, NULL, "\xed\xa0\x80"); /* a surrogate */
	expect(json, "[\"a\\\\xffb\",\"\\\\xed\\\\xa0\\\\x80\"]");
}

Test(json, bytes_can_be_told_apart)
{
	scoped_json json = json_create_array();

	json_put_bytes(json, NULL, "/a\xff");
	json_put_bytes(json, NULL, "/a\\xff");
	json_put_bytes(json, NULL, "/\xc3\xa9\x1b");
	expect(json, "[\"/a\\\\xff\",\"/a\\\\\\\\xff\",\"/\\u00E9\\\\x1b\"]");
}

/* Each byte alone, and each behind another one: valid JSON text of printable ASCII alone, whatever it was. */
Test(json, every_byte_is_safe)
{
	for (int first = 1; first < 256; first++) {
		scoped_json json = json_create_array();
		scoped_buffer text = {0};
		char bytes[] = {(char)first, (char)0xe2, (char)first, '\0'};

		json_put_bytes(json, NULL, bytes);
		json_put_text(json, NULL, bytes);
		json_write(json, false, &text);
		for (const char *at = text.data; *at; at++)
			cr_assert(*at >= ' ' && (unsigned char)*at < 0x7f, "byte %d gave %s", first, text.data);
	}
}

Test(json, indented_ends_its_line)
{
	scoped_json json = json_create_object();
	scoped_buffer text = {0};

	json_put_number(json, "a", 1);
	json_write(json, true, &text);
	cr_expect_str_eq(text.data, "{\n  \"a\": 1\n}\n");
}

/* Brackets, commas and quotes in strings are no structure. */
Test(json, indented_lines_follow_the_structure)
{
	scoped_json json = json_create_array();
	struct json *object = json_create_object();
	scoped_buffer text = {0};

	json_put(json, NULL, json_create_array());
	json_put_text(object, "k", "a\\\"[{,:");
	json_put(object, "o", json_create_object());
	json_put(json, NULL, object);
	json_write(json, true, &text);
	cr_expect_str_eq(text.data, "[\n  [],\n  {\n    \"k\": \"a\\\\\\\"[{,:\",\n    \"o\": {}\n  }\n]\n");
}

/* Every character of UTF-8 comes back through the reader of another library. */
Test(json, what_is_written_can_be_read)
{
	scoped_buffer all = {0}, text = {0};
	scoped_json json = json_create_object();
	scoped_json_value back = NULL;
	scoped_error err = {0};

	for (unsigned c = 1; c < 0x110000; c += c < 0x3000 ? 1 : 0x101) {
		unsigned char lead = c < 0x80 ? 0 : c < 0x800 ? 0xc0 : c < 0x10000 ? 0xe0 : 0xf0;
		int more = c < 0x80 ? 0 : c < 0x800 ? 1 : c < 0x10000 ? 2 : 3;

		if (c >= 0xd800 && c < 0xe000)
			continue;
		buffer_add_byte(&all, (char)(lead | (c >> 6 * more)));
		while (more--)
			buffer_add_byte(&all, (char)(0x80 | (c >> 6 * more & 0x3f)));
	}
	json_put_text(json, "all", all.data);
	json_write(json, false, &text);
	back = json_read(text.data, text.length, &err);
	cr_assert(back, "%s", err.message);
	cr_expect_str_eq(json_text(back, "all"), all.data);
}

static void expect_refused(const char *text, size_t length)
{
	scoped_error err = {0};
	scoped_json_value json = json_read(text, length, &err);

	cr_expect(!json && err.number == EINVAL && err.message, "%s", text);
}

Test(json, reads_what_it_is)
{
	static const char text[] =
		"{\"t\":\"\\u00e9\",\"n\":-7,\"yes\":true,\"no\":false,\"l\":[\"a\",2,{\"x\":1}],\"o\":{},\"z\":null}";
	scoped_error err = {0};
	scoped_json_value json = json_read(text, strlen(text), &err);
	const struct json_value *list;
	long long number = 0;

	cr_assert(json);
	cr_expect_str_eq(json_text(json, "t"), "\xc3\xa9");
	cr_expect(json_number(json, "n", &number) && number == -7);
	cr_expect(json_flag(json, "yes"));
	cr_expect_not(json_flag(json, "no"));
	cr_expect(json_has(json, "z"));
	cr_expect(json_child(json, "o"));
	list = json_list(json, "l");
	cr_expect_eq(json_count(list), 3u);
	cr_expect_str_eq(json_text_at(list, 0), "a");
	cr_expect(json_object_at(list, 2));
}

Test(json, another_type_is_missing)
{
	static const char text[] = "{\"t\":\"x\",\"n\":1.5,\"l\":[1]}";
	scoped_error err = {0};
	scoped_json_value json = json_read(text, strlen(text), &err);
	long long number;

	cr_assert(json);
	cr_expect_null(json_text(json, "n"));
	cr_expect_null(json_text(json, "none"));
	cr_expect_not(json_number(json, "n", &number));
	cr_expect_not(json_number(json, "t", &number));
	cr_expect_not(json_flag(json, "t"));
	cr_expect_not(json_has(json, "none"));
	cr_expect_null(json_list(json, "t"));
	cr_expect_null(json_child(json, "l"));
	cr_expect_eq(json_count(NULL), 0u);
	cr_expect_eq(json_count(json), 0u);
	cr_expect_null(json_text_at(json_list(json, "l"), 0));
	cr_expect_null(json_text_at(json_list(json, "l"), 9));
	cr_expect_null(json_object_at(json_list(json, "l"), 0));
}

Test(json, what_is_no_json_is_refused)
{
	static const char *const texts[] = {
		"",
		" ",
		"x",
		"{",
		"{}x",
		"{\"a\":1,\"a\":2}",
		"\"text\"",
		"1",
		"{\"a\":\"\xff\"}",
		"{\"a\":\"\\u0000\"}",
		"{\"a\":\"\\ud800\"}",
		"{\"a\":99999999999999999999}",
		"{'a':1}",
		"{\"a\":\"\n\"}",
	};
	scoped_buffer deep = {0};

	for (size_t i = 0; i < ARRAY_LENGTH(texts); i++)
		expect_refused(texts[i], strlen(texts[i]));
	expect_refused("{}\0", 3);
	expect_refused("{\"a\0\":1}", 9);
	for (int i = 0; i < 100000; i++)
		buffer_add_byte(&deep, '[');
	expect_refused(deep.data, deep.length);
}
