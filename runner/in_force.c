#include "runner/in_force.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/seccomp.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <termios.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "profile/rights.h"

static int differs(struct error *err, const char *what)
{
	return error_set(err, EPERM,
			 "%s is not in force, though the kernel had taken it; nothing is started (trace-run --verify "
			 "tells of each control)",
			 what);
}

/* Whatever the descriptor is, without the filter it would be EBADF. */
static bool is_filtered(void)
{
	return prctl(PR_GET_SECCOMP, 0, 0, 0, 0) == SECCOMP_MODE_FILTER && ioctl(-1, TIOCSTI, "") < 0 && errno == EPERM;
}

/* Listing the root: refused, where it is not granted, by nobody but Landlock. (Not for want of a descriptor.) */
static int check_domain(const struct ruleset *ruleset, const struct reach *reach, struct error *err)
{
	scoped_fd fd = -1;

	if (!(ruleset->handled & RIGHT_READ_DIR) || reach_rights(reach, "/") & RIGHT_READ_DIR)
		return 0;
	fd = open("/", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd >= 0)
		return differs(err, "the Landlock domain");
	return errno == EACCES ? 0
			       : error_set_errno(err, errno, "whether the Landlock domain is in force cannot be tried");
}

int in_force_check(const struct ruleset *ruleset, const struct reach *reach, struct error *err)
{
	if (prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) != 1)
		return differs(err, "no_new_privs");
	if (!is_filtered())
		return differs(err, "the filter of system calls");
	return check_domain(ruleset, reach, err);
}
