/* What calls on files and names say: a small traced session for each, compared line by line. */
#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <linux/openat2.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/live/recording.h"

static void set_up(void)
{
	cr_assert_eq(chdir(fresh_directory()), 0);
	cr_assert_eq(mkdir("d", 0700) | mkdir("d/e", 0700) | mkdir("other", 0700), 0);
	cr_assert_geq(close(open("f", O_CREAT | O_WRONLY, 0600)), 0);
	cr_assert_geq(close(open("d/g", O_CREAT | O_WRONLY, 0600)), 0);
	cr_assert_eq(symlink("d/g", "link") | symlink("absent", "dangling") | symlink("d", "to-d"), 0);
	cr_assert_eq(mkfifo("fifo", 0600), 0);
}

TestSuite(decode, .init = set_up, .fini = remove_fresh_directory, .timeout = 60);

static int shut(int fd)
{
	return fd < 0 ? errno : close(fd);
}

static int opens(const char *name, int flags)
{
	return shut(open(name, flags | O_CLOEXEC, 0600));
}

/* Whether a call succeeds is told by what is seen of it. */
static void ignore(long result)
{
	(void)result;
}

/* A session that makes the calls, and the lines that must come of it. */
#define CALLS(name, calls, lines)                                                                                      \
	static int name##_calls(void)                                                                                  \
	{                                                                                                              \
		calls;                                                                                                 \
		return 0;                                                                                              \
	}                                                                                                              \
	Test(decode, name)                                                                                             \
	{                                                                                                              \
		expect_accesses(name##_calls, lines);                                                                  \
	}

CALLS(read_file, opens("f", O_RDONLY), "use type=file path=$D/f rights=read_file asked=yes call=openat\n")
CALLS(write_file, opens("f", O_RDWR), "use type=file path=$D/f rights=read_file,write_file asked=yes call=openat\n")
CALLS(list_directory, opens("d/../d//e/.", O_RDONLY),
      "use type=directory path=$D/d/e rights=read_dir asked=yes call=openat\n")
CALLS(through_links, opens("to-d/../link", O_RDONLY),
      "use type=file path=$D/d/g rights=read_file asked=yes call=openat\n")
CALLS(truncate_existing, opens("f", O_WRONLY | O_TRUNC | O_CREAT),
      "use type=file path=$D/f rights=truncate,write_file absent=make_reg asked=yes call=openat\n")
CALLS(truncate_by_reading, opens("f", O_RDONLY | O_TRUNC),
      "use type=file path=$D/f rights=read_file,truncate asked=yes call=openat\n")
CALLS(create, opens("n", O_WRONLY | O_TRUNC | O_CREAT),
      "create type=file path=$D/n rights=write_file asked=yes call=openat\n")
CALLS(create_exclusively, opens("n", O_RDWR | O_EXCL | O_CREAT),
      "create type=file path=$D/n rights=read_file,write_file asked=yes call=openat\n")
CALLS(create_what_exists, opens("f", O_RDWR | O_EXCL | O_CREAT),
      "use type=file path=$D/f rights=read_file,write_file absent=make_reg error=EEXIST call=openat\n")
CALLS(create_behind_a_link, opens("dangling", O_WRONLY | O_CREAT),
      "create type=file path=$D/absent rights=write_file asked=yes call=openat\n")
CALLS(create_over_a_link, opens("dangling", O_WRONLY | O_CREAT | O_EXCL),
      "use type=symlink path=$D/dangling rights=write_file error=EEXIST call=openat\n")
CALLS(creat_call, shut((int)syscall(SYS_creat, "n", 0600)),
      "create type=file path=$D/n rights=write_file asked=yes call=creat\n")
CALLS(old_open, shut((int)syscall(SYS_open, "f", O_RDONLY)),
      "use type=file path=$D/f rights=read_file asked=yes call=open\n")
CALLS(never_asked, opens("f", O_PATH); opens("f", 3); access("f", R_OK); chmod("f", 0644); ignore(chdir("d")), "")
CALLS(missing, opens("d/no/such", O_RDONLY), "missing path=$D/d/no/such rights=read_file error=ENOENT call=openat\n")
CALLS(missing_behind_a_link, opens("dangling", O_RDONLY),
      "missing path=$D/absent rights=read_file error=ENOENT call=openat\n")
CALLS(missing_directory, opens("to-d/no", O_RDONLY | O_DIRECTORY),
      "missing path=$D/d/no rights=read_dir error=ENOENT call=openat\n")
CALLS(missing_on_a_way_out, opens("no/../f", O_RDONLY); opens("", O_RDONLY), "")
CALLS(below_a_file, opens("f/x", O_RDONLY); opens("f/", O_RDONLY), "")
CALLS(device, opens("/dev/null", O_WRONLY | O_CREAT | O_TRUNC),
      "use type=character path=/dev/null rights=ioctl_dev,write_file asked=yes call=openat\n")
CALLS(fifo, opens("fifo", O_RDWR), "use type=fifo path=$D/fifo rights=read_file,write_file asked=yes call=openat\n")
CALLS(fifo_without_reader, opens("fifo", O_WRONLY | O_NONBLOCK),
      "use type=fifo path=$D/fifo rights=write_file asked=yes error=ENXIO call=openat\n")

static void open_how(const char *name, uint64_t flags, uint64_t resolve)
{
	struct open_how how = {.flags = flags, .resolve = resolve, .mode = flags & O_CREAT ? 0600 : 0};

	shut((int)syscall(SYS_openat2, AT_FDCWD, name, &how, sizeof how));
}

CALLS(openat2_call, open_how("link", O_RDONLY, 0); open_how("f", O_PATH, 0);
      open_how("link", O_RDONLY, RESOLVE_NO_SYMLINKS),
      "use type=file path=$D/d/g rights=read_file asked=yes call=openat2\n")
CALLS(openat2_own_root, open_how("/f", O_RDONLY, RESOLVE_IN_ROOT); open_how("/../no", O_RDONLY, RESOLVE_IN_ROOT);
      open_how("/n", O_WRONLY | O_CREAT, RESOLVE_IN_ROOT),
      "use type=file path=$D/f rights=read_file asked=yes call=openat2\n"
      "missing path=$D/no rights=read_file error=ENOENT call=openat2\n"
      "create type=file path=$D/n rights=write_file asked=yes call=openat2\n")

static void open_relative(void)
{
	int directory = open("d", O_PATH | O_CLOEXEC);

	shut(openat(directory, "g", O_RDONLY));
	shut(openat(directory, "../n", O_WRONLY | O_CREAT, 0600));
	shut(openat(directory, "no", O_RDONLY));
	mkdirat(directory, "made", 0700);
	close(directory);
}

CALLS(relative_to_a_descriptor, open_relative(),
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

CALLS(no_paths, open_nowhere(), "")

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

CALLS(again_through_proc, open_again(),
      "use type=file path=$D/f rights=read_file asked=yes call=openat\n"
      "use type=file path=$D/f rights=write_file asked=yes call=openat\n"
      "remove type=file path=$D/f asked=yes call=unlink\n"
      "use type=file path=$D/f rights=write_file absent=make_reg asked=yes call=openat\n")

CALLS(really_called_deleted, opens("n (deleted)", O_WRONLY | O_CREAT); opens("n (deleted)", O_RDONLY);
      mkdir("d (deleted)", 0700); ignore(chdir("d (deleted)"));
      opens("inside", O_WRONLY | O_CREAT),
      "create type=file path=$D/n\\x20(deleted) rights=write_file asked=yes call=openat\n"
      "use type=file path=$D/n\\x20(deleted) rights=read_file asked=yes call=openat\n"
      "create type=directory path=$D/d\\x20(deleted) asked=yes call=mkdir\n"
      "create type=file path=$D/d\\x20(deleted)/inside rights=write_file asked=yes call=openat\n")

CALLS(deleted_directory, mkdir("x", 0700); ignore(chdir("x")); rmdir("../x"); opens("n", O_WRONLY | O_CREAT);
      mkdir("y", 0700); opens("..", O_RDONLY), "create type=directory path=$D/x asked=yes call=mkdir\n"
					       "remove type=directory path=$D/x asked=yes call=rmdir\n"
					       "use type=directory path=$D rights=read_dir asked=yes call=openat\n")

CALLS(own_directory_of_a_thread, unshare(CLONE_FS); ignore(chdir("d")); opens("g", O_RDONLY);
      opens("no", O_RDONLY), "use type=file path=$D/d/g rights=read_file asked=yes call=openat\n"
			     "missing path=$D/d/no rights=read_file error=ENOENT call=openat\n")

/* /proc in every spelling. */
static void open_of(pid_t pid, const char *entry)
{
	char name[64];

	snprintf(name, sizeof name, "/proc/%d/%s", (int)pid, entry);
	opens(name, O_RDONLY);
}

#define MAPS "use type=file path=/proc/self/maps rights=read_file asked=yes call=openat\n"

CALLS(proc_self, opens("/proc/self/maps", O_RDONLY); open_of(getpid(), "maps");
      opens("/proc/../proc/self/../self/maps", O_RDONLY), MAPS MAPS MAPS)
CALLS(proc_links, opens("/proc/mounts", O_RDONLY); opens("/etc/mtab", O_RDONLY);
      opens("/proc/net/dev", O_RDONLY),
      "use type=file path=/proc/self/mounts rights=read_file asked=yes call=openat\n"
      "use type=file path=/proc/self/mounts rights=read_file asked=yes call=openat\n"
      "use type=file path=/proc/self/net/dev rights=read_file asked=yes call=openat\n")
CALLS(proc_common, opens("/proc/meminfo", O_RDONLY);
      opens("/proc/self/../sys/kernel/pid_max", O_RDONLY),
      "use type=file path=/proc/meminfo rights=read_file asked=yes call=openat\n"
      "use type=file path=/proc/sys/kernel/pid_max rights=read_file asked=yes call=openat\n")
CALLS(proc_magic, opens("/proc/self/cwd/f", O_RDONLY); opens("/proc/self/root/dev/null", O_RDONLY);
      opens("/proc/self/cwd/n", O_WRONLY | O_CREAT); opens("/proc/self/cwd/no", O_RDONLY);
      mkdir("/proc/self/cwd/m", 0700),
      "use type=file path=$D/f rights=read_file asked=yes call=openat\n"
      "use type=character path=/dev/null rights=ioctl_dev,read_file asked=yes call=openat\n"
      "create type=file path=$D/n rights=write_file asked=yes call=openat\n"
      "missing path=$D/no rights=read_file error=ENOENT call=openat\n"
      "create type=directory path=$D/m asked=yes call=mkdir\n")
CALLS(proc_missing, opens("/proc/self/no", O_RDONLY);
      opens("/proc/no", O_RDONLY), "missing path=/proc/self/no rights=read_file error=ENOENT call=openat\n"
				   "missing path=/proc/no rights=read_file error=ENOENT call=openat\n")

static void open_below_proc(void)
{
	int directory = open("/proc/self", O_PATH | O_DIRECTORY | O_CLOEXEC);

	shut(openat(directory, "maps", O_RDONLY));
	shut(openat(directory, "cwd/f", O_RDONLY));
	shut(openat(directory, "cwd/no", O_RDONLY));
	close(directory);
}

CALLS(proc_relative, open_below_proc(),
      MAPS "use type=file path=$D/f rights=read_file asked=yes call=openat\n"
	   "missing path=$D/no rights=read_file error=ENOENT call=openat\n")

#define TASK "use type=directory path=/proc/self/task rights="

CALLS(proc_threads, opens("/proc/thread-self/status", O_RDONLY); opens("/proc/self/task", O_RDONLY),
								 TASK "read_file asked=yes call=openat\n" TASK
								      "read_dir asked=yes call=openat\n")

static int foreign_calls(void)
{
	open_of(getppid(), "stat");
	open_of(getppid(), "no");
	return 0;
}

/* Another process's entries are no access; digits of its id appear nowhere. */
Test(decode, proc_foreign)
{
	struct recording recording;

	record(&recording, foreign_calls, TRACE_CALLS_ENFORCED);
	cr_expect_str_eq(buffer_text(&recording.accesses), "");
	cr_expect_str_eq(buffer_text(&recording.incomplete), "entries of other processes in /proc were used\n");
	recording_finish(&recording);
}

/* Names that come, go and move. */
CALLS(make_directory, mkdir("n", 0700); mkdir("d", 0700); mkdir("f", 0700); mkdir("dangling", 0700);
      mkdir("x/y", 0700), "create type=directory path=$D/n asked=yes call=mkdir\n"
			  "use type=directory path=$D/d absent=make_dir error=EEXIST call=mkdir\n")
CALLS(make_nodes, mknod("n", S_IFREG | 0600, 0); mkfifo("p", 0600); mkfifo("fifo", 0600);
      ignore(symlink("any/where", "s")); ignore(symlinkat("x", AT_FDCWD, "link")),
					 "create type=file path=$D/n asked=yes call=mknodat\n"
					 "create type=fifo path=$D/p asked=yes call=mknodat\n"
					 "use type=fifo path=$D/fifo absent=make_fifo error=EEXIST call=mknodat\n"
					 "create type=symlink path=$D/s asked=yes call=symlink\n"
					 "use type=symlink path=$D/link absent=make_sym error=EEXIST call=symlinkat\n")
CALLS(remove_names, unlink("link"); unlink("f"); rmdir("other/"); unlinkat(AT_FDCWD, "d/e", AT_REMOVEDIR);
      rmdir("d"), "remove type=symlink path=$D/link asked=yes call=unlink\n"
		  "remove type=file path=$D/f asked=yes call=unlink\n"
		  "remove type=directory path=$D/other asked=yes call=rmdir\n"
		  "remove type=directory path=$D/d/e asked=yes call=unlinkat\n"
		  "remove type=directory path=$D/d asked=yes error=ENOTEMPTY call=rmdir\n")
CALLS(remove_with_the_wrong_call, unlink("d"); rmdir("f"),
					       "remove type=file path=$D/d asked=yes error=EISDIR call=unlink\n"
					       "remove type=directory path=$D/f asked=yes error=ENOTDIR call=rmdir\n")
CALLS(rename_names, rename("f", "to-d/n"); rename("to-d/n", "d/g"); rename("d", "moved/");
      rename("no", "x"), "rename type=file path=$D/f path2=$D/d/n asked=yes call=rename\n"
			 "rename type=file path=$D/d/n path2=$D/d/g replaced=file asked=yes call=rename\n"
			 "rename type=directory path=$D/d path2=$D/moved asked=yes call=rename\n")
CALLS(rename_links, rename("link", "dangling"),
      "rename type=symlink path=$D/link path2=$D/dangling replaced=symlink asked=yes call=rename\n")
CALLS(exchange, renameat2(AT_FDCWD, "f", AT_FDCWD, "d/e", RENAME_EXCHANGE),
      "exchange type=file path=$D/f path2=$D/d/e replaced=directory asked=yes call=renameat2\n")
CALLS(link_names, ignore(link("f", "d/n")); ignore(link("link", "n"));
      ignore(linkat(AT_FDCWD, "link", AT_FDCWD, "m", AT_SYMLINK_FOLLOW)),
      "link type=file path=$D/f path2=$D/d/n asked=yes call=link\n"
      "link type=symlink path=$D/link path2=$D/n asked=yes call=link\n"
      "link type=file path=$D/d/g path2=$D/m asked=yes call=linkat\n")

/* Truncating: by name, by a descriptor of the session, and by one from before it. */
static int before = -1;

static void truncate_all(void)
{
	int fd = open("d/g", O_WRONLY | O_CLOEXEC);

	cr_assert_eq(truncate("link", 1) | ftruncate(fd, 2) | ftruncate(before, 3), 0);
	close(fd);
}

static int truncate_calls(void)
{
	truncate_all();
	return 0;
}

Test(decode, truncate_all)
{
	before = open("f", O_WRONLY);
	expect_accesses(truncate_calls,
			"use type=file path=$D/d/g rights=write_file asked=yes call=openat\n"
			"use type=file path=$D/d/g rights=truncate asked=yes call=truncate\n"
			"use type=file path=$D/d/g rights=truncate asked=yes call=ftruncate\n"
			"use type=file path=$D/f rights=truncate asked=yes inherited=yes call=ftruncate\n");
}

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

/* Threads have descriptors in common, and one working directory, until they part. */
static void *open_in_thread(void *name)
{
	opens(name, O_RDONLY);
	return NULL;
}

static void open_in_threads(void)
{
	pthread_t thread;

	for (int i = 0; i < 2; i++) {
		cr_assert_eq(pthread_create(&thread, NULL, open_in_thread, i ? (void *)"link" : (void *)"f"), 0);
		pthread_join(thread, NULL);
	}
}

CALLS(in_threads, open_in_threads(),
      "use type=file path=$D/f rights=read_file asked=yes call=openat\n"
      "use type=file path=$D/d/g rights=read_file asked=yes call=openat\n")

#define FILES 200

/* Closes whatever the other thread has opened, and puts another file in its place. */
static void *disturb(void *stop)
{
	int other = open("d/g", O_RDONLY | O_CLOEXEC);

	while (!__atomic_load_n((bool *)stop, __ATOMIC_RELAXED))
		for (int fd = other + 1; fd < other + FILES; fd++)
			if (fd % 2)
				close(fd);
			else
				dup2(other, fd);
	return NULL;
}

static int open_while_disturbed(void)
{
	bool stop = false;
	pthread_t thread;
	char name[32];

	cr_assert_eq(pthread_create(&thread, NULL, disturb, &stop), 0);
	for (int i = 0; i < FILES; i++) {
		snprintf(name, sizeof name, "other/%d", i);
		ignore(open(name, O_RDONLY | O_CLOEXEC));
	}
	__atomic_store_n(&stop, true, __ATOMIC_RELAXED);
	return pthread_join(thread, NULL);
}

/* The descriptor may be gone, or be another file's, before it is looked at. */
Test(decode, descriptors_of_threads)
{
	struct recording recording;
	char line[64];

	for (int i = 0; i < FILES; i++) {
		snprintf(line, sizeof line, "other/%d", i);
		cr_assert_geq(close(open(line, O_CREAT | O_WRONLY, 0600)), 0);
	}
	record(&recording, open_while_disturbed, TRACE_CALLS_ENFORCED);
	for (int i = 0; i < FILES; i++) {
		snprintf(line, sizeof line, " path=$D/other/%d rights=", i);
		cr_expect(strstr(buffer_text(&recording.accesses), line), "%s was lost", line);
	}
	cr_expect_str_eq(buffer_text(&recording.incomplete), "");
	recording_finish(&recording);
}

static int changed_root(void)
{
	if (chroot("d") != 0 || chdir("/") != 0)
		return errno;
	opens("/g", O_RDONLY);
	opens("/../n", O_WRONLY | O_CREAT);
	opens("/no", O_RDONLY);
	mkdir("../m", 0700);
	rename("n", "/e/n");
	return 0;
}

static int in_another_root(void)
{
	pid_t child = fork();
	int status;

	if (child == 0)
		_exit(changed_root());
	waitpid(child, &status, 0);
	return WEXITSTATUS(status);
}

/* Stored as it is named from outside. */
Test(decode, another_root)
{
	if (getuid() != 0)
		cr_skip_test("chroot needs root");
	expect_accesses(in_another_root, "use type=file path=$D/d/g rights=read_file asked=yes call=openat\n"
					 "create type=file path=$D/d/n rights=write_file asked=yes call=openat\n"
					 "missing path=$D/d/no rights=read_file error=ENOENT call=openat\n"
					 "create type=directory path=$D/d/m asked=yes call=mkdir\n"
					 "rename type=file path=$D/d/n path2=$D/d/e/n asked=yes call=rename\n");
}

static int with_long_names(void)
{
	char name[5000];

	memset(name, 'x', sizeof name - 1);
	name[sizeof name - 1] = '\0';
	opens(name, O_RDONLY);
	mkdir(name, 0700);
	name[200] = '\0';
	opens(name, O_WRONLY | O_CREAT);
	return errno == EINVAL;
}

Test(decode, long_names)
{
	struct recording recording;

	record(&recording, with_long_names, TRACE_CALLS_ENFORCED);
	cr_expect_eq(strncmp(buffer_text(&recording.accesses), "create type=file path=$D/xxxx", 29), 0);
	cr_expect_eq(buffer_text(&recording.incomplete)[0], '\0');
	recording_finish(&recording);
}

/* Deeper than PATH_MAX, one step at a time. */
static int deep(void)
{
	char name[201];

	memset(name, 'y', 200);
	name[200] = '\0';
	for (int i = 0; i < 25; i++)
		if (mkdir(name, 0700) != 0 || chdir(name) != 0)
			return errno;
	return opens("f", O_WRONLY | O_CREAT);
}

/* No name that could be written leads there: said, and never a wrong path. */
Test(decode, beyond_path_max)
{
	struct recording recording;
	const char *at;
	int lines = 0;

	record(&recording, deep, TRACE_CALLS_ENFORCED);
	cr_expect_eq(recording.result, 0);
	for (at = buffer_text(&recording.accesses); (at = strchr(at, '\n')); at++)
		lines++;
	cr_expect(lines > 15 && lines < 25, "%d lines", lines);
	cr_expect_neq(buffer_text(&recording.incomplete)[0], '\0');
	recording_finish(&recording);
}

static int bad_addresses(void)
{
	syscall(SYS_openat, AT_FDCWD, 1, O_RDONLY);
	syscall(SYS_openat, AT_FDCWD, NULL, O_WRONLY | O_CREAT, 0600);
	syscall(SYS_rename, 1, "x");
	syscall(SYS_execve, 1, NULL, NULL);
	syscall(SYS_openat2, AT_FDCWD, "f", 1, 24);
	syscall(SYS_connect, 0, 1, 16);
	return 0;
}

Test(decode, bad_addresses)
{
	struct recording recording;

	record(&recording, bad_addresses, TRACE_CALLS_ALL);
	cr_expect_str_eq(buffer_text(&recording.accesses), "");
	cr_expect_str_eq(buffer_text(&recording.incomplete), "");
	cr_expect_str_eq(buffer_text(&recording.notices), "");
	recording_finish(&recording);
}

static int closed_memory(void)
{
	prctl(PR_SET_DUMPABLE, 0);
	return opens("f", O_RDONLY);
}

/* Nothing is seen of a process that closed itself to us: no path rather than a wrong one. */
Test(decode, unreadable)
{
	struct recording recording;

	if (getuid() == 0)
		cr_skip_test("root may read everything");
	record(&recording, closed_memory, TRACE_CALLS_ENFORCED);
	cr_expect_eq(recording.result, 0);
	cr_expect_str_eq(buffer_text(&recording.accesses), "");
	cr_expect_neq(buffer_text(&recording.incomplete)[0], '\0');
	recording_finish(&recording);
}

/* What leads around the tracer. */
static int ring(void)
{
	char parameters[120] = "";

	return syscall(SYS_io_uring_setup, 4, parameters) == -1 ? errno : 0;
}

Test(decode, io_uring_is_refused)
{
	struct recording recording;

	record(&recording, ring, TRACE_CALLS_ENFORCED);
	cr_expect_eq(recording.result, ENOSYS);
	cr_expect_str_eq(buffer_text(&recording.incomplete), "io_uring was refused while learning\n");
	recording_finish(&recording);
}

static int mounting(void)
{
	return mount("none", "d", "tmpfs", 0, NULL) != 0 ? errno : umount("d");
}

Test(decode, mounting_is_said)
{
	struct recording recording;

	record(&recording, mounting, TRACE_CALLS_ENFORCED);
	cr_expect(strstr(buffer_text(&recording.incomplete), "mount was called, which does not work under Landlock\n"));
	recording_finish(&recording);
}

#ifdef __x86_64__
static int other_abi(void)
{
	return syscall(0x40000000 | SYS_openat, AT_FDCWD, "f", O_RDONLY) == -1 ? errno : 0;
}

/* x32 on a kernel without it: as natively, and no word. With it: said. */
Test(decode, x32)
{
	struct recording recording;

	record(&recording, other_abi, TRACE_CALLS_ENFORCED);
	cr_expect_str_eq(buffer_text(&recording.incomplete),
			 recording.result == ENOSYS ? "" : "calls of an unknown ABI were made, and not seen\n");
	recording_finish(&recording);
}

static long call_i386(long number, long first, long second, long third)
{
	long result;

	__asm__ volatile("int $0x80" : "=a"(result) : "a"(number), "b"(first), "c"(second), "d"(third) : "memory");
	return result;
}

/* 5 is open there, and fstat here. */
static int i386_calls(void)
{
	char *low = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_32BIT, -1, 0);
	long fd;

	strcpy(low, "link");
	fd = call_i386(5, (long)low, O_RDONLY, 0);
	if (fd == -ENOSYS)
		return ENOSYS;
	close((int)fd);
	strcpy(low, "n");
	call_i386(39, (long)low, 0700, 0); /* mkdir */
	call_i386(8, (long)low, 0, 0);	   /* creat: it is a directory */
	return 0;
}

Test(decode, i386)
{
	struct recording recording;

	record(&recording, i386_calls, TRACE_CALLS_ENFORCED);
	if (recording.result == ENOSYS)
		cr_skip_test("this kernel runs no 32-bit programs");
	cr_expect_str_eq(buffer_text(&recording.accesses),
			 "use type=file path=$D/d/g rights=read_file asked=yes call=open\n"
			 "create type=directory path=$D/n asked=yes call=mkdir\n"
			 "use type=directory path=$D/n rights=write_file error=EISDIR call=creat\n",
			 "\n%s", buffer_text(&recording.accesses));
	recording_finish(&recording);
}
#endif
