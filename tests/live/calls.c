#include "tests/live/calls.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

void make_tree(void)
{
	cr_assert_eq(chdir(fresh_directory()), 0);
	cr_assert_eq(mkdir("d", 0700) | mkdir("d/e", 0700) | mkdir("other", 0700), 0);
	cr_assert_geq(close(open("f", O_CREAT | O_WRONLY, 0600)), 0);
	cr_assert_geq(close(open("d/g", O_CREAT | O_WRONLY, 0600)), 0);
	cr_assert_eq(symlink("d/g", "link") | symlink("absent", "dangling") | symlink("d", "to-d"), 0);
	cr_assert_eq(mkfifo("fifo", 0600), 0);
}

int shut(int fd)
{
	return fd < 0 ? errno : close(fd);
}

int opens(const char *name, int flags)
{
	return shut(open(name, flags | O_CLOEXEC, 0600));
}

void ignore(long result)
{
	(void)result;
}
