/*
 * What a profile's grants reach on this machine and the program never touched: for the summary after learning, and for
 * who decides about a profile. It looks at the file system, but opens no file and goes into no other mount, so that it
 * can neither act nor wait.
 */
#pragma once

#include "profile/profile.h"
#include "profile/tiers.h"

#define REACH_LIST_MAX 20 /* names for one grant; the rest is counted */

/* Whether the program used path or something beneath it. */
typedef bool reach_touched_fn(void *data, const char *path);

/* What is known of the session, by a path; each may be NULL. */
struct reach_session {
	reach_touched_fn *touched;
	bool (*widened)(void *data, const char *path); /* a grant on this directory is listed though it is normal */
	bool (*is_file)(void *data, const char *path); /* no directory: it is not looked for again to learn that */
	void *data;
};

struct reach_line {
	char *text;  /* for message(): names in it are not escaped yet */
	bool untold; /* of a grant that reaches a higher tier than its own, which is normal: what is at any depth */
};

struct reach_list {
	struct reach_line *lines;
	size_t count, capacity;
};

/*
 * For each enforced grant on a directory whose tier is above normal: a line with the grant, then one for each entry of
 * the directory and for each line of the table beneath it that has a higher tier than the directory itself, the highest
 * first, and of these the most secret. For each one on a directory that holds what a line for any depth names
 * (.git/hooks): the same, with that alone if the grant is normal. For each one to write a file that has more than one
 * link: a line that says so. `touched` may be NULL.
 */
void reach_list_make(struct reach_list *list, const struct profile *profile, const struct tiers *tiers,
		     const struct reach_session *session);
void reach_list_finish(struct reach_list *list);

/* The same of one grant, for those who say it in other words. */
struct reached {
	char *path;
	enum tier tier;
};

struct grant_reach {
	struct reached entries[REACH_LIST_MAX];
	size_t count, total; /* in entries; in all */
	size_t links;	     /* of a file that the grant may write, if it has more than one; else 0 */
};

void grant_reach_find(struct grant_reach *reach, const struct grant *grant, const struct tiers *tiers,
		      reach_touched_fn *touched, void *data);
void grant_reach_finish(struct grant_reach *reach);
