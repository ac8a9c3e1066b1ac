/* What opening says: a small traced session for each case, compared line by line. */
#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/memory.h"
#include "tests/live/calls.h"

TestSuite(decode, .init = make_tree, .fini = remove_fresh_directory, .timeout = 60);

CALLS(decode, read_file, opens("f", O_RDONLY), "use type=file path=$D/f rights=read_file asked=yes call=openat\n")
CALLS(decode, write_file, opens("f", O_RDWR),
      "use type=file path=$D/f rights=read_file,write_file asked=yes call=openat\n")
CALLS(decode, list_directory, opens("d/../d//e/.", O_RDONLY),
      "use type=directory path=$D/d/e rights=read_dir asked=yes call=openat\n")
CALLS(decode, through_links, opens("to-d/../link", O_RDONLY),
      "use type=file path=$D/d/g rights=read_file asked=yes call=openat\n")
CALLS(decode, truncate_existing, opens("f", O_WRONLY | O_TRUNC | O_CREAT),
      "use type=file path=$D/f rights=truncate,write_file absent=make_reg asked=yes call=openat\n")
CALLS(decode, truncate_by_reading, opens("f", O_RDONLY | O_TRUNC),
      "use type=file path=$D/f rights=read_file,truncate asked=yes call=openat\n")
CALLS(decode, create, opens("n", O_WRONLY | O_TRUNC | O_CREAT),
      "create type=file path=$D/n rights=write_file again=truncate asked=yes call=openat\n")
CALLS(decode, create_exclusively, opens("n", O_RDWR | O_EXCL | O_CREAT),
      "create type=file path=$D/n rights=read_file,write_file asked=yes call=openat\n")
CALLS(decode, create_what_exists, opens("f", O_RDWR | O_EXCL | O_CREAT),
      "use type=file path=$D/f rights=read_file,write_file absent=make_reg error=EEXIST call=openat\n")
CALLS(decode, create_behind_a_link, opens("dangling", O_WRONLY | O_CREAT),
      "create type=file path=$D/absent rights=write_file asked=yes call=openat\n")
CALLS(decode, create_over_a_link, opens("dangling", O_WRONLY | O_CREAT | O_EXCL),
      "use type=symlink path=$D/dangling rights=write_file error=EEXIST call=openat\n")
#ifdef SYS_open /* newer architectures have openat alone */
CALLS(decode, creat_call, shut((int)syscall(SYS_creat, "n", 0600)),
      "create type=file path=$D/n rights=write_file again=truncate asked=yes call=creat\n")
CALLS(decode, old_open, shut((int)syscall(SYS_open, "f", O_RDONLY)),
      "use type=file path=$D/f rights=read_file asked=yes call=open\n")
#endif
CALLS(decode, never_asked, opens("f", O_PATH); opens("f", 3); ignore(access("f", R_OK)); chmod("f", 0644);
      ignore(chdir("d")), "")
CALLS(decode, missing, opens("d/no/such", O_RDONLY),
      "missing path=$D/d/no/such rights=read_file error=ENOENT call=openat\n")
CALLS(decode, missing_behind_a_link, opens("dangling", O_RDONLY),
      "missing path=$D/absent rights=read_file error=ENOENT call=openat\n")
CALLS(decode, missing_beneath_what_is_missing, opens("no/such/one", O_RDONLY); opens("d/no//./such", O_RDONLY);
      opens("dangling/no/such", O_RDONLY); opens("no/such/../one", O_RDONLY);
      opens("f/no/such", O_RDONLY), "missing path=$D/no/such/one rights=read_file error=ENOENT call=openat\n"
				    "missing path=$D/d/no/such rights=read_file error=ENOENT call=openat\n"
				    "missing path=$D/absent/no/such rights=read_file error=ENOENT call=openat\n")
CALLS(decode, missing_directory, opens("to-d/no", O_RDONLY | O_DIRECTORY),
      "missing path=$D/d/no rights=read_dir error=ENOENT call=openat\n")
CALLS(decode, missing_on_a_way_out, opens("no/../f", O_RDONLY); opens("", O_RDONLY), "")
CALLS(decode, below_a_file, opens("f/x", O_RDONLY); opens("f/", O_RDONLY), "")
CALLS(decode, device, opens("/dev/null", O_WRONLY | O_CREAT | O_TRUNC),
      "use type=character path=/dev/null rights=ioctl_dev,write_file asked=yes call=openat\n")
CALLS(decode, fifo, opens("fifo", O_RDWR),
      "use type=fifo path=$D/fifo rights=read_file,write_file asked=yes call=openat\n")
