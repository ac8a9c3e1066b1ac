/*
 * The accesses that a log has seen, each distinct one once, with how often it came. Their strings are kept once each,
 * so the memory is bounded by what is distinct; once nobody wants to read them again, by their number. Pure.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "profile/access.h"

struct log_seen;

struct log_seen *log_seen_create(void);
void log_seen_destroy(struct log_seen *seen); /* NULL is fine */

/*
 * Counts it, and returns the one that is kept: it stays where it is. *first: nothing with this image, call, paths,
 * rights, flags and result came before.
 */
const struct access *log_seen_add(struct log_seen *seen, const struct access *access, bool *first);

/*
 * From now on they are counted and no more: what was returned is gone, log_seen_add() returns NULL, log_seen_each() has
 * none. They are told apart by 64 bits, so a few in a billion may count as one.
 */
void log_seen_forget(struct log_seen *seen);

size_t log_seen_distinct(const struct log_seen *seen);
size_t log_seen_repeated(const struct log_seen *seen); /* of the distinct ones, those that came more than once */

/* Each in the order in which they came first. */
typedef void log_seen_fn(void *data, const struct access *access, uint64_t count);
void log_seen_each(const struct log_seen *seen, log_seen_fn *each, void *data);
