/* Threads, and processes that share as much: names and descriptors that others change while a call is made. */
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/live/calls.h"

TestSuite(decode_threads, .init = make_tree, .fini = remove_fresh_directory, .timeout = 60);

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

CALLS(decode_threads, in_threads, open_in_threads(),
      "use type=file path=$D/f rights=read_file asked=yes call=openat\n"
      "use type=file path=$D/d/g rights=read_file asked=yes call=openat\n")

/* The leader stays where it is. */
static void *open_elsewhere(void *unused)
{
	cr_assert_eq(unshare(CLONE_FS) | chdir("d"), 0);
	opens("g", O_RDONLY);
	opens("no", O_RDONLY);
	mkdir("made", 0700);
	return unused;
}

static void open_in_own_directories(void)
{
	pthread_t thread;

	cr_assert_eq(pthread_create(&thread, NULL, open_elsewhere, NULL), 0);
	pthread_join(thread, NULL);
	opens("f", O_RDONLY);
	opens("no", O_RDONLY);
}

CALLS(decode_threads, each_in_its_own_directory, open_in_own_directories(),
      "use type=file path=$D/d/g rights=read_file asked=yes call=openat\n"
      "missing path=$D/d/no rights=read_file error=ENOENT call=openat\n"
      "create type=directory path=$D/d/made asked=yes call=mkdir\n"
      "use type=file path=$D/f rights=read_file asked=yes call=openat\n"
      "missing path=$D/no rights=read_file error=ENOENT call=openat\n")

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

Test(decode_threads, descriptors_of_threads)
{
	expect_all_opened(open_while_disturbed);
}

Test(decode_threads, descriptors_of_processes)
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
Test(decode_threads, names_that_change)
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

/* Returns the script's status; 0 when it was neither, and for an empty one. */
static int execute_changed(int directory)
{
	char *const arguments[] = {NULL};
	pid_t child = vfork();
	int status;

	if (child == 0) {
		if (directory == AT_FDCWD)
			execve((const char *)changing, arguments, arguments);
		else
			syscall(SYS_execveat, directory, changing, arguments, arguments, 0);
		_exit(0);
	}
	waitpid(child, &status, 0);
	return WEXITSTATUS(status);
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
			execute_changed(AT_FDCWD);
		ignore(rename((const char *)changing, "d/moved"));
		ignore(link((const char *)changing, "d/linked"));
		ignore(truncate((const char *)changing, 0));
		ignore(unlink((const char *)changing));
	}
	__atomic_store_n(&stop, true, __ATOMIC_RELAXED);
	return pthread_join(thread, NULL);
}

Test(decode_threads, used_names_that_change)
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

Test(decode_threads, one_of_two_names_is_removed)
{
	expect_taken(unlink_one_of_two, "remove type=file path=$D/f asked=yes call=unlink\n",
		     "remove type=file path=$D/d/g asked=yes call=unlink\n");
}

Test(decode_threads, one_of_two_names_is_moved)
{
	expect_taken(rename_one_of_two, "rename type=file path=$D/f path2=$D/d/moved asked=yes call=rename\n",
		     "rename type=file path=$D/d/g path2=$D/d/moved asked=yes call=rename\n");
}

#define EXECUTED 300

/* Each script says which one it is. */
static void make_script(const char *name, char status)
{
	const char text[] = {'#', '!', '/', 'b', 'i', 'n', '/', 's', 'h', '\n', 'e', 'x', 'i', 't', ' ', status, '\n'};
	int fd = open(name, O_WRONLY | O_TRUNC | O_CLOEXEC);

	cr_assert_eq(write(fd, text, sizeof text), sizeof text);
	cr_assert_eq(fchmod(fd, 0700) | close(fd), 0);
}

/* Returns how often it was f, and d/g times OF_G. */
static int execute_often(int directory)
{
	int executed = 0;

	for (int i = 0; i < EXECUTED; i++) {
		int status = execute_changed(directory);

		executed += status == 1 ? 1 : status == 2 ? OF_G : 0;
	}
	return executed;
}

/* By a child that has the memory of all threads. */
static int execute_one_of_two_from(int directory)
{
	bool stop = false;
	pthread_t thread;
	int executed;

	make_script("f", '1');
	make_script("d/g", '2');
	cr_assert_eq(pthread_create(&thread, NULL, change, &stop), 0);
	executed = execute_often(directory);
	__atomic_store_n(&stop, true, __ATOMIC_RELAXED);
	pthread_join(thread, NULL);
	return executed;
}

static int execute_one_of_two(void)
{
	return execute_one_of_two_from(AT_FDCWD);
}

/* The interpreter opens the script through it, so it stays open. */
static int execute_one_of_two_beneath(void)
{
	int directory = open(".", O_PATH | O_DIRECTORY);
	int executed = execute_one_of_two_from(directory);

	close(directory);
	return executed;
}

static int change_as_process(void *stop)
{
	change(stop);
	return 0;
}

/* A process that has the memory and is no thread. */
static int execute_one_of_two_beside_a_process(void)
{
	static char stack[65536];
	bool stop = false;
	pid_t process;
	int executed;

	make_script("f", '1');
	make_script("d/g", '2');
	process = clone(change_as_process, stack + sizeof stack, CLONE_VM | SIGCHLD, &stop);
	executed = execute_often(AT_FDCWD);
	__atomic_store_n(&stop, true, __ATOMIC_RELAXED);
	return waitpid(process, NULL, 0) == process ? executed : -1;
}

/* The kernel leaves the name that it used with the program. (A mixture of both is no program, and said.) */
static void expect_executed(scenario_fn *scenario)
{
	struct recording recording;

	record(&recording, scenario, TRACE_CALLS_ENFORCED);
	cr_expect_eq(
		count_lines(&recording, "use type=file path=$D/f rights=execute,read_file asked=yes call=execve\n"),
		recording.result % OF_G);
	cr_expect_eq(
		count_lines(&recording, "use type=file path=$D/d/g rights=execute,read_file asked=yes call=execve\n"),
		recording.result / OF_G);
	recording_finish(&recording);
}

Test(decode_threads, one_of_two_names_is_executed)
{
	expect_executed(execute_one_of_two);
}

Test(decode_threads, one_of_two_names_is_executed_beside_a_process)
{
	expect_executed(execute_one_of_two_beside_a_process);
}

/* What the kernel leaves leads through the descriptor, which may be closed by then. */
Test(decode_threads, one_of_two_names_is_executed_beneath_a_descriptor)
{
	expect_taken(execute_one_of_two_beneath,
		     "use type=file path=$D/f rights=execute,read_file asked=yes call=execveat\n",
		     "use type=file path=$D/d/g rights=execute,read_file asked=yes call=execveat\n");
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

Test(decode_threads, one_of_two_names_is_made)
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
