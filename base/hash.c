#include "base/hash.h"

#include <sha2.h>
#include <stdint.h>

void hash_text(const void *data, size_t length, char text[HASH_TEXT_SIZE])
{
	SHA256Data(data, length, text);
}
