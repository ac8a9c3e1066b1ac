/* Which right the kernel asks for, and when (KERNEL-FACTS, first table): opening, executing, making, removing. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/xattr.h>
#include <termios.h>
#include <unistd.h>

#include "tests/live/facts.h"

/* Files */
NEEDS(file, reading, open("f", O_RDONLY), EACCES, ON("f", RIGHT_READ_FILE))
NEEDS(file, writing, open("f", O_WRONLY), EACCES, ON("f", RIGHT_WRITE_FILE))
NEEDS(file, reading_and_writing, open("f", O_RDWR), EACCES, ON("f", RIGHT_READ_FILE | RIGHT_WRITE_FILE))
NEEDS(file, truncating_open, open("f", O_WRONLY | O_TRUNC), EACCES, ON("f", RIGHT_WRITE_FILE | RIGHT_TRUNCATE))
NEEDS(file, truncating_read, open("f", O_RDONLY | O_TRUNC), EACCES, ON("f", RIGHT_READ_FILE | RIGHT_TRUNCATE))
NEEDS(file, truncate, truncate("f", 1), EACCES, ON("f", RIGHT_TRUNCATE))
NEEDS(file, access_mode_3, open("f", 3), EACCES)
NEEDS(file, through_a_link, open("l", O_RDONLY), EACCES, ON("f", RIGHT_READ_FILE))
NEEDS(file, in_a_granted_directory, open("d/f", O_RDONLY), EACCES, ON("d", RIGHT_READ_FILE))
NEEDS(file, creating_open_of_an_existing_one, open("f", O_WRONLY | O_CREAT, 0600), EACCES, ON("f", RIGHT_WRITE_FILE))
NEEDS(file, creating, open("n", O_WRONLY | O_CREAT, 0600), EACCES, ON(".", RIGHT_MAKE_REG | RIGHT_WRITE_FILE))
NEEDS(file, creating_asks_no_truncate, open("n", O_WRONLY | O_CREAT | O_TRUNC, 0600), EACCES,
      ON(".", RIGHT_MAKE_REG | RIGHT_WRITE_FILE))
NEEDS(file, nameless, open("d", O_TMPFILE | O_WRONLY, 0600), EACCES, ON("d", RIGHT_WRITE_FILE))

static int ftruncate_inside(void)
{
	int fd = open("f", O_WRONLY);

	return ftruncate(fd, 1) < 0 ? errno : 0;
}

Test(file, ftruncate_of_what_was_opened_inside)
{
	needs(ftruncate_inside, 0, EACCES, RULES(GIVEN("f", RIGHT_WRITE_FILE), ON("f", RIGHT_TRUNCATE)));
}

static int inherited = -1;

ATTEMPT(ftruncate_inherited, ftruncate(inherited, 1))

Test(file, ftruncate_of_an_inherited_descriptor_is_not_asked_for)
{
	inherited = memfd_create("inherited", 0);
	needs(ftruncate_inherited, 0, EACCES, RULES());
}

static int leaves_an_empty_file(void)
{
	int fd = open("n", O_WRONLY | O_CREAT, 0600);
	int number = errno;
	struct stat status;

	return fd < 0 && number == EACCES && stat("n", &status) == 0 && status.st_size == 0 ? 0 : EINVAL;
}

Test(file, with_make_reg_alone_an_empty_file_stays_behind)
{
	cr_assert_eq(attempt_under(leaves_an_empty_file, RULES(ON(".", RIGHT_MAKE_REG))), 0);
}

/* Directories and names */
NEEDS(name, listing, open("d", O_RDONLY | O_DIRECTORY), EACCES, ON("d", RIGHT_READ_DIR))
NEEDS(name, listing_of_a_directory_below, open("d", O_RDONLY), EACCES, ON(".", RIGHT_READ_DIR))
NEEDS(name, mkdir, mkdir("n", 0700), EACCES, ON(".", RIGHT_MAKE_DIR))
NEEDS(name, mkfifo, mkfifo("n", 0600), EACCES, ON(".", RIGHT_MAKE_FIFO))
NEEDS(name, mknod_of_a_file, mknod("n", S_IFREG | 0600, 0), EACCES, ON(".", RIGHT_MAKE_REG))
NEEDS(name, mknod_of_a_socket, mknod("n", S_IFSOCK | 0600, 0), EACCES, ON(".", RIGHT_MAKE_SOCK))
NEEDS(name, symlink, symlink("f", "n"), EACCES, ON(".", RIGHT_MAKE_SYM))
NEEDS(name, unlink, unlink("f"), EACCES, ON(".", RIGHT_REMOVE_FILE))
NEEDS(name, unlink_of_a_link, unlink("l"), EACCES, ON(".", RIGHT_REMOVE_FILE))
NEEDS(name, rmdir, rmdir("e"), EACCES, ON(".", RIGHT_REMOVE_DIR))

static int reads_below(void)
{
	int listing = open("/", O_RDONLY | O_DIRECTORY);

	return listing < 0 ? errno : open("f", O_RDONLY) < 0 ? errno : 0;
}