CALLS(decode, fifo_without_reader, opens("fifo", O_WRONLY | O_NONBLOCK),
      "use type=fifo path=$D/fifo rights=write_file asked=yes error=ENXIO call=openat\n")

/* The next one counts from here on: a tracer on a busy machine takes long for each. */
static void on_alarm(int signal)
{
	const struct itimerval soon = {.it_value.tv_usec = 50000};

	(void)signal;
	setitimer(ITIMER_REAL, &soon, NULL);
}

/* Blocks until the alarm; the call is not made again. */
static int interrupted_calls(void)
{
	const struct sigaction action = {.sa_handler = on_alarm};
	const struct itimerval never = {0};
	int error;

	sigaction(SIGALRM, &action, NULL);
	on_alarm(SIGALRM);
	error = opens("fifo", O_RDONLY);
	setitimer(ITIMER_REAL, &never, NULL);
	return error != EINTR;
}

Test(decode, interrupted)
{
	expect_accesses(interrupted_calls,
			"use type=fifo path=$D/fifo rights=read_file asked=yes error=EINTR call=openat\n");
}

static void open_how(const char *name, uint64_t flags, uint64_t resolve)
{
	struct open_how how = {.flags = flags, .resolve = resolve, .mode = flags & O_CREAT ? 0600 : 0};

	shut((int)syscall(SYS_openat2, AT_FDCWD, name, &how, sizeof how));
}

CALLS(decode, openat2_call, open_how("link", O_RDONLY, 0); open_how("f", O_PATH, 0);
      open_how("link", O_RDONLY, RESOLVE_NO_SYMLINKS),
      "use type=file path=$D/d/g rights=read_file asked=yes call=openat2\n")
CALLS(decode, openat2_own_root, open_how("/f", O_RDONLY, RESOLVE_IN_ROOT);
      open_how("/../no", O_RDONLY, RESOLVE_IN_ROOT);
      open_how("/n", O_WRONLY | O_CREAT, RESOLVE_IN_ROOT),
      "use type=file path=$D/f rights=read_file asked=yes call=openat2\n"
      "missing path=$D/no rights=read_file error=ENOENT call=openat2\n"
      "create type=file path=$D/n rights=write_file asked=yes call=openat2\n")

/* What the flags keep the kernel from never comes to Landlock's check; and what was in no cache is tried once more. */
CALLS(decode, openat2_beneath, open_how("d/../link", O_RDONLY, RESOLVE_BENEATH);
      open_how("../x", O_RDONLY, RESOLVE_BENEATH); open_how("/f", O_RDONLY, RESOLVE_BENEATH);
      open_how("d/no", O_RDONLY, RESOLVE_BENEATH);
      open_how("d/n", O_WRONLY | O_CREAT, RESOLVE_BENEATH),
      "use type=file path=$D/d/g rights=read_file asked=yes call=openat2\n"
      "missing path=$D/d/no rights=read_file error=ENOENT call=openat2\n"
      "create type=file path=$D/d/n rights=write_file asked=yes call=openat2\n")
CALLS(decode, openat2_no_links, open_how("to-d/g", O_RDONLY, RESOLVE_NO_SYMLINKS);
      open_how("d/g", O_RDWR, RESOLVE_NO_SYMLINKS);
      open_how("dangling", O_WRONLY | O_CREAT, RESOLVE_NO_SYMLINKS),
      "use type=file path=$D/d/g rights=read_file,write_file asked=yes call=openat2\n"
      "create type=file path=$D/absent error=ELOOP call=openat2\n")
CALLS(decode, openat2_no_magic_links, open_how("/proc/self/cwd/f", O_RDONLY, RESOLVE_NO_MAGICLINKS);
      open_how("to-d/g", O_RDONLY, RESOLVE_NO_MAGICLINKS),
      "use type=file path=$D/d/g rights=read_file asked=yes call=openat2\n")
CALLS(decode, openat2_no_other_mount, open_how("/proc/self/maps", O_RDONLY, RESOLVE_NO_XDEV);
      open_how("link", O_RDONLY, RESOLVE_NO_XDEV),
      "use type=file path=$D/d/g rights=read_file asked=yes call=openat2\n")
CALLS(decode, openat2_cached, open_how("link", O_RDONLY, 0); open_how("link", O_WRONLY, RESOLVE_CACHED);
      open_how("n", O_WRONLY | O_CREAT, RESOLVE_CACHED);
      open_how("f", O_RDONLY | O_TRUNC, RESOLVE_CACHED),
      "use type=file path=$D/d/g rights=read_file asked=yes call=openat2\n"
      "use type=file path=$D/d/g rights=write_file asked=yes call=openat2\n"
      "create type=file path=$D/n error=EAGAIN call=openat2\n")
