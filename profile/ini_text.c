#include "profile/ini_text.h"

#include <errno.h>
#include <string.h>

#include "base/escape.h"
#include "profile/ini.h"

#define BYTE_ORDER_MARK "\xef\xbb\xbf"

void ini_drop_trailing_blanks(char *text)
{
	size_t length = strlen(text);

	while (length && ini_is_blank(text[length - 1]))
		text[--length] = '\0';
}

bool ini_ends_in_lone_backslash(const char *text)
{
	size_t length = strlen(text), count = 0;

	while (count < length && text[length - 1 - count] == '\\')
		count++;
	return count % 2 == 1;
}

const char *ini_behind_mark(const char *text)
{
	return text + (strncmp(text, BYTE_ORDER_MARK, strlen(BYTE_ORDER_MARK)) == 0 ? strlen(BYTE_ORDER_MARK) : 0);
}

int ini_check_kind(const char *text, struct error *err)
{
	if (*text == '{')
		return error_set(err, EINVAL,
				 "JSON, as in an audit log, and no sections of key = value: was another file meant?");
	if (strncmp(text, "\177ELF", 4) == 0)
		return error_set(err, EINVAL, "a program, and no sections of key = value: was another file meant?");
	if (strncmp(text, "\xff\xfe", 2) == 0 || strncmp(text, "\xfe\xff", 2) == 0)
		return error_set(err, EINVAL, "UTF-16: save the file as UTF-8");
	return 0;
}

int ini_check_bytes(const char *text, bool is_comment, unsigned line, struct error *err)
{
	size_t clean = clean_length(text, is_comment);
	unsigned byte = (unsigned char)text[clean], code_point;

	if (line == 1 && ini_behind_mark(text) != text)
		return error_set(err, EINVAL, "a byte order mark: save the file without it");
	if (!byte)
		return 0;
	if (byte == '\r' && text[clean + 1] == '\0')
		return error_set(err, EINVAL, "the line ends in CR LF: save the file with LF alone");
	if (byte == '\t')
		return error_set(err, EINVAL, "a tab: write \\t");
	if (utf8_sequence(text + clean, &code_point) == 0)
		return error_set(err, EINVAL, "byte 0x%02x is not UTF-8: write \\x%02x", byte, byte);
	return error_set(err, EINVAL, "control character U+%04X: write its bytes as \\xHH", code_point);
}

int ini_check_length(size_t length, int capacity, struct error *err)
{
	if (length > INI_LINE_BYTES)
		return error_set(err, EINVAL,
				 "%zu bytes long, more than %d: end it with \\ and go on in an indented line", length,
				 INI_LINE_BYTES);
	if (length + 2 > (size_t)capacity)
		return error_set(err, EINVAL, "this build of inih takes no more than %d bytes", capacity - 2);
	return 0;
}

int ini_check_comment_signs(const char *text, struct error *err)
{
	char sign;

	if (!strchr(text, ';') && !strchr(text, '#')) /* strcspn(3) alone is slower */
		return 0;
	sign = text[strcspn(text, ";#")];
	return error_set(err, EINVAL, "%c begins a comment only at the start of a line: write \\x%02x for the byte",
			 sign, (unsigned)sign);
}
