/* The process of the program whose parent stays (parent.h), and the supervisor between them where there is one. */
#pragma once

#include <signal.h>

#include "runner/parent.h"

/* What the program's process needs to become as it would be without us. */
struct birth {
	parent_start_fn *start;
	void *data;
	sigset_t mask;
	struct sigaction on_child; /* of SIGCHLD */
};

/*
 * All signals are blocked. *child is the program's process or the supervisor, *news where that is heard (-1 without
 * one): by SIGIO. -errno when no child can be made. Only the parent returns.
 */
int birth_give(struct birth *birth, struct supervisor *supervisor, pid_t *child, int *news, struct error *err);
