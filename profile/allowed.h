/*
 * "Would this be allowed?": what a profile says to something that a program needs (need.h), by which lines, and what is
 * to be added where it says no. The one engine for `trace-profile why`, `trace-run -e` and review (principle 8). Pure,
 * as long as its caller's names are.
 */
#pragma once

#include "profile/need.h"
#include "profile/profile.h"
#include "profile/tiers.h"

/*
 * What only a look at the file system can tell, from profile/reach.h: the profile's grants whose paths lead through
 * links that are followed, by their canonical names (reach_followed()), and the names that bind mounts give to a path
 * (mount_names()).
 */
struct allowed_names {
	struct profile *others;									/* or NULL */
	void (*each)(const char *path, void (*name)(void *data, const char *name), void *data); /* or NULL */
};

/* A line of the profile that concerns the question. */
struct allowed_line {
	const char *section; /* name of the heading that it stands under in the file */
	const char *moved;   /* of a [held] line: the heading that its own tier asks for; else NULL */
	unsigned line;	     /* 0 when the profile was not read from a file */
	rights_t rights;     /* of the line; 0 for a word of [seccomp] */
	char *text;	     /* without "allow = " or "move = " */
};

struct allowed_lines {
	struct allowed_line *items;
	size_t count, capacity;
};

struct answer {
	bool allowed;
	rights_t needed;	 /* need->rights; of a move what the object would gain */
	rights_t missing;	 /* of these; 0 where it is allowed, and for a word of [seccomp] */
	struct allowed_lines by; /* lines that grant something of what is needed */
	struct allowed_lines
		held;		     /* [held] lines, on the path and above, that would grant something of what is
					missing:   to be moved by a person, since a path is not held and granted at once */
	struct allowed_lines absent; /* [absent] lines that tell of the same */
	struct allowed_lines moves;  /* [moves] into this directory or from it: what is added has to be closed over */
	/* What is to be added, where a line can be: as it stands in the file but for "allow = ", its section and tier.
	 */
	char *add;	     /* NULL: it is allowed, or no line can allow it (`reason`), or it is held as it stands */
	const char *section; /* "normal", "network", … */
	enum tier tier;
	const char *reason; /* why no line can allow it, or what to ask instead: for people; NULL for none */
};

struct allowed; /* a profile that can be asked */

/* All are borrowed, and stay unchanged until allowed_destroy(). tiers may be NULL: all is normal. names may be NULL. */
struct allowed *allowed_create(struct profile *profile, const struct tiers *tiers, const struct allowed_names *names);
void allowed_destroy(struct allowed *allowed); /* NULL is fine */

/* `needs`: of the same access as need, so that a move is asked as if the rest was granted; NULL for none. */
void allowed_ask(struct allowed *allowed, const struct need *need, const struct needs *needs, struct answer *answer);
void answer_finish(struct answer *answer);
#define scoped_answer __attribute__((cleanup(answer_finish))) struct answer
