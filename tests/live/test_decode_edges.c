/* Where a decoder may go wrong: threads, other roots, long and bad names, closed memory, other ABIs. */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/memory.h"
#include "tests/live/calls.h"

TestSuite(decode_edges, .init = make_tree, .fini = remove_fresh_directory, .timeout = 60);

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

CALLS(decode_edges, in_threads, open_in_threads(),
      "use type=file path=$D/f rights=read_file asked=yes call=openat\n"
      "use type=file path=$D/d/g rights=read_file asked=yes call=openat\n")

#define FILES  200
#define OPENED 1000

/* Puts another file in the place of whatever the other thread has opened, and closes that too. */
static void *disturb(void *stop)
{
	int other = open("d/g", O_RDONLY | O_CLOEXEC);

	while (!__atomic_load_n((bool *)stop, __ATOMIC_RELAXED)) {
		for (int fd = other + 1; fd < other + 20; fd++)
			dup2(other, fd);
		for (int fd = other + 1; fd < other + 20; fd++)
			close(fd);
	}
	return NULL;
}

static void open_all(void)
{
	char name[32];

	for (int i = 0; i < OPENED; i++) {
		snprintf(name, sizeof name, "other/%d", i);
		close(open(name, O_RDONLY | O_CLOEXEC));
	}
}

static int open_while_disturbed(void)
{
	bool stop = false;
	pthread_t thread;

	cr_assert_eq(pthread_create(&thread, NULL, disturb, &stop), 0);
	open_all();
	__atomic_store_n(&stop, true, __ATOMIC_RELAXED);
	return pthread_join(thread, NULL);
}

/* By a process that has the descriptors in common, and no memory. */
static int open_while_shared(void)
{
	bool never = false;
	int ready[2];
	char byte;
	pid_t pid;

	cr_assert_eq(pipe(ready), 0);
	pid = (pid_t)syscall(SYS_clone, CLONE_FILES | SIGCHLD, NULL, NULL, NULL, NULL);
	if (pid == 0 && write(ready[1], "x", 1) == 1)
		disturb(&never);
	cr_assert_eq(read(ready[0], &byte, 1), 1);
	open_all();
	kill(pid, SIGKILL);
	return waitpid(pid, NULL, 0) == pid ? 0 : 1;
}

/* The descriptor may be gone, or be another file's, before it is looked at. */
static void expect_all_opened(scenario_fn *scenario)
{
	struct recording recording;
	char line[64];

	for (int i = 0; i < OPENED; i++) {
		snprintf(line, sizeof line, "other/%d", i);
		cr_assert_geq(close(open(line, O_CREAT | O_WRONLY, 0600)), 0);
	}
	record(&recording, scenario, TRACE_CALLS_ENFORCED);
	cr_expect_eq(recording.result, 0);
	for (int i = 0; i < OPENED; i++) {
		snprintf(line, sizeof line, " path=$D/other/%d rights=", i);
		cr_expect(strstr(buffer_text(&recording.accesses), line), "%s was lost", line);
	}
	cr_expect_str_eq(buffer_text(&recording.incomplete), "");
	recording_finish(&recording);
}

Test(decode_edges, descriptors_of_threads)
{
	expect_all_opened(open_while_disturbed);
}

Test(decode_edges, descriptors_of_processes)
{
	expect_all_opened(open_while_shared);
}

/* Turns one name into the other all the time. */
static volatile char changing[] = "./f";

static void *change(void *stop)
{
	while (!__atomic_load_n((bool *)stop, __ATOMIC_RELAXED)) {
		changing[0] = 'd';
		changing[2] = 'g';
		changing[0] = '.';
		changing[2] = 'f';
	}
	return NULL;
}

static int open_while_changed(void)
{
	bool stop = false;
	pthread_t thread;

	cr_assert_eq(pthread_create(&thread, NULL, change, &stop), 0);
	for (int i = 0; i < FILES; i++)
		opens((const char *)changing, O_RDONLY);
	__atomic_store_n(&stop, true, __ATOMIC_RELAXED);
	return pthread_join(thread, NULL);
}

