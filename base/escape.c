#include "base/escape.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>

size_t utf8_sequence(const char *text, unsigned *code_point)
{
	static const unsigned smallest[] = {0, 0, 0x80, 0x800, 0x10000};
	const unsigned char *bytes = (const unsigned char *)text;
	size_t length = bytes[0] < 0x80 ? 1 : (bytes[0] & 0xe0) == 0xc0 ? 2 : (bytes[0] & 0xf0) == 0xe0 ? 3 : 4;

	*code_point = bytes[0];
	if (length == 1)
		return 1;
	if (length == 4 && (bytes[0] & 0xf8) != 0xf0)
		return 0;
	*code_point = bytes[0] & (0xffu >> (length + 1));
	for (size_t i = 1; i < length; i++) {
		if ((bytes[i] & 0xc0) != 0x80)
			return 0;
		*code_point = *code_point << 6 | (bytes[i] & 0x3f);
	}
	if (*code_point < smallest[length] || *code_point > 0x10ffff || (*code_point >= 0xd800 && *code_point < 0xe000))
		return 0;
	return length;
}

static bool is_control(unsigned code_point)
{
	return code_point < 0x20 || (code_point >= 0x7f && code_point < 0xa0);
}

/*
 * Characters that reorder, hide or join what stands beside them, that show nothing (Unicode's Default_Ignorable), or
 * that look like a blank and are none.
 */
static bool is_deceptive(unsigned c)
{
	static const struct {
		unsigned first, last;
	} ranges[] = {
		{0xa0, 0xa0},	    {0xad, 0xad},     {0x34f, 0x34f},	{0x61c, 0x61c},	    {0x115f, 0x1160},
		{0x1680, 0x1680},   {0x17b4, 0x17b5}, {0x180b, 0x180f}, {0x2000, 0x200f},   {0x2028, 0x202f},
		{0x205f, 0x206f},   {0x2800, 0x2800}, {0x3000, 0x3000}, {0x3164, 0x3164},   {0xfe00, 0xfe0f},
		{0xfeff, 0xfeff},   {0xffa0, 0xffa0}, {0xfff0, 0xfffb}, {0x1bca0, 0x1bca3}, {0x1d173, 0x1d17a},
		{0xe0000, 0xe0fff},
	};
	size_t i = 0;

	while (i < sizeof ranges / sizeof *ranges && c > ranges[i].last)
		i++;
	return i < sizeof ranges / sizeof *ranges && c >= ranges[i].first;
}

size_t clean_length(const char *text, bool with_tabs)
{
	const char *at = text;
	unsigned code_point;

	for (;;) {
		size_t length;

		while (*at >= ' ' && *at <= '~') /* most of all text */
			at++;
		if (!*at)
			break;
		length = utf8_sequence(at, &code_point);
		if (length == 0 || (is_control(code_point) && !(with_tabs && *at == '\t')))
			break;
		at += length;
	}
	return (size_t)(at - text);
}

/* Whether the character at `at` would not come back as it is, or not be seen as it is. */
static bool needs_hex(const char *at, const char *value, size_t length, unsigned code_point)
{
	if (length == 0 || is_control(code_point) || is_deceptive(code_point))
		return true;
	if (*at == ' ')
		return at == value || at[-1] == ' ' || at[1] == '\0';
	return *at == ';' || *at == '#' || (at[0] == '$' && at[1] == '{');
}

size_t plain_length(const char *text)
{
	static const bool is_plain[256] = {['%' ... ':'] = true, ['=' ... '['] = true, [']' ... '~'] = true};
	const char *at = text;

	while (is_plain[(unsigned char)*at])
		at++;
	return (size_t)(at - text);
}

static void add_hex(struct buffer *out, const char *bytes, size_t length)
{
	for (size_t i = 0; i < length; i++)
		buffer_format(out, "\\x%02x", (unsigned char)bytes[i]);
}