CALLS(decode, openat2_of_nonsense, open_how("f", O_RDONLY, 1U << 20); open_how("f", O_RDONLY | 1ULL << 40, 0);
      shut((int)syscall(SYS_openat2, AT_FDCWD, "f", (void *)8, sizeof(struct open_how)));
      shut((int)syscall(SYS_openat2, AT_FDCWD, "f", "", 4)), "")

static void open_relative(void)
{
	int directory = open("d", O_PATH | O_CLOEXEC);

	shut(openat(directory, "g", O_RDONLY));
	shut(openat(directory, "../n", O_WRONLY | O_CREAT, 0600));
	shut(openat(directory, "no", O_RDONLY));
	mkdirat(directory, "made", 0700);
	close(directory);
}

CALLS(decode, relative_to_a_descriptor, open_relative(),
      "use type=file path=$D/d/g rights=read_file asked=yes call=openat\n"
      "create type=file path=$D/n rights=write_file asked=yes call=openat\n"
      "missing path=$D/d/no rights=read_file error=ENOENT call=openat\n"
      "create type=directory path=$D/d/made asked=yes call=mkdirat\n")

static void name_nameless(void)
{
	char name[64];
	int fd = open("d", O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);

	snprintf(name, sizeof name, "/proc/self/fd/%d", fd);
	ignore(linkat(AT_FDCWD, name, AT_FDCWD, "d/named", AT_SYMLINK_FOLLOW));
	close(fd);
}

/* Compares without the digits of an inode. */
static void expect_without_inode(scenario_fn *scenario, const char *lines)
{
	struct recording recording;
	char *at, *end;

	record(&recording, scenario, TRACE_CALLS_ENFORCED);
	for (at = recording.accesses.data; (at = strstr(at, "\\x23")); at += 4) {
		for (end = at + 4; *end >= '0' && *end <= '9'; end++)
			;
		memmove(at + 4, end, strlen(end) + 1);
	}
	cr_expect_str_eq(buffer_text(&recording.accesses), lines, "\n%s", buffer_text(&recording.accesses));
	recording_finish(&recording);
}

static int nameless_calls(void)
{
	name_nameless();
	return 0;
}

Test(decode, nameless_file)
{
	expect_without_inode(nameless_calls,
			     "tmpfile type=file path=$D/d/\\x23 rights=read_file,write_file asked=yes call=openat\n"
			     "link type=file path=$D/d/\\x23 path2=$D/d/named asked=yes call=linkat\n");
}

/* By the descriptor itself, which not every user may give a name. */
static int name_by_descriptor(void)
{
	scoped_fd fd = open("d", O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);

	return linkat(fd, "", AT_FDCWD, "d/named", AT_EMPTY_PATH) == 0 ? 0 : errno;
}

Test(decode, nameless_file_by_its_descriptor)
{
	int error = name_by_descriptor();

	if (error)
		cr_skip_test("%s: this user cannot natively", strerrorname_np(error));
	cr_assert_eq(unlink("d/named"), 0);
	expect_without_inode(name_by_descriptor,
			     "tmpfile type=file path=$D/d/\\x23 rights=read_file,write_file asked=yes call=openat\n"
			     "link type=file path=$D/d/\\x23 path2=$D/d/named asked=yes call=linkat\n");
}

static void open_nowhere(void)
{
	char name[64];
	int ends[2], memory = memfd_create("x", MFD_CLOEXEC);

	cr_assert_eq(pipe2(ends, O_CLOEXEC), 0);
	snprintf(name, sizeof name, "/dev/fd/%d", ends[0]);
	opens(name, O_RDONLY | O_NONBLOCK);
	snprintf(name, sizeof name, "/proc/self/fd/%d", memory);
	opens(name, O_RDWR);
	cr_assert_eq(ftruncate(memory, 10), 0);
}

CALLS(decode, no_paths, open_nowhere(), "")

/* Of no mount that anybody can see, and yet none of another namespace. */
static int use_secret_memory(void)
{
	scoped_fd secret = (int)syscall(SYS_memfd_secret, O_CLOEXEC);

	return ftruncate(secret, 4096);
}

Test(decode, secret_memory_is_no_file)
{
	struct recording recording;

	if (close((int)syscall(SYS_memfd_secret, O_CLOEXEC)) != 0)
		cr_skip_test("this kernel has no memfd_secret(2)");
	record(&recording, use_secret_memory, TRACE_CALLS_ALL);
	cr_expect_str_eq(buffer_text(&recording.accesses), "");
	cr_expect_str_eq(buffer_text(&recording.incomplete), "");
	recording_finish(&recording);
}

