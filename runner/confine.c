#include "runner/confine.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/prctl.h>

#include "base/cleanup.h"
#include "runner/landlock.h"

static int set_no_new_privs(struct error *err)
{
	if (prctl(PR_SET_NO_NEW_PRIVS, 1L, 0L, 0L, 0L) < 0)
		return error_set_errno(err, errno, "no_new_privs cannot be set");
	return 0;
}

static int restrict_self(int ruleset_fd, struct error *err)
{
	int result = landlock_restrict(ruleset_fd);

	if (result == -E2BIG)
		return error_set(err, E2BIG,
				 "16 Landlock domains are in force around this process, and the kernel takes no more: "
				 "start it from fewer trace-run, trace-learn or other sandboxes");
	if (result < 0)
		return error_set_errno(err, -result, "the Landlock ruleset cannot be put in force");
	return 0;
}

int confine_learning(struct error *err)
{
	struct landlock_attribute attribute = {0};
	scoped_fd ruleset_fd = -1;
	scoped_fd root_fd = -1;
	int abi = landlock_abi();
	int result = set_no_new_privs(err);

	if (result < 0)
		return result;
	if (abi < 0)
		return 1;
	attribute.handled_access_fs = rights_of_abi(abi) & RIGHTS_FILE_SYSTEM;
	ruleset_fd = landlock_create(&attribute, abi);
	if (ruleset_fd < 0)
		return error_set_errno(err, -ruleset_fd, "the Landlock ruleset of learning cannot be made");
	root_fd = open("/", O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (root_fd < 0)
		return error_set_errno(err, errno, "/");
	result = landlock_add_path(ruleset_fd, root_fd, attribute.handled_access_fs);
	if (result < 0)
		return error_set_errno(err, -result, "a Landlock rule on / cannot be made");
	return restrict_self(ruleset_fd, err);
}