void escape_value(struct buffer *out, const char *value)
{
	unsigned code_point;

	for (const char *at = value; *at;) {
		size_t plain = plain_length(at);
		size_t length = plain ? plain : utf8_sequence(at, &code_point);
		size_t step = length ? length : 1;

		if (plain)
			buffer_add(out, at, plain);
		else if (*at == '\\')
			buffer_add_text(out, "\\\\");
		else if (*at == '\n')
			buffer_add_text(out, "\\n");
		else if (*at == '\t')
			buffer_add_text(out, "\\t");
		else if (needs_hex(at, value, length, code_point))
			add_hex(out, at, step);
		else
			buffer_add(out, at, length);
		at += step;
	}
}

static int hex_digit(char digit)
{
	static const char digits[] = "0123456789abcdef";
	const char *at = digit ? strchr(digits, digit >= 'A' && digit <= 'F' ? digit - 'A' + 'a' : digit) : NULL;

	return at ? (int)(at - digits) : -1;
}

/* Reads the escape at text (a backslash); returns its length or -errno. */
static int unescape_one(struct buffer *out, const char *text, struct error *err)
{
	int high, low;

	switch (text[1]) {
	case '\\':
		buffer_add_byte(out, '\\');
		return 2;
	case 'n':
		buffer_add_byte(out, '\n');
		return 2;
	case 't':
		buffer_add_byte(out, '\t');
		return 2;
	case 'x':
		high = hex_digit(text[2]);
		low = high < 0 ? -1 : hex_digit(text[3]);
		if (low < 0)
			return error_set(err, EINVAL, "\\x needs two hexadecimal digits");
		if (high == 0 && low == 0)
			return error_set(err, EINVAL, "\\x00 cannot be part of a value");
		buffer_add_byte(out, (char)(high << 4 | low));
		return 4;
	case '\0':
		return error_set(err, EINVAL, "a lone backslash at the end (write \\\\ for one)");
	default:
		return error_set(err, EINVAL, "unknown escape \\%c (known: \\\\ \\n \\t \\xHH)", text[1]);
	}
}

/* Reads the variable at text ("${"); returns its length or -errno. */
static int expand_one(struct buffer *out, const char *text, escape_variable_fn *variable, void *data, struct error *err)
{
	const char *close = strchr(text, '}');
	const char *value = NULL;
	char name[64];
	int length, result;

	if (!close || close - text - 2 >= (int)sizeof name)
		return error_set(err, EINVAL, "${ without its } (write \\x24{ for the two bytes)");
	if (close == text + 2)
		return error_set(err, EINVAL, "${} names no variable (write \\x24{ for the two bytes)");
	length = (int)(close - text - 2);
	memcpy(name, text + 2, (size_t)length);
	name[length] = '\0';
	if (!variable)
		return error_set(err, EINVAL, "no variable can stand here: ${%s}", name);
	result = variable(data, name, &value, err);
	if (result < 0)
		return result;
	buffer_add_text(out, value);
	return length + 3;
}

int unescape_value(struct buffer *out, const char *text, escape_variable_fn *variable, void *data, struct error *err)
{
	while (*text) {
		size_t plain = plain_length(text);
		int length = 1;

		if (plain) {
			buffer_add(out, text, plain);
			text += plain;
			continue;
		}
		if (*text == '\\')
			length = unescape_one(out, text, err);
		else if (text[0] == '$' && text[1] == '{')
			length = expand_one(out, text, variable, data, err);
		else
			buffer_add_byte(out, *text);
		if (length < 0)
			return length;
		text += length;
	}
	return 0;
}

void escape_display(struct buffer *out, const char *text)
{
	unsigned code_point;

	while (*text) {
		size_t length = utf8_sequence(text, &code_point);

		if (*text == '\n')
			buffer_add_text(out, "\\n");
		else if (*text == '\t')
			buffer_add_text(out, "\\t");
		else if (length == 0 || is_control(code_point) || is_deceptive(code_point))
			add_hex(out, text, length ? length : 1);
		else
			buffer_add(out, text, length);
		text += length ? length : 1;
	}
}
