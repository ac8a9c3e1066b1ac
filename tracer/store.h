/* Where a learned profile goes: a file that appears whole or not at all, or standard output. */
#pragma once

#include "base/atomic_file.h"
#include "base/hash.h"
#include "profile/profile.h"

struct store {
	char *name; /* of the file; NULL for standard output */
	struct atomic_file file;
	char hash[HASH_TEXT_SIZE]; /* SHA-256 of what was written; "" before */
};
#define STORE_NONE ((struct store){.file = ATOMIC_FILE_NONE})

/*
 * Before the program starts, so that a bad name is an error at once. `output` as on the command line; without one it is
 * the last part of `program` with ".ini", in the present directory.
 */
int store_open(struct store *store, const char *output, const char *program, bool replace, struct error *err);

/*
 * Writes the profile, and enters its bytes in the list of trusted ones: a person has just let the program do all that
 * is in there. Where that list cannot be kept, and it matters, this is a warning. -EEXIST as of store_beside() when the
 * file may not be replaced, and was made meanwhile.
 */
int store_write(struct store *store, struct profile *profile, struct error *err);

/*
 * For a file that others changed while the program ran (err says so): writes the profile under another name beside it,
 * since it, and what a person answered, would be lost. Fails in any case; err says then where it is and what to do.
 */
int store_beside(struct store *store, struct profile *profile, struct error *err);

/* The same again, in place of what was written before; only of a file. */
int store_rewrite(struct store *store, struct profile *profile, struct error *err);

void store_finish(struct store *store);