static void open_again(void)
{
	char name[64];
	int fd = open("f", O_RDONLY | O_CLOEXEC);

	snprintf(name, sizeof name, "/dev/fd/%d", fd);
	opens(name, O_WRONLY);
	unlink("f");
	opens(name, O_WRONLY | O_CREAT);
	close(fd);
}

CALLS(decode, again_through_proc, open_again(),
      "use type=file path=$D/f rights=read_file asked=yes call=openat\n"
      "use type=file path=$D/f rights=write_file asked=yes call=openat\n"
      "remove type=file path=$D/f asked=yes call=unlink\n"
      "use type=file path=$D/f rights=write_file absent=make_reg asked=yes call=openat\n")

CALLS(decode, really_called_deleted, opens("n (deleted)", O_WRONLY | O_CREAT); opens("n (deleted)", O_RDONLY);
      mkdir("d (deleted)", 0700); ignore(chdir("d (deleted)"));
      opens("inside", O_WRONLY | O_CREAT),
      "create type=file path=$D/n\\x20(deleted) rights=write_file asked=yes call=openat\n"
      "use type=file path=$D/n\\x20(deleted) rights=read_file asked=yes call=openat\n"
      "create type=directory path=$D/d\\x20(deleted) asked=yes call=mkdir\n"
      "create type=file path=$D/d\\x20(deleted)/inside rights=write_file asked=yes call=openat\n")

CALLS(decode, deleted_directory, mkdir("x", 0700); ignore(chdir("x")); rmdir("../x"); opens("n", O_WRONLY | O_CREAT);
      mkdir("y", 0700); opens("..", O_RDONLY), "create type=directory path=$D/x asked=yes call=mkdir\n"
					       "remove type=directory path=$D/x asked=yes call=rmdir\n"
					       "use type=directory path=$D rights=read_dir asked=yes call=openat\n")

CALLS(decode, own_directory_of_a_thread, unshare(CLONE_FS); ignore(chdir("d")); opens("g", O_RDONLY);
      opens("no", O_RDONLY), "use type=file path=$D/d/g rights=read_file asked=yes call=openat\n"
			     "missing path=$D/d/no rights=read_file error=ENOENT call=openat\n")

/* The other end of a pty is opened by an ioctl. */
static void open_pty(void)
{
	int master = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);

	unlockpt(master);
	shut(ioctl(master, TIOCGPTPEER, O_RDWR | O_NOCTTY));
	close(master);
}

static int pty_calls(void)
{
	open_pty();
	return 0;
}

Test(decode, pty)
{
	struct recording recording;

	record(&recording, pty_calls, TRACE_CALLS_ENFORCED);
	cr_expect(strstr(buffer_text(&recording.accesses), "use type=character path=/dev/pts/"), "%s",
		  buffer_text(&recording.accesses));
	cr_expect(strstr(buffer_text(&recording.accesses),
			 " rights=ioctl_dev,read_file,write_file asked=yes call=ioctl\n"));
	recording_finish(&recording);
}

/* Each with its result; what needs no word is not told. */
static int calls_of_groups(void)
{
	ignore(chmod("f", 0600));
	ignore(chmod("no", 0600));
	shut(socket(AF_UNIX, SOCK_STREAM, 0));
	shut(socket(AF_INET, SOCK_STREAM, 0));
	ignore(unshare(CLONE_FILES));
	return 0;
}

/* What succeeded once needs its word, whatever comes later: `later` is told to those alone who keep every call. */
static void expect_calls(enum trace_calls calls, bool looks, const char *later)
{
	struct recording recording;
	scoped_free char *expected =
		format_text("call path=metadata call=chmod\n%scall path=unix_socket call=socket\n", later);

	record_with(&recording, calls_of_groups, &(struct trace_options){.calls = calls, .looks = looks});
	cr_expect_str_eq(buffer_text(&recording.calls), expected);
	recording_finish(&recording);
}

Test(decode, calls_of_seccomp_groups)
{
	expect_calls(TRACE_CALLS_ALL, true, "call path=metadata error=ENOENT call=chmod\n");
}

Test(decode, calls_of_seccomp_groups_without_their_calls)
{
	expect_calls(TRACE_CALLS_ALL, false, "");
}

Test(decode, calls_of_seccomp_groups_are_seen_always)
{
	expect_calls(TRACE_CALLS_ENFORCED, true, "call path=metadata error=ENOENT call=chmod\n");
}

Test(decode, calls_of_seccomp_groups_without_their_calls_are_seen_once)
{
	expect_calls(TRACE_CALLS_ENFORCED, false, "");
}