/* The kernel reads the name again after us: what was opened counts. A mixture of both names is missing, like "./g". */
Test(decode_edges, names_that_change)
{
	const char *const wanted[] = {"use type=file path=$D/f rights=read_file asked=yes call=openat\n",
				      "use type=file path=$D/d/g rights=read_file asked=yes call=openat\n"};
	struct recording recording;
	const char *at;

	record(&recording, open_while_changed, TRACE_CALLS_ENFORCED);
	for (at = buffer_text(&recording.accesses); *at; at = strchr(at, '\n') + 1)
		cr_expect(strncmp(at, "missing ", 8) == 0 || strncmp(at, wanted[0], strlen(wanted[0])) == 0 ||
				  strncmp(at, wanted[1], strlen(wanted[1])) == 0,
			  "%.80s", at);
	cr_expect_str_eq(buffer_text(&recording.incomplete), "");
	recording_finish(&recording);
}

static void fill(void)
{
	int fd = open("f", O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0700);

	cr_assert_eq(write(fd, "#!/bin/sh\n", 10), 10);
	close(fd);
}

static void execute_changed(void)
{
	char *const arguments[] = {NULL};
	pid_t child = vfork();

	if (child == 0) {
		execve((const char *)changing, arguments, arguments);
		_exit(1);
	}
	waitpid(child, NULL, 0);
}

/* Of both names f alone is there, so that whatever succeeds was of f. */
static int use_while_changed(void)
{
	bool stop = false;
	pthread_t thread;

	unlink("d/g");
	cr_assert_eq(pthread_create(&thread, NULL, change, &stop), 0);
	for (int i = 0; i < FILES; i++) {
		fill();
		if (i % 10 == 0)
			execute_changed();
		ignore(rename((const char *)changing, "d/moved"));
		ignore(link((const char *)changing, "d/linked"));
		ignore(truncate((const char *)changing, 0));
		ignore(unlink((const char *)changing));
	}
	__atomic_store_n(&stop, true, __ATOMIC_RELAXED);
	return pthread_join(thread, NULL);
}

Test(decode_edges, used_names_that_change)
{
	struct recording recording;
	const char *at;

	record(&recording, use_while_changed, TRACE_CALLS_ENFORCED);
	at = strchr(buffer_text(&recording.accesses), '\n') + 1; /* d/g is removed first */
	for (; *at; at = strchr(at, '\n') + 1)
		if (strncmp(at, "missing ", 8) != 0 && memmem(at, strcspn(at, "\n"), "path=$D/d/g ", 12) &&
		    !memmem(at, strcspn(at, "\n"), "error=", 6))
			cr_expect_fail("%.120s", at);
	recording_finish(&recording);
}

#define ROUNDS 1000
#define OF_G   10000 /* results count both names */

static void make_file(const char *name)
{
	shut(open(name, O_WRONLY | O_CREAT | O_CLOEXEC, 0600));
}

static int count_lines(const struct recording *recording, const char *line)
{
	int count = 0;

	for (const char *at = buffer_text(&recording->accesses); (at = strstr(at, line)); at += strlen(line))
		count++;
	return count;
}

/* Both names are there, and only the kernel knows which one it took. Returns how often it was f, and d/g times OF_G. */
static int take_one_of_two(void (*take)(const char *name))
{
	bool stop = false;
	pthread_t thread;
	int taken = 0;

	cr_assert_eq(pthread_create(&thread, NULL, change, &stop), 0);
	for (int i = 0; i < ROUNDS; i++) {
		make_file("f");
		make_file("d/g");
		take((const char *)changing);
		taken += (access("f", F_OK) != 0) + OF_G * (access("d/g", F_OK) != 0);
		unlink("d/moved");
	}
	__atomic_store_n(&stop, true, __ATOMIC_RELAXED);
	pthread_join(thread, NULL);
	return taken;
}

static void take_by_unlink(const char *name)
{
	ignore(unlink(name));
}

static void take_by_rename(const char *name)
{
	ignore(rename(name, "d/moved"));
}

static int unlink_one_of_two(void)
{
	return take_one_of_two(take_by_unlink);
}

static int rename_one_of_two(void)
{
	return take_one_of_two(take_by_rename);
}

/* A line for each name that was taken, or what is left out is said; a wrong one would be one too many. */
static void expect_taken(scenario_fn *scenario, const char *f, const char *g)
{
	struct recording recording;
	int of_f, of_g;

	record(&recording, scenario, TRACE_CALLS_ENFORCED);
	of_f = count_lines(&recording, f);
	of_g = count_lines(&recording, g);
	cr_expect(of_f <= recording.result % OF_G, "%d of %d", of_f, recording.result % OF_G);
	cr_expect(of_g <= recording.result / OF_G, "%d of %d", of_g, recording.result / OF_G);
	if (of_f + of_g < recording.result % OF_G + recording.result / OF_G)
		cr_expect(strstr(buffer_text(&recording.incomplete), "the path of a call could not be told"));
	recording_finish(&recording);
}

