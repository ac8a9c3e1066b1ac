#include "runner/open_beneath.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <sys/syscall.h>
#include <unistd.h>

int open_beneath(const struct beneath *entry)
{
	struct open_how how = {
		.flags = entry->flags | O_CLOEXEC,
		.resolve = entry->resolve | RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS | RESOLVE_BENEATH |
			   RESOLVE_NO_XDEV,
	};
	long fd = syscall(SYS_openat2, entry->directory_fd, entry->name, &how, sizeof how);

	return fd < 0 ? -errno : (int)fd;
}
