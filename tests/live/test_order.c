/* The kernel's order of checks (tracer/order.h), proved against the running kernel. */
#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <linux/openat2.h>
#include <netinet/in.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/swap.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <unistd.h>

#include "tests/live/prove.h"

#define SCENARIO(name, call) PROVE(order, furnish, name, call)

static int inherited = -1; /* opened before the domain, or the session */

/* What each scenario finds: run before every single one, outside of any domain and unseen. */
static void furnish(void)
{
	make_file("file", "text\n");
	make_file("script", "#!/bin/sh\n");
	make_file("orphan", "#!/nonexistent\n");
	make_file("noexec", "plain\n");
	make_file("other", "text\n");
	must((chmod("other", 0600)) == 0);
	must((mkdir("full", 0755) | mkdir("full/sub", 0755) | mkdir("empty", 0755) | mkdir("locked", 0)) == 0);
	must((symlink("nowhere", "dangling") | symlink("file", "link") | symlink("loop", "loop")) == 0);
	must((mkfifo("fifo", 0600)) == 0 && link("file", "twin") == 0);
	close(inherited);
	inherited = open("file", O_WRONLY | O_CLOEXEC);
}

SCENARIO(open_read, open("file", O_RDONLY | O_CLOEXEC))
SCENARIO(open_write, open("file", O_WRONLY | O_CLOEXEC))
SCENARIO(open_missing, open("nothing", O_RDONLY | O_CLOEXEC))
SCENARIO(open_below_file, open("file/x", O_RDONLY | O_CLOEXEC))
SCENARIO(open_loop, open("loop", O_RDONLY | O_CLOEXEC))
SCENARIO(open_path, open("file", O_PATH | O_CLOEXEC))
SCENARIO(open_mode_3, open("file", 3 | O_CLOEXEC))
SCENARIO(open_mode_3_truncating, open("file", 3 | O_TRUNC | O_CLOEXEC))
SCENARIO(open_directory, open("full", O_RDONLY | O_CLOEXEC))
SCENARIO(open_directory_to_write, open("full", O_WRONLY | O_CLOEXEC))
SCENARIO(open_directory_to_create, open("full", O_RDONLY | O_CREAT | O_CLOEXEC, 0600))
SCENARIO(open_no_directory, open("file", O_RDONLY | O_DIRECTORY | O_CLOEXEC))
SCENARIO(open_truncating, open("file", O_RDONLY | O_TRUNC | O_CLOEXEC))
SCENARIO(open_running, open("/proc/self/exe", O_WRONLY | O_CLOEXEC))
SCENARIO(open_creating, open("new", O_WRONLY | O_CREAT | O_CLOEXEC, 0600))
SCENARIO(open_creating_over, open("file", O_WRONLY | O_CREAT | O_CLOEXEC, 0600))
SCENARIO(open_creating_link, open("dangling", O_WRONLY | O_CREAT | O_CLOEXEC, 0600))
SCENARIO(open_creating_nowhere, open("nothing/new", O_WRONLY | O_CREAT | O_CLOEXEC, 0600))
SCENARIO(open_exclusive, open("file", O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600))
SCENARIO(open_exclusive_link, open("dangling", O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600))
SCENARIO(open_exclusive_new, open("new", O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600))
SCENARIO(open_long_name,
	 open("0123456789012345678901234567890123456789012345678901234567890123456789012345678901234567890123"
	      "0123456789012345678901234567890123456789012345678901234567890123456789012345678901234567890123"
	      "0123456789012345678901234567890123456789012345678901234567890123456789012345678901234567890123",
	      O_WRONLY | O_CREAT | O_CLOEXEC, 0600))
SCENARIO(open_fifo_unread, open("fifo", O_WRONLY | O_NONBLOCK | O_CLOEXEC))
SCENARIO(open_bad_flags, open("full", O_TMPFILE | O_RDONLY | O_CLOEXEC, 0600))
SCENARIO(open_nameless, open("full", O_TMPFILE | O_WRONLY | O_CLOEXEC, 0600))
SCENARIO(open_nameless_in_file, open("file", O_TMPFILE | O_WRONLY | O_CLOEXEC, 0600))
SCENARIO(open_bad_address, syscall(SYS_openat, AT_FDCWD, 1, O_RDONLY))
SCENARIO(open_bad_directory, openat(99, "file", O_RDONLY | O_CLOEXEC))
SCENARIO(open_terminal, open("/dev/tty", O_RDONLY | O_CLOEXEC))
SCENARIO(open_locked, open("locked", O_RDONLY | O_CLOEXEC))
SCENARIO(open_in_locked, open("locked/x", O_RDONLY | O_CREAT | O_CLOEXEC, 0600))
SCENARIO(open_proc_new, open("/proc/trace-learn", O_WRONLY | O_CREAT | O_CLOEXEC, 0600))
SCENARIO(open_sys_new, open("/sys/trace-learn", O_WRONLY | O_CREAT | O_CLOEXEC, 0600))

