#include "base/hash.h"

#include <sha2.h>
#include <stdint.h>
#include <string.h>

void hash_text(const void *data, size_t length, char text[HASH_TEXT_SIZE])
{
	SHA256Data(data, length, text);
}

bool hash_is_text(const char *text)
{
	return strspn(text, "0123456789abcdef") == HASH_TEXT_SIZE - 1 && text[HASH_TEXT_SIZE - 1] == '\0';
}
