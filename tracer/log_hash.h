/*
 * The hash of a log, made beside the session: SHA-256 takes three times what all else of a record does. A thread of its
 * own makes it, where another processor is idle for nothing; a short log needs none. The thread touches nothing but
 * what it is handed, has all signals blocked, and may run where the tool might when this was created.
 */
#pragma once

#include "base/hash.h"

struct log_hash;

struct log_hash *log_hash_create(void);
void log_hash_add(struct log_hash *hash, const char *bytes, size_t length);

/* Waits until all is hashed, and frees it. */
void log_hash_end(struct log_hash *hash, char text[HASH_TEXT_SIZE]);
