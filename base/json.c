#include "base/json.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/digits.h"
#include "base/escape.h"
#include "base/memory.h"

struct json {
	struct buffer text; /* its members, with commas between them, without the brackets */
	char first, last;   /* the brackets */
};

#define ROOM 480 /* most records of a log */

static struct json *create(char first, char last)
{
	struct json *json = allocate(sizeof *json);

	json->text.data = allocate(ROOM);
	json->text.capacity = ROOM;
	json->first = first;
	json->last = last;
	return json;
}

struct json *json_create_object(void)
{
	return create('{', '}');
}

struct json *json_create_array(void)
{
	return create('[', ']');
}

void json_destroy(struct json *json)
{
	if (!json)
		return;
	buffer_finish(&json->text);
	free(json);
}

void json_clear(struct json *json)
{
	buffer_clear(&json->text);
}

/* Nothing comes before it: no value ends in an opening bracket. */
static bool is_first(const struct json *json)
{
	return !json->text.length || json->text.data[json->text.length - 1] == '[';
}

/*
 * Keys are ours: nothing in them needs an escape. Returns where the first `room` bytes of the value go, so that a
 * member is one piece of the buffer.
 */
static char *begin_member(struct json *json, const char *key, size_t room)
{
	size_t comma = !is_first(json), length = key ? strlen(key) : 0;
	char *at = buffer_extend(&json->text, comma + (key ? length + 3 : 0) + room);

	if (comma)
		*at++ = ',';
	if (!key)
		return at;
	at[0] = '"';
	memcpy(at + 1, key, length); /* NOLINT(bugprone-not-null-terminated-result): what follows it comes next */
	at[1 + length] = '"';
	at[2 + length] = ':';
	return at + length + 3;
}

static void write_compact(const struct json *json, struct buffer *out)
{
	char *at = buffer_extend(out, json->text.length + 2);

	at[0] = json->first;
	memcpy(at + 1, buffer_text(&json->text), json->text.length);
	at[1 + json->text.length] = json->last;
}

void json_put(struct json *json, const char *key, struct json *value)
{
	begin_member(json, key, 0);
	write_compact(value, &json->text);
	json_destroy(value);
}

void json_begin_array(struct json *json, const char *key)
{
	*begin_member(json, key, 1) = '[';
}

void json_end_array(struct json *json)
{
	buffer_add_byte(&json->text, ']');
}

static void put_word(struct json *json, const char *key, const char *word)
{
	size_t length = strlen(word);

	/* NOLINTNEXTLINE(bugprone-not-null-terminated-result): what follows it comes next */
	memcpy(begin_member(json, key, length), word, length);
}

void json_put_number(struct json *json, const char *key, long long number)
{
	char digits[DIGITS_SIZE];

	put_word(json, key, digits_of(digits, number));
}

void json_put_flag(struct json *json, const char *key, bool flag)
{
	put_word(json, key, flag ? "true" : "false");
}

static bool is_plain(char c)
{
	return c >= ' ' && c <= '~' && c != '"' && c != '\\';
}

static void add_unit(struct buffer *out, unsigned unit)
{
	char escape[16];

	snprintf(escape, sizeof escape, "\\u%04X", unit);
	buffer_add(out, escape, 6);
}

/* One character that cannot stand for itself; beyond U+FFFF two units of UTF-16 (RFC 8259, section 7). */
static void add_escaped(struct buffer *out, unsigned code_point)
{
	static const char shorts[] = "\"\"\\\\\bb\ff\nn\rr\tt";
	size_t i;

	for (i = 0; shorts[i]; i += 2)
		if ((unsigned char)shorts[i] == code_point) {
			buffer_add_byte(out, '\\');
			buffer_add_byte(out, shorts[i + 1]);
			return;
		}
	if (code_point > 0xffff) {
		add_unit(out, 0xd800 + ((code_point - 0x10000) >> 10));
		code_point = 0xdc00 + ((code_point - 0x10000) & 0x3ff);
	}
	add_unit(out, code_point);
}

/* Returns how much of the text is a string of UTF-8; what comes before was added. */
static size_t add_string(struct buffer *out, const char *text)
{
	const char *at = text;
	unsigned code_point;

	while (*at) {
		const char *start = at;
		size_t length;

		while (is_plain(*at))
			at++;
		buffer_add(out, start, (size_t)(at - start));
		if (!*at)
			break;
		length = utf8_sequence(at, &code_point);
		if (!length)
			break;
		add_escaped(out, code_point);
		at += length;
	}
	return (size_t)(at - text);
}

static void put_text(struct json *json, const char *key, const char *text)
{
	size_t before = json->text.length;

	put_word(json, key, "\"");
	if (text[add_string(&json->text, text)]) { /* not UTF-8 */
		json->text.length = before;
		json_put_bytes(json, key, text);
		return;
	}
	buffer_add_byte(&json->text, '"');
}

static void put_escaped(struct json *json, const char *key, const char *bytes)
{
	scoped_buffer escaped = {0};

	escape_value(&escaped, bytes);
	put_text(json, key, buffer_text(&escaped));
}

/* Most words and names need no escape. Whether this could be put: NULL, too, is as easy. */
static bool put_plain(struct json *json, const char *key, const char *text)
{
	size_t length = text ? plain_length(text) : 0;
	char *at;

	if (text && text[length])
		return false;
	if (!text) {
		put_word(json, key, "null");
		return true;
	}
	at = begin_member(json, key, length + 2);
	at[0] = '"';
	memcpy(at + 1, text, length);
	at[1 + length] = '"';
	return true;
}

void json_put_text(struct json *json, const char *key, const char *text)
{
	if (!put_plain(json, key, text))
		put_text(json, key, text);
}

void json_put_bytes(struct json *json, const char *key, const char *bytes)
{
	if (!put_plain(json, key, bytes))
		put_escaped(json, key, bytes);
}

static void new_line(struct buffer *out, int depth)
{
	buffer_add_byte(out, '\n');
	while (depth--)
		buffer_add(out, "  ", 2);
}

/* The end of the string that begins at `at`. */
static const char *skip_string(const char *at)
{
	for (at++; *at != '"'; at++)
		at += *at == '\\';
	return at + 1;
}

/* Makes lines of a text without any blank outside its strings. */
static void indent(const char *at, struct buffer *out)
{
	int depth = 0;

	while (*at) {
		const char *end = *at == '"' ? skip_string(at) : at + 1;

		if (*at == '}' || *at == ']')
			new_line(out, --depth);
		buffer_add(out, at, (size_t)(end - at));
		if ((*at == '{' || *at == '[') && (*end == '}' || *end == ']'))
			buffer_add_byte(out, *end++);
		else if (*at == '{' || *at == '[')
			new_line(out, ++depth);
		else if (*at == ',')
			new_line(out, depth);
		else if (*at == ':')
			buffer_add_byte(out, ' ');
		at = end;
	}
}

void json_write(const struct json *json, bool indented, struct buffer *out)
{
	scoped_buffer compact = {0};

	if (!indented) {
		write_compact(json, out);
		return;
	}
	write_compact(json, &compact);
	indent(buffer_text(&compact), out);
	buffer_add_byte(out, '\n');
}
