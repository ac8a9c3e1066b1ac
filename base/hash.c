#include "base/hash.h"

#include <sha2.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

void hash_text(const void *data, size_t length, char text[HASH_TEXT_SIZE])
{
	SHA256Data(data, length, text);
}

struct hash {
	SHA2_CTX context;
};

struct hash *hash_create(void)
{
	struct hash *hash = allocate(sizeof *hash);

	SHA256Init(&hash->context);
	return hash;
}

void hash_add(struct hash *hash, const void *data, size_t length)
{
	SHA256Update(&hash->context, data, length);
}

void hash_end(struct hash *hash, char text[HASH_TEXT_SIZE])
{
	SHA256End(&hash->context, text);
	free(hash);
}

bool hash_is_text(const char *text)
{
	return strspn(text, "0123456789abcdef") == HASH_TEXT_SIZE - 1 && text[HASH_TEXT_SIZE - 1] == '\0';
}