Test(name, read_dir_on_the_root_lists_everything_and_reads_nothing)
{
	cr_assert_eq(attempt_under(reads_below, NULL), 0);
	cr_assert_eq(attempt_under(reads_below, RULES(ON("/", RIGHT_READ_DIR))), EACCES);
	cr_assert_eq(attempt_under(name_listing, RULES(ON("/", RIGHT_READ_DIR))), 0);
}

/* Errors that come before any check: such a call needs no grant */
FAILS_FIRST(before, mkdir_on_an_existing_name, mkdir("d", 0700), EEXIST)
FAILS_FIRST(before, mkfifo_on_an_existing_name, mkfifo("f", 0600), EEXIST)
FAILS_FIRST(before, symlink_on_an_existing_name, symlink("f", "d"), EEXIST)
FAILS_FIRST(before, link_on_an_existing_name, link("f", "d/f"), EEXIST)
FAILS_FIRST(before, exclusive_creation_of_an_existing_name, open("f", O_WRONLY | O_CREAT | O_EXCL, 0600), EEXIST)
FAILS_FIRST(before, nothing_there, open("x/y", O_RDONLY), ENOENT)
FAILS_FIRST(before, nothing_to_remove, unlink("x"), ENOENT)
FAILS_FIRST(before, not_a_directory, open("f/y", O_RDONLY), ENOTDIR)
FAILS_FIRST(before, link_not_to_be_followed, open("l", O_RDONLY | O_NOFOLLOW), ELOOP)

static int open_long_name(void)
{
	char name[300];

	memset(name, 'a', sizeof name);
	name[sizeof name - 1] = '\0';
	return open(name, O_RDONLY) < 0 ? errno : 0;
}

Test(before, name_too_long)
{
	needs(open_long_name, ENAMETOOLONG, 0, RULES());
}

/* Errors that come after the check: without the right the program would see EACCES instead */
CHECKED_FIRST(after, rmdir_of_a_full_directory, rmdir("d"), ENOTEMPTY, ON(".", RIGHT_REMOVE_DIR))
CHECKED_FIRST(after, unlink_of_a_directory, unlink("e"), EISDIR, ON(".", RIGHT_REMOVE_FILE))
CHECKED_FIRST(after, execve_of_text_without_interpreter, execl("t", "t", NULL), ENOEXEC,
	      ON("t", RIGHT_EXECUTE | RIGHT_READ_FILE))

/* Never asked for */
NEEDS(never, path_descriptor, open("f", O_PATH), EACCES)
NEEDS(never, access, access("f", R_OK | W_OK), EACCES)
NEEDS(never, chdir, chdir("d"), EACCES)
NEEDS(never, chmod, chmod("f", 04777), EACCES)
NEEDS(never, chown, chown("f", getuid(), getgid()), EACCES)
NEEDS(never, utime, utimensat(AT_FDCWD, "f", NULL, 0), EACCES)

static int looks(void)
{
	struct stat status;
	char target[8];

	return stat("f", &status) < 0 || lstat("l", &status) < 0 || readlink("l", target, sizeof target) < 0 ? errno
													     : 0;
}

Test(never, stat_and_readlink)
{
	needs(looks, 0, EACCES, RULES());
}

ATTEMPT(sets_attribute, setxattr("f", "user.test", "1", 1, 0))

Test(never, extended_attributes)
{
	if (attempt_under(sets_attribute, NULL) == EOPNOTSUPP)
		cr_skip_test("the file system has no user attributes");
	needs(sets_attribute, 0, EACCES, RULES());
}

ATTEMPT(locks_inherited, flock(inherited, LOCK_EX))

Test(never, flock)
{
	inherited = memfd_create("inherited", 0);
	needs(locks_inherited, 0, EACCES, RULES());
}

/* Descriptors opened again through /proc */
static int reopen(const char *name, int flags)
{
	int first = open(name, O_PATH);
	char link[40];

	snprintf(link, sizeof link, "/proc/self/fd/%d", first);
	return open(link, flags) < 0 ? errno : 0;
}

static int reopens_file(void)
{
	return reopen("f", O_RDONLY);
}

Test(again, a_file_needs_what_the_file_needs)
{
	needs(reopens_file, 0, EACCES, RULES(ON("f", RIGHT_READ_FILE)));
}

static int reopens_pipe(void)
{
	char link[40];
	int ends[2];

	if (pipe(ends) < 0)
		return errno;
	snprintf(link, sizeof link, "/proc/self/fd/%d", ends[0]);
	return open(link, O_RDONLY | O_NONBLOCK) < 0 ? errno : 0;
}

Test(again, a_pipe_needs_nothing)
{
	needs(reopens_pipe, 0, EACCES, RULES());
}

/* Devices */
static int asks_terminal_inside(void)
{
	struct termios settings;
	int fd = open("/dev/ptmx", O_RDWR | O_NOCTTY);

	return fd < 0 || tcgetattr(fd, &settings) < 0 ? errno : 0;
}

Test(device, ioctl_on_what_was_opened_inside)
{
	needs(asks_terminal_inside, 0, EACCES,
	      RULES(ON("/dev/ptmx", RIGHT_READ_FILE | RIGHT_WRITE_FILE | RIGHT_IOCTL_DEV)));
}

