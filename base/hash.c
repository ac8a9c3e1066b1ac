#include "base/hash.h"

#include <config.h>

/* What has replaced these calls looks for an algorithm by its name first, and needs all of the library for it. */
#define OPENSSL_SUPPRESS_DEPRECATED
#include <openssl/sha.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

struct hash {
	SHA256_CTX context;
};

#ifdef CRYPTO_SETS_UP_LATE
/* The library calls the first one before main(), by the linker's --wrap, instead of the second. */
void hash_set_up_early(void) __asm__("__wrap_OPENSSL_cpuid_setup");
void hash_set_up(void) __asm__("__real_OPENSSL_cpuid_setup");

void hash_set_up_early(void)
{
}
#else
static void hash_set_up(void)
{
}
#endif

/* What the processor can do for SHA-256 is asked once something is hashed: in a virtual machine that takes 0.1 ms. */
static void begin(struct hash *hash)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;

	pthread_once(&once, hash_set_up);
	SHA256_Init(&hash->context);
}

static void end(struct hash *hash, char text[HASH_TEXT_SIZE])
{
	static const char digits[] = "0123456789abcdef";
	unsigned char bytes[SHA256_DIGEST_LENGTH];

	SHA256_Final(bytes, &hash->context);
	for (size_t i = 0; i < sizeof bytes; i++) {
		*text++ = digits[bytes[i] >> 4];
		*text++ = digits[bytes[i] & 15];
	}
	*text = '\0';
}

void hash_text(const void *data, size_t length, char text[HASH_TEXT_SIZE])
{
	struct hash hash;

	begin(&hash);
	hash_add(&hash, data, length);
	end(&hash, text);
}

struct hash *hash_create(void)
{
	struct hash *hash = allocate(sizeof *hash);

	begin(hash);
	return hash;
}

void hash_add(struct hash *hash, const void *data, size_t length)
{
	SHA256_Update(&hash->context, data, length);
}

void hash_end(struct hash *hash, char text[HASH_TEXT_SIZE])
{
	end(hash, text);
	free(hash);
}

bool hash_is_text(const char *text)
{
	return strspn(text, "0123456789abcdef") == HASH_TEXT_SIZE - 1 && text[HASH_TEXT_SIZE - 1] == '\0';
}
