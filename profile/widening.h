/* What grants were made wider than what was seen, and why: said after learning (never wider without a word). */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "profile/profile.h"

enum widening_reason {
	WIDENED_BY_COUNT,  /* --collapse: many entries of one directory */
	WIDENED_BY_PREFIX, /* --collapse-prefix */
	WIDENED_BY_MOVE,   /* closure over a rename or link across directories */
	NOT_WIDENED_TIER,  /* --collapse-prefix without --force-sensitive-collapse, where it is guarded or protected */
	NOT_WIDENED_HELD,  /* what is held lies beneath */
	NOT_WIDENED_NO_LINES, /* nothing is granted beneath a --collapse-prefix */
};

struct widening {
	enum widening_reason reason;
	char *path;
	rights_t rights;
	size_t entries; /* WIDENED_BY_COUNT: how many have it */
};

struct widenings {
	struct widening *items;
	size_t count, capacity;
};

void widenings_add(struct widenings *widenings, enum widening_reason reason, const char *path, rights_t rights,
		   size_t entries);
void widenings_finish(struct widenings *widenings);

/* Whether what stands there was granted on purpose on all of path, and not because of a move. */
bool widenings_has(const struct widenings *widenings, const char *path);

/* One line for people, not escaped; NULL when the profile does not grant it (any more). The caller frees. */
char *widening_text(const struct widening *widening, struct profile *profile);