Test(decode_edges, one_of_two_names_is_removed)
{
	expect_taken(unlink_one_of_two, "remove type=file path=$D/f asked=yes call=unlink\n",
		     "remove type=file path=$D/d/g asked=yes call=unlink\n");
}

Test(decode_edges, one_of_two_names_is_moved)
{
	expect_taken(rename_one_of_two, "rename type=file path=$D/f path2=$D/d/moved asked=yes call=rename\n",
		     "rename type=file path=$D/d/g path2=$D/d/moved asked=yes call=rename\n");
}

/* Directories: the one that was there stays as it is. */
static int make_one_of_two(void)
{
	bool stop = false;
	pthread_t thread;
	int made = 0;

	unlink("f");
	unlink("d/g");
	cr_assert_eq(pthread_create(&thread, NULL, change, &stop), 0);
	for (int i = 0; i < ROUNDS; i++) {
		ignore(mkdir(i % 2 ? "f" : "d/g", 0700));
		if (mkdir((const char *)changing, 0700) == 0)
			made += i % 2 && access("d/g", F_OK) == 0 ? OF_G : !(i % 2) && access("f", F_OK) == 0;
		rmdir("f");
		rmdir("d/g");
		rmdir("d/f");
		rmdir("g");
	}
	__atomic_store_n(&stop, true, __ATOMIC_RELAXED);
	pthread_join(thread, NULL);
	return made;
}

Test(decode_edges, one_of_two_names_is_made)
{
	struct recording recording;
	int lines;

	record(&recording, make_one_of_two, TRACE_CALLS_ENFORCED);
	lines = count_lines(&recording, "create type=directory path=$D/f asked=yes call=mkdir\n");
	cr_expect(lines <= recording.result % OF_G + ROUNDS / 2, "%d of %d", lines, recording.result % OF_G);
	lines = count_lines(&recording, "create type=directory path=$D/d/g asked=yes call=mkdir\n");
	cr_expect(lines <= recording.result / OF_G + ROUNDS / 2, "%d of %d", lines, recording.result / OF_G);
	recording_finish(&recording);
}

