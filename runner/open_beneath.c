#include "runner/open_beneath.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <sys/syscall.h>
#include <unistd.h>

int open_beneath(int directory_fd, const char *name, uint64_t flags)
{
	struct open_how how = {
		.flags = flags | O_CLOEXEC,
		.resolve = RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS | RESOLVE_BENEATH | RESOLVE_NO_XDEV,
	};
	long fd = syscall(SYS_openat2, directory_fd, name, &how, sizeof how);

	return fd < 0 ? -errno : (int)fd;
}
