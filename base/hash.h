/* SHA-256, through libcrypto. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#define HASH_TEXT_SIZE 65

/* Writes the 64 hexadecimal digits and a NUL. */
void hash_text(const void *data, size_t length, char text[HASH_TEXT_SIZE]);

/* The same of what comes in pieces: hash_end() frees it. */
struct hash;
struct hash *hash_create(void);
void hash_add(struct hash *hash, const void *data, size_t length);
void hash_end(struct hash *hash, char text[HASH_TEXT_SIZE]);

/* Whether text is such a hash: 64 digits in lower case. */
bool hash_is_text(const char *text);