static long without_room(void)
{
	struct rlimit before, limit;
	int result, error;

	getrlimit(RLIMIT_NOFILE, &before);
	limit = (struct rlimit){0, before.rlim_max};
	setrlimit(RLIMIT_NOFILE, &limit);
	result = open("file", O_RDONLY | O_CLOEXEC);
	error = errno;
	setrlimit(RLIMIT_NOFILE, &before);
	errno = error;
	return result;
}

SCENARIO(open_without_room, without_room())

static long open_resolving(uint64_t flags, uint64_t resolve, const char *name)
{
	struct open_how how = {.flags = flags, .resolve = resolve};

	return syscall(SYS_openat2, AT_FDCWD, name, &how, sizeof how);
}

SCENARIO(open_beneath, open_resolving(O_RDONLY | O_CLOEXEC, RESOLVE_BENEATH, "full/../file"))
SCENARIO(open_escaping, open_resolving(O_RDONLY | O_CLOEXEC, RESOLVE_BENEATH, "/etc/passwd"))
SCENARIO(open_in_root, open_resolving(O_RDONLY | O_CLOEXEC, RESOLVE_IN_ROOT, "/file"))
SCENARIO(open_no_links, open_resolving(O_RDONLY | O_CLOEXEC, RESOLVE_NO_SYMLINKS, "link"))
SCENARIO(open_cached_new, open_resolving(O_WRONLY | O_CREAT | O_CLOEXEC, RESOLVE_CACHED, "new"))

/* More than this kernel knows, and not zero. */
static long open_longer_how(void)
{
	const struct {
		struct open_how how;
		uint64_t more;
	} longer = {{.flags = O_RDONLY | O_CLOEXEC}, 1};

	return syscall(SYS_openat2, AT_FDCWD, "file", &longer, sizeof longer);
}

SCENARIO(open_later_how, open_longer_how())
SCENARIO(open_bad_how, open_resolving(O_RDONLY | O_CLOEXEC, 1ULL << 40, "file"))

SCENARIO(make_directory, mkdir("new", 0700))
SCENARIO(make_directory_over, mkdir("full", 0700))
SCENARIO(make_directory_over_file, mkdir("file/", 0700))
SCENARIO(make_directory_over_link, mkdir("dangling/", 0700))
SCENARIO(make_directory_here, mkdir(".", 0700))
SCENARIO(make_directory_below_file, mkdir("file/x", 0700))
SCENARIO(make_directory_nowhere, mkdir("nothing/x", 0700))
SCENARIO(make_directory_in_sys, mkdir("/sys/trace-learn", 0700))
SCENARIO(make_directory_in_proc, mkdir("/proc/trace-learn", 0700))
SCENARIO(make_directory_at_root, mkdir("/", 0700))
SCENARIO(make_file_node, mknod("new", S_IFREG | 0600, 0))
SCENARIO(make_plain_node, mknod("new", 0600, 0))
SCENARIO(make_directory_node, mknod("new", S_IFDIR | 0600, 0))
SCENARIO(make_odd_node, mknod("new", S_IFLNK | 0600, 0))
SCENARIO(make_fifo, mkfifo("new", 0600))
SCENARIO(make_fifo_over, mkfifo("fifo", 0600))
SCENARIO(make_device, mknod("new", S_IFCHR | 0600, 0x103))
SCENARIO(make_link, symlink("file", "new"))
SCENARIO(make_link_over, symlink("file", "link"))
SCENARIO(make_empty_link, symlink("", "new"))

