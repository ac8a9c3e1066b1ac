/*
 * What may be otherwise at the next start than in the session: what was missing may be there, and what the program made
 * and left is there. Then the kernel asks for more, which the session could not see. For the summary, after
 * learner_finish().
 */
#pragma once

#include "profile/learn.h"

/* Distinct paths that were looked for, missing, and not made later on. */
size_t learner_missing_count(const struct learner *learner);
/* One of them, borrowed until the next change; NULL when there is none. */
const char *learner_missing(const struct learner *learner);

/*
 * Files that were made and left, where the profile lacks what emptying or replacing them asks for (truncate on the
 * file, remove_file on its directory), or what they were looked for with before they were made.
 */
struct left {
	size_t count;
	const char *path; /* one of them, borrowed until the learner's next change; NULL when there is none */
	rights_t rights;  /* that all of them lack */
};

struct left learner_left(const struct learner *learner, const struct profile *profile);

/*
 * Directories that were made and left, so that the rights on what lies in them went to the ones above: with them there,
 * they go on them alone. Of those where the one above has a grant that is more than normal.
 */
struct made {
	size_t count;
	const char *path; /* the first with the highest tier above it, borrowed alike; NULL when there is none */
};

struct made learner_made_directory(const struct learner *learner, const struct profile *profile);

/* Files that were made and left where that takes a protected grant on the directory; with them there, it may take none.
 */
struct made learner_made_file(const struct learner *learner, const struct profile *profile);