static int changed_root(void)
{
	if (getuid() != 0 && unshare(CLONE_NEWUSER) != 0)
		return errno; /* then there is nobody to be root for */
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
Test(decode_edges, another_root)
{
	struct recording recording;

	record(&recording, in_another_root, TRACE_CALLS_ALL);
	if (recording.result != 0)
		cr_skip_test("this user cannot change its root: %s", strerror(recording.result));
	cr_expect_str_eq(buffer_text(&recording.accesses),
			 "use type=file path=$D/d/g rights=read_file asked=yes call=openat\n"
			 "create type=file path=$D/d/n rights=write_file asked=yes call=openat\n"
			 "missing path=$D/d/no rights=read_file error=ENOENT call=openat\n"
			 "create type=directory path=$D/d/m asked=yes call=mkdir\n"
			 "rename type=file path=$D/d/n path2=$D/d/e/n asked=yes call=rename\n",
			 "\n%s%s", buffer_text(&recording.accesses), buffer_text(&recording.incomplete));
	recording_finish(&recording);
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

Test(decode_edges, long_names)
{
	struct recording recording;

	record(&recording, with_long_names, TRACE_CALLS_ENFORCED);
	cr_expect_eq(strncmp(buffer_text(&recording.accesses), "create type=file path=$D/xxxx", 29), 0);
	cr_expect_eq(buffer_text(&recording.incomplete)[0], '\0');
	recording_finish(&recording);
}

#define Y20 "yyyyyyyyyyyyyyyyyyyy"
static const char deep_name[] = Y20 Y20 Y20 Y20 Y20 Y20 Y20 Y20 Y20 Y20;

/* Deeper than PATH_MAX, one step at a time. */
static int go_deep(void)
{
	for (int i = 0; i < 25; i++)
		if (mkdir(deep_name, 0700) != 0 || chdir(deep_name) != 0)
			return errno;
	return 0;
}

/* What is told of the deepest directory, $DEEP, and beneath. */
static char *deep_lines(const struct recording *recording)
{
	scoped_buffer deep = {0}, text = {0};
	const char *at = buffer_text(&recording->accesses), *first;

	buffer_add_text(&deep, "$D");
	for (int i = 0; i < 25; i++)
		buffer_format(&deep, "/%s", deep_name);
	for (const char *found = at; (found = strstr(at, deep.data)); at = found + deep.length) {
		buffer_add(&text, at, (size_t)(found - at));
		buffer_add_text(&text, "$DEEP");
	}
	buffer_add_text(&text, at);
	first = strstr(text.data, "create type=file");
	return duplicate(first ? first : text.data);
}

static int in_the_deep(void)
{
	int fd, result = go_deep();
	struct stat status;

	if (result)
		return result;
	fd = open("f", O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
	if (ftruncate(fd, 2) != 0 || mkdir("d", 0700) != 0 || rename("f", "d/g") != 0 || ftruncate(fd, 1) != 0 ||
	    truncate("d/g", 0) != 0)
		return errno;
	ignore(syscall(SYS_newfstatat, AT_FDCWD, "d/g", &status, 0));
	return shut(fd) | opens("d/../d/g", O_RDONLY) | opens(".", O_RDONLY) | opens("d", O_RDONLY) | unlink("d/g") |
	       (opens("none", O_RDONLY) != ENOENT);
}

/* The kernel tells no path there, which is found from above. */
Test(decode_edges, beyond_path_max)
{
	struct recording recording;
	scoped_free char *lines = NULL;

	record_with(&recording, in_the_deep, &(struct trace_options){.calls = TRACE_CALLS_ALL, .looks = true});
	cr_expect_eq(recording.result, 0);
	lines = deep_lines(&recording);
	cr_expect_str_eq(lines,
			 "create type=file path=$DEEP/f rights=write_file asked=yes call=openat\n"
			 "use type=file path=$DEEP/f rights=truncate asked=yes call=ftruncate\n"
			 "create type=directory path=$DEEP/d asked=yes call=mkdir\n"
			 "rename type=file path=$DEEP/f path2=$DEEP/d/g asked=yes call=rename\n"
			 "use type=file path=$DEEP/d/g rights=truncate asked=yes call=truncate\n"
			 "look path=$DEEP/d/g unanswered=yes call=newfstatat\n"
			 "use type=file path=$DEEP/d/g rights=read_file asked=yes call=openat\n"
			 "use type=directory path=$DEEP rights=read_dir asked=yes call=openat\n"
			 "use type=directory path=$DEEP/d rights=read_dir asked=yes call=openat\n"
			 "remove type=file path=$DEEP/d/g asked=yes call=unlink\n"
			 "missing path=$DEEP/none rights=read_file error=ENOENT call=openat\n",
			 "%s", lines);
	/* Of a file that was moved since it was opened, the descriptor alone is there. */
	cr_expect_str_eq(buffer_text(&recording.incomplete), "the path of a call could not be told (ftruncate)\n");
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

Test(decode_edges, bad_addresses)
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
Test(decode_edges, unreadable)
{
	struct recording recording;

	record(&recording, closed_memory, TRACE_CALLS_ENFORCED);
	cr_expect_eq(recording.result, 0);
	if (getuid() == 0) {
		cr_expect_neq(buffer_text(&recording.accesses)[0], '\0'); /* nothing is closed to root */
	} else {
		cr_expect_str_eq(buffer_text(&recording.accesses), "");
		cr_expect_neq(buffer_text(&recording.incomplete)[0], '\0');
	}
	recording_finish(&recording);
}

/* What leads around the tracer. */
static int ring(void)
{
	char parameters[120] = "";

	return syscall(SYS_io_uring_setup, 4, parameters) == -1 ? errno : 0;
}

Test(decode_edges, io_uring_is_refused)
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

Test(decode_edges, mounting_is_said)
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
Test(decode_edges, x32)
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
	call_i386(39, (long)low, 0700, 0);	/* mkdir */
	call_i386(8, (long)low, 0, 0);		/* creat: it is a directory */
	call_i386(20, 0, 0, 0);			/* getpid does not stop */
	call_i386(463, AT_FDCWD, (long)low, 0); /* setxattrat, which libseccomp has no name of */
	return 0;
}

Test(decode_edges, i386)
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
	cr_expect_str_eq(buffer_text(&recording.incomplete), "");
	cr_expect(strstr(buffer_text(&recording.calls), "call path=metadata") &&
			  strstr(buffer_text(&recording.calls), "call=setxattrat"),
		  "%s", buffer_text(&recording.calls));
	recording_finish(&recording);
}
#endif
