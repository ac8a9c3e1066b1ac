/* What a learner knows of calls that seccomp groups hold. */
#pragma once

#include "profile/access.h"
#include "profile/profile.h"
#include "profile/seccomp_groups.h"

/* A call that failed otherwise than it does where its group is closed; the first of each call. */
struct failed_call {
	enum seccomp_group group;
	char *name;
	int error;
};

struct seen_calls {
	seccomp_set_t succeeded;
	struct failed_call *failed;
	size_t failed_count, failed_capacity;
};

/* Takes an ACCESS_CALL. */
void seen_calls_add(struct seen_calls *calls, const struct access *access);

/*
 * Opens the groups whose calls succeeded. Failing opens nothing; but where the program would see another errno under
 * the profile, this makes it incomplete.
 */
void seen_calls_put(const struct seen_calls *calls, struct profile *profile);

void seen_calls_finish(struct seen_calls *calls);
