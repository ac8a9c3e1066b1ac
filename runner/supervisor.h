/*
 * What a domain cannot do by itself for lines below /proc. A Landlock rule on /proc/self/X holds for the one process
 * that was self when it was made; and a rule on anything in procfs is lost when its dentry is reclaimed. So, where the
 * profile has such lines, a process stays between trace-run and the program:
 *
 * - it is asked about each open (seccomp user notification, seccomp(2)), opens a caller's own entries that the profile
 *   grants, and puts the descriptor into the caller (supervisor_open.h); everything else goes on to the kernel, which
 * asks Landlock as ever. Only where the profile has lines below /proc/self.
 * - it holds an O_PATH descriptor on the object of each other line below /proc.
 *
 * It is the program's parent (reading a caller's memory needs an ancestor where Yama is on), adopts all orphans, and
 * stays until the last descendant has ended. It is in a session of its own, so that it goes on while the program is
 * stopped. When it dies the program dies (PR_SET_PDEATHSIG), and trace-run ends what else came of it.
 */
#pragma once

#include <stdbool.h>
#include <sys/types.h>

#include "base/error.h"
#include "profile/reach.h"

struct supervisor {
	const struct reach *reach; /* of the profile that is enforced */
	rights_t handled;	   /* by the domain: no other right is asked for */
	bool drop_caps;		   /* the program has none, so that the supervisor needs few */
	int program_end;	   /* private: the end of the socket that the program's process has */
};

/* Whether the profile has an enforced line below /proc. */
bool supervisor_is_needed(const struct reach *reach);
/* Whether it has one below /proc/self, so that the supervisor is asked about each open. */
bool supervisor_is_asked(const struct reach *reach);

/* What trace-run is told. */
struct supervisor_news {
	pid_t program;
	int status; /* a wait status of the program; at first one that says nothing (it was continued) */
	bool alone; /* nothing else is left of it */
};

/* Becomes the program: executes it, or ends. `parent` is its parent's id. */
typedef void supervisor_program_fn(void *data, pid_t parent);

/*
 * Becomes the supervisor, in a process made for it: starts the program and serves it. `news` (SOCK_SEQPACKET) gives
 * trace-run a struct supervisor_news for each change, and takes from it signals for the program, a siginfo_t each.
 */
_Noreturn void supervisor_be(struct supervisor *supervisor, int news, supervisor_program_fn *program, void *data);

/*
 * In the program's process, restricted and about to exec: from here on its opens are the supervisor's to answer.
 * -EBUSY: it has a supervisor of somebody else's, and the kernel allows one.
 */
int supervisor_join(struct supervisor *supervisor, struct error *err);
