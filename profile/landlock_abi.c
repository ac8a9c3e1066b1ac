#include "profile/landlock_abi.h"

#include <errno.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Where the system's headers are older than Linux 5.13: the number is the same on every architecture. */
#ifndef SYS_landlock_create_ruleset
#define SYS_landlock_create_ruleset 444
#endif

#define CREATE_RULESET_VERSION (1U << 0)

int landlock_abi(void)
{
	long abi = syscall(SYS_landlock_create_ruleset, NULL, (size_t)0, CREATE_RULESET_VERSION);

	return abi < 0 ? -errno : (int)abi;
}

const char *landlock_absence(int error)
{
	if (error == -EOPNOTSUPP)
		return "Landlock is not enabled in this kernel: add it to the lsm= list of the kernel's command line "
		       "and start again";
	if (error == -ENOSYS)
		return "this kernel has no Landlock, or a filter hides it: use Linux 5.13 or newer built with "
		       "CONFIG_SECURITY_LANDLOCK, and let the container's seccomp profile pass the landlock_* calls";
	if (error == -EPERM || error == -EACCES)
		return "a filter refuses Landlock: let the container's seccomp profile pass the landlock_* calls";
	return "this kernel does not answer the question for Landlock's version as documented";
}