SCENARIO(unlink_file, unlink("file"))
SCENARIO(unlink_missing, unlink("nothing"))
SCENARIO(unlink_directory, unlink("full"))
SCENARIO(unlink_directory_slash, unlink("full/"))
SCENARIO(unlink_file_slash, unlink("file/"))
SCENARIO(unlink_link, unlink("dangling"))
SCENARIO(unlink_root, unlink("/"))
SCENARIO(unlink_dots, unlink("full/.."))
SCENARIO(unlink_bad_flags, unlinkat(AT_FDCWD, "file", 0x4000))
SCENARIO(unlink_below_file, unlink("file/x"))
SCENARIO(unlink_in_proc, unlink("/proc/meminfo")) /* of one's own no profile lets any, tests/live/swap.sh */
SCENARIO(rmdir_empty, rmdir("empty"))
SCENARIO(rmdir_full, rmdir("full"))
SCENARIO(rmdir_full_slash, rmdir("full/"))
SCENARIO(rmdir_file, rmdir("file"))
SCENARIO(rmdir_link, rmdir("dangling"))
SCENARIO(rmdir_link_slash, rmdir("link/"))
SCENARIO(rmdir_below_file, rmdir("file/x"))
SCENARIO(rmdir_missing, rmdir("nothing"))
SCENARIO(rmdir_dot, rmdir("empty/."))
SCENARIO(rmdir_dots, rmdir("full/.."))
SCENARIO(rmdir_root, rmdir("/"))
SCENARIO(rmdir_mount, rmdir("/proc"))

SCENARIO(rename_file, rename("file", "new"))
SCENARIO(rename_over, rename("file", "script"))
SCENARIO(rename_over_itself, rename("file", "file"))
SCENARIO(rename_missing, rename("nothing", "new"))
SCENARIO(rename_to_nowhere, rename("file", "nothing/new"))
SCENARIO(rename_file_over_directory, rename("file", "empty"))
SCENARIO(rename_directory_over_file, rename("empty", "file"))
SCENARIO(rename_directory_over_full, rename("empty", "full"))
SCENARIO(rename_below_itself, rename("full", "full/sub/x"))
SCENARIO(rename_over_parent, rename("full/sub", "full"))
SCENARIO(rename_file_slash, rename("file/", "new"))
SCENARIO(rename_to_slash, rename("file", "new/"))
SCENARIO(rename_directory_slash, rename("empty/", "new/"))
SCENARIO(rename_to_twin, rename("file", "twin")) /* nothing comes of it, but it was asked */
SCENARIO(rename_dot, rename(".", "new"))
SCENARIO(rename_over_dots, rename("file", "full/.."))
SCENARIO(rename_to_directory, rename("file", "full/file"))
SCENARIO(rename_across_mounts, rename("file", "/proc/trace-learn"))
SCENARIO(rename_keeping, renameat2(AT_FDCWD, "file", AT_FDCWD, "script", RENAME_NOREPLACE))
SCENARIO(rename_keeping_new, renameat2(AT_FDCWD, "file", AT_FDCWD, "new", RENAME_NOREPLACE))
SCENARIO(rename_exchange, renameat2(AT_FDCWD, "file", AT_FDCWD, "full", RENAME_EXCHANGE))
SCENARIO(rename_exchange_missing, renameat2(AT_FDCWD, "file", AT_FDCWD, "new", RENAME_EXCHANGE))
SCENARIO(rename_bad_flags, renameat2(AT_FDCWD, "file", AT_FDCWD, "new", RENAME_EXCHANGE | RENAME_NOREPLACE))
SCENARIO(rename_odd_flags, renameat2(AT_FDCWD, "file", AT_FDCWD, "new", 1 << 10))

SCENARIO(link_file, link("file", "new"))
SCENARIO(link_over, link("file", "script"))
SCENARIO(link_directory, link("full", "new"))
SCENARIO(link_missing, link("nothing", "new"))
SCENARIO(link_dangling, link("dangling", "new"))
SCENARIO(link_followed, linkat(AT_FDCWD, "dangling", AT_FDCWD, "new", AT_SYMLINK_FOLLOW))
SCENARIO(link_to_directory, link("file", "full/file"))
SCENARIO(link_across_mounts, link("/proc/self/maps", "new"))
SCENARIO(link_not_owned, link("/etc/passwd", "new"))
SCENARIO(link_bad_flags, linkat(AT_FDCWD, "file", AT_FDCWD, "new", 0x8000))

