/* SHA-256, and that who hashes nothing does not ask the processor for it at each start. */
#include <config.h>
#include <criterion/criterion.h>
#include <stdint.h>

#include "base/hash.h"

Test(hash, is_sha_256)
{
	static const char abc[] = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
	char whole[HASH_TEXT_SIZE], pieces[HASH_TEXT_SIZE];
	struct hash *hash = hash_create();

	hash_text("abc", 3, whole);
	cr_expect_str_eq(whole, abc);
	hash_add(hash, "a", 1);
	hash_add(hash, "bc", 2);
	hash_end(hash, pieces);
	cr_expect_str_eq(pieces, abc);
}

#if defined CRYPTO_SETS_UP_LATE && defined __x86_64__
/* What libcrypto knows of the processor, which always has something. */
static bool has_asked(void)
{
	extern uint32_t known[] __asm__("OPENSSL_ia32cap_P");

	return known[0] || known[1];
}

Test(hash, the_processor_is_asked_by_the_first_hash_and_not_before_main)
{
	char text[HASH_TEXT_SIZE];

	cr_assert_not(has_asked());
	hash_text("", 0, text);
	cr_assert(has_asked());
}
#endif