static int asks_terminal_inherited(void)
{
	struct termios settings;

	return tcgetattr(inherited, &settings) < 0 ? errno : 0;
}

Test(device, ioctl_on_an_inherited_descriptor_is_not_asked_for)
{
	inherited = open("/dev/ptmx", O_RDWR | O_NOCTTY);
	needs(asks_terminal_inherited, 0, EACCES, RULES());
}

/* The other end of a pty comes without a path call, and is checked like an open. */
static int opens_peer(void)
{
	int lock = 0;

	if (ioctl(inherited, TIOCSPTLCK, &lock) < 0)
		return errno;
	return ioctl(inherited, TIOCGPTPEER, O_RDWR | O_NOCTTY) < 0 ? errno : 0;
}

Test(device, peer_of_a_pty)
{
	inherited = open("/dev/ptmx", O_RDWR | O_NOCTTY);
	needs(opens_peer, 0, EACCES, RULES(ON("/dev/pts", RIGHT_READ_FILE | RIGHT_WRITE_FILE)));
}

/* Sockets */
static int binds_socket(void)
{
	struct sockaddr_un address = {.sun_family = AF_UNIX, .sun_path = "n"};
	int fd = socket(AF_UNIX, SOCK_STREAM, 0);

	return bind(fd, (struct sockaddr *)&address, sizeof address) < 0 ? errno : 0;
}

Test(socket, bind_to_a_path)
{
	needs(binds_socket, 0, EACCES, RULES(ON(".", RIGHT_MAKE_SOCK)));
}

/* The listening end is made outside: its name goes through the environment of the test. */
static struct sockaddr_un outside = {.sun_family = AF_UNIX};

static int connects_outside(void)
{
	int fd = socket(AF_UNIX, SOCK_STREAM, 0);

	return connect(fd, (struct sockaddr *)&outside, sizeof outside) < 0 ? errno : 0;
}

Test(socket, connect_to_a_path_is_asked_for_from_abi_9_on)
{
	char directory[] = "/tmp/fact.XXXXXX";
	int fd = socket(AF_UNIX, SOCK_STREAM, 0);

	cr_assert_not_null(mkdtemp(directory));
	snprintf(outside.sun_path, sizeof outside.sun_path, "%s/socket", directory);
	cr_assert_eq(bind(fd, (struct sockaddr *)&outside, sizeof outside), 0);
	cr_assert_eq(listen(fd, 64), 0);
	needs(connects_outside, 0, EACCES, RULES(ON(outside.sun_path, RIGHT_RESOLVE_UNIX)));
	unlink(outside.sun_path);
	rmdir(directory);
}

/* Execution */
NEEDS(execution, dynamic_program, execl("./p", "p", NULL), EACCES, ON("p", RIGHT_EXECUTE | RIGHT_READ_FILE),
      GIVEN(loader(), RIGHT_EXECUTE | RIGHT_READ_FILE), LIBRARIES)
NEEDS(execution, its_loader, execl("./p", "p", NULL), EACCES, GIVEN("p", RIGHT_EXECUTE | RIGHT_READ_FILE),
      ON(loader(), RIGHT_EXECUTE), LIBRARIES)

ATTEMPT(runs_script, execl("./s", "s", NULL))

Test(execution, script)
{
	char *shell = realpath("/bin/sh", NULL);

	needs(runs_script, 0, EACCES,
	      RULES(ON("s", RIGHT_EXECUTE | RIGHT_READ_FILE), ON(shell, RIGHT_EXECUTE), ON(loader(), RIGHT_EXECUTE),
		    LIBRARIES));
}

ATTEMPT(runs_shell_on_script, execl("/bin/sh", "sh", "s", NULL))

Test(execution, script_as_an_argument_needs_no_execute)
{
	char *shell = realpath("/bin/sh", NULL);
	const struct rule rules[] = {
		ON("s", RIGHT_READ_FILE), GIVEN(shell, RIGHT_EXECUTE), GIVEN(loader(), RIGHT_EXECUTE), LIBRARIES, {0}};

	cr_assert_eq(attempt_under(runs_shell_on_script, NULL), 0);
	cr_assert_eq(attempt_under(runs_shell_on_script, rules), 0);
	cr_assert_neq(attempt_under(runs_shell_on_script, rules + 1), 0);
}

static int runs_from_memory(void)
{
	static char *const arguments[] = {(char *)"p", NULL};

	return fexecve(inherited, arguments, environ) < 0 ? errno : 0;
}

Test(execution, of_a_memfd_needs_nothing_for_the_file_itself)
{
	char block[65536];
	int source = open("/bin/true", O_RDONLY);
	ssize_t length;

	inherited = memfd_create("program", MFD_CLOEXEC);
	while ((length = read(source, block, sizeof block)) > 0)
		cr_assert_eq(write(inherited, block, (size_t)length), length);
	needs(runs_from_memory, 0, EACCES, RULES(ON(loader(), RIGHT_EXECUTE), LIBRARIES));
}