static long name_nameless(void)
{
	char name[64];
	int fd = open("full", O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);

	if (fd < 0)
		return fd;
	snprintf(name, sizeof name, "/proc/self/fd/%d", fd);
	return linkat(AT_FDCWD, name, AT_FDCWD, "full/new", AT_SYMLINK_FOLLOW);
}

SCENARIO(link_nameless, name_nameless())

SCENARIO(truncate_file, truncate("file", 1))
SCENARIO(truncate_missing, truncate("nothing", 1))
SCENARIO(truncate_directory, truncate("full", 1))
SCENARIO(truncate_fifo, truncate("fifo", 1))
SCENARIO(truncate_negative, truncate("file", -1))
SCENARIO(truncate_too_far, truncate("file", 0x7ffffffffffffff0))
SCENARIO(truncate_running, truncate("/proc/self/exe", 1))

static long truncate_descriptor(void)
{
	return ftruncate(open("file", O_WRONLY | O_CLOEXEC), 1);
}

SCENARIO(truncate_opened, truncate_descriptor())

SCENARIO(truncate_inherited_descriptor, ftruncate(inherited, 1))

static long execute(const char *path, char *argument)
{
	char *const arguments[] = {argument, NULL};

	return execve(path, arguments, NULL);
}

SCENARIO(execute_missing, execute("./nothing", NULL))
SCENARIO(execute_plain, execute("./noexec", NULL))
SCENARIO(execute_directory, execute("./full", NULL))
SCENARIO(execute_not_executable, execute("./other", NULL))
SCENARIO(execute_written, execute("./file", NULL)) /* it is open for that */
SCENARIO(execute_below_file, execute("./file/x", NULL))
SCENARIO(execute_orphan, execute("./orphan", NULL))
SCENARIO(execute_bad_arguments, syscall(SYS_execve, "./script", 1, NULL))
SCENARIO(execute_link, syscall(SYS_execveat, AT_FDCWD, "link", NULL, NULL, AT_SYMLINK_NOFOLLOW))
SCENARIO(execute_check, syscall(SYS_execveat, AT_FDCWD, "script", NULL, NULL, 0x10000))
SCENARIO(execute_bad_flags, syscall(SYS_execveat, AT_FDCWD, "script", NULL, NULL, 0x8000))

static long with_long_argument(void)
{
	size_t size = 1 << 20; /* one argument may have 128 KiB */
	char *argument = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (argument == MAP_FAILED)
		return -1;
	memset(argument, 'x', size - 1);
	return execute("./script", argument);
}

SCENARIO(execute_too_much, with_long_argument())

static long bind_to(const char *name)
{
	struct sockaddr_un address = {.sun_family = AF_UNIX};
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

	snprintf(address.sun_path, sizeof address.sun_path, "%s", name);
	return bind(fd, (struct sockaddr *)&address, sizeof address);
}

SCENARIO(bind_new, bind_to("new"))
SCENARIO(bind_over, bind_to("file"))
SCENARIO(bind_nowhere, bind_to("nothing/new"))

static long at_port(int (*call)(int, const struct sockaddr *, socklen_t), int family, int port)
{
	struct sockaddr_in address = {
		.sin_family = (sa_family_t)family,
		.sin_port = htons((uint16_t)port),
		.sin_addr.s_addr = htonl(INADDR_LOOPBACK),
	};
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

	return call(fd, (struct sockaddr *)&address, sizeof address);
}

SCENARIO(connect_refused, at_port(connect, AF_INET, 1))
SCENARIO(connect_odd_family, at_port(connect, AF_APPLETALK, 1))
SCENARIO(bind_automatic_port, at_port(bind, AF_INET, 0))
SCENARIO(connect_no_socket, connect(0, (struct sockaddr *)&(struct sockaddr_in){.sin_family = AF_INET}, 16))
SCENARIO(connect_bad_address, connect(socket(AF_INET, SOCK_STREAM, 0), (struct sockaddr *)1, 16))

static long bind_twice(void)
{
	struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

	if (listen(fd, 1) != 0)
		return -1;
	return bind(fd, (struct sockaddr *)&address, sizeof address);
}

SCENARIO(bind_again, bind_twice())

SCENARIO(signal_outside, kill(getppid(), 0))
SCENARIO(signal_itself, kill(getpid(), 0))
SCENARIO(signal_nobody, kill(0x3ffffff0, 0))

SCENARIO(account_to_directory, acct("full"))
SCENARIO(swap_to_file, swapon("file", 0))
