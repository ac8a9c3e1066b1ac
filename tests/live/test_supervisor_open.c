/*
 * What the supervisor opens for a caller, where something changes in the middle of it. A child opens as a program would
 * under the filter, and this process answers. Its syscall(2) is the one below, where what changes is made to change.
 */
#include <criterion/criterion.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <linux/sched.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "runner/supervisor_open.h"
#include "runner/supervisor_socket.h"
#include "tests/unit/own_directory.h"
#include "tests/unit/profile_text.h"

TestSuite(supervisor_open, .timeout = 60);

/* Called at each openat2(2) of this process, before it. */
static void (*at_open)(const char *name, uint64_t flags);

/* What an open with O_NONBLOCK comes to, unless 0: the caller's, when it has that. */
static int refusal;

long syscall(long number, ...)
{
	static long (*real)(long, ...);
	long arguments[6];
	va_list list;

	va_start(list, number);
	for (int i = 0; i < 6; i++)
		arguments[i] = va_arg(list, long);
	va_end(list);
	if (!real)
		real = (long (*)(long, ...))dlsym(RTLD_NEXT, "syscall");
	if (number == SYS_openat2 && at_open)
		at_open((const char *)(uintptr_t)arguments[1], ((struct open_how *)(uintptr_t)arguments[2])->flags);
	if (number == SYS_openat2 && refusal && ((struct open_how *)(uintptr_t)arguments[2])->flags & O_NONBLOCK) {
		errno = refusal;
		return -1;
	}
	return real(number, arguments[0], arguments[1], arguments[2], arguments[3], arguments[4], arguments[5]);
}

static struct scene {
	struct profile profile;
	struct reach reach;
	struct opener opener;
	pid_t child;
	int end; /* to the child, whose is the other one */
	struct seccomp_notif request;
	struct open_call call;
} scene;

static struct error err;

/* What the child does under the filter: its opens are asked about. */
typedef void child_fn(int end);

/* What it does before. */
static void (*prepare)(void);

static _Noreturn void be_child(child_fn *body, int end)
{
	int listener;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (prepare)
		prepare();
	prctl(PR_SET_NO_NEW_PRIVS, 1L, 0L, 0L, 0L);
	listener = filter_load_program(RIGHTS_FILE_SYSTEM, &err);
	if (listener < 0 || send_descriptor(end, listener) < 0)
		_exit(1);
	close(listener);
	body(end);
	_exit(0);
}

/* Until its first open is asked about. */
static void begin(child_fn *body, const char *lines)
{
	struct open_numbers numbers[OPEN_ARCHITECTURES];
	scoped_free char *text = format_text(HEAD "[protected]\n%s", lines);
	int ends[2];

	read_text(text, &test_variables, &scene.profile);
	reach_init(&scene.reach, &scene.profile);
	cr_assert_eq(supervisor_socket(ends, &err), 0);
	scene.child = fork();
	if (scene.child == 0)
		be_child(body, ends[1]);
	close(ends[1]);
	scene.end = ends[0];
	cr_assert_eq(opener_init(&scene.opener, &scene.reach, RIGHTS_FILE_SYSTEM, &err), 0, "%s", err.message);
	scene.opener.listener = receive_descriptor(scene.end);
	cr_assert_geq(scene.opener.listener, 0);
	cr_assert_eq(ioctl(scene.opener.listener, SECCOMP_IOCTL_NOTIF_RECV, &scene.request), 0);
	open_numbers_init(numbers);
	cr_assert_eq(open_call_read(numbers, &scene.request, &scene.call), 0);
}

static bool is_answer; /* the last one */

static int answer(void)
{
	unsigned flags;

	return opener_open(&scene.opener, scene.request.id, &scene.call, &flags, &is_answer);
}

static void finish(void)
{
	at_open = NULL;
	kill(scene.child, SIGKILL);
	waitpid(scene.child, NULL, 0);
	opener_finish(&scene.opener);
	reach_finish(&scene.reach);
	profile_finish(&scene.profile);
	close(scene.end);
}

static void open_status(int end)
{
	(void)end;
	open("/proc/self/status", O_RDONLY);
}

Test(supervisor_open, control_an_own_entry_is_opened)
{
	begin(open_status, "allow = read_file /proc/self/status\n");
	cr_expect_geq(answer(), 0);
	finish();
}

static void open_status_marked(int end)
{
	(void)end;
	open("/proc/self/status", O_RDONLY | O_NONBLOCK);
}

/* What came of our own descriptors, or of how we resolve, is not what the caller would have heard. */
Test(supervisor_open, what_the_open_says_is_told_where_it_is_the_callers)
{
	static const int told[] = {EINVAL, EACCES, EPERM, ENOTDIR, ENOENT, EISDIR, ENXIO};
	static const int ours[] = {EMFILE, ENFILE, ENOMEM, EINTR, ELOOP, EXDEV};

	begin(open_status_marked, "allow = read_file /proc/self/status\n");
	for (size_t i = 0; i < ARRAY_LENGTH(told); i++) {
		refusal = told[i];
		cr_expect_eq(answer(), -refusal, "%s", strerror(refusal));
		cr_expect(is_answer, "%s", strerror(refusal));
	}
	for (size_t i = 0; i < ARRAY_LENGTH(ours); i++) {
		refusal = ours[i];
		cr_expect_eq(answer(), -refusal, "%s", strerror(refusal));
		cr_expect_not(is_answer, "%s", strerror(refusal));
	}
	refusal = 0;
	cr_expect_geq(answer(), 0);
	cr_expect_not(is_answer, "a descriptor is the answer");
	finish();
}

/* The descriptor by which a thread of the child's is told to go on. */
static int thread_news[2];

static void *execute(void *unused)
{
	char byte;

	if (read(thread_news[0], &byte, 1) == 1)
		execl("/bin/sleep", "sleep", "1000", NULL);
	return unused;
}

static void open_status_beside_thread(int end)
{
	pthread_t other;

	if (pthread_create(&other, NULL, execute, NULL) != 0)
		_exit(1);
	open_status(end);
}

static bool executes(pid_t pid, const char *program)
{
	scoped_free char *path = format_text("/proc/%d/comm", (int)pid);
	scoped_file file = fopen(path, "re");
	char name[32] = "";

	return file && fscanf(file, "%31s", name) == 1 && strcmp(name, program) == 0;
}

/*
 * One way to leave a call that was taken, but to die: another thread executes a program. Then there is a process with
 * the same number, which asks for nothing. (Between the two is a moment in which nobody alive has that number.)
 */
Test(supervisor_open, for_who_waits_no_more_nothing_is_opened)
{
	struct timespec moment = {.tv_nsec = 10L * 1000 * 1000};

	cr_assert_eq(pipe(thread_news), 0);
	begin(open_status_beside_thread, "allow = read_file /proc/self/status\n");
	cr_assert_eq(write(thread_news[1], "", 1), 1);
	while (!executes(scene.child, "sleep"))
		nanosleep(&moment, NULL);
	cr_expect_eq(answer(), -ESRCH);
	cr_expect_eq(kill(scene.child, 0), 0);
	finish();
}

static void *wait_to_end(void *data)
{
	char byte;

	*(pid_t *)data = (pid_t)syscall(SYS_gettid);
	return read(thread_news[0], &byte, 1) == 1 ? NULL : data;
}

static void open_of_thread(int end)
{
	static volatile pid_t tid;
	pthread_t thread;
	char path[64];

	if (pthread_create(&thread, NULL, wait_to_end, (void *)(uintptr_t)&tid) != 0)
		_exit(1);
	while (!tid)
		sched_yield();
	snprintf(path, sizeof path, "/proc/%d/status", (int)tid);
	send(end, (const void *)(uintptr_t)&tid, sizeof tid, 0);
	open(path, O_RDONLY);
}

static pid_t thread, successor;
static char thread_number[16];

static pid_t make_process(pid_t number)
{
	struct clone_args arguments = {.exit_signal = SIGCHLD, .set_tid = (uintptr_t)&number, .set_tid_size = 1};
	pid_t pid = (pid_t)syscall(SYS_clone3, &arguments, sizeof arguments);

	if (pid == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		pause();
		_exit(0);
	}
	return pid;
}

/* Just before the directory is opened in which the entry lies: the thread ends, and another process has its number. */
static void exchange_owner(const char *name, uint64_t flags)
{
	char path[64];

	if (successor || strcmp(name, thread_number) != 0 || !(flags & O_DIRECTORY))
		return;
	snprintf(path, sizeof path, "/proc/%s", thread_number);
	successor = -1;
	cr_assert_eq(write(thread_news[1], "", 1), 1);
	while (access(path, F_OK) == 0)
		sched_yield();
	do /* its number is free a moment after its name */
		successor = make_process(thread);
	while (successor < 0 && errno == EEXIST);
}

static void begin_with_thread(void)
{
	cr_assert_eq(pipe(thread_news), 0);
	begin(open_of_thread, "allow = read_file /proc/self/status\n");
	cr_assert_eq(recv(scene.end, &thread, sizeof thread, 0), (ssize_t)sizeof thread);
	snprintf(thread_number, sizeof thread_number, "%d", (int)thread);
}

Test(supervisor_open, control_an_entry_of_a_thread_is_opened)
{
	begin_with_thread();
	cr_expect_geq(answer(), 0);
	finish();
}

Test(supervisor_open, who_got_the_number_of_a_thread_is_another_one)
{
	begin_with_thread();
	at_open = exchange_owner;
	cr_expect_lt(answer(), 0);
	cr_assert_neq(successor, 0, "the moment came");
	if (successor > 0) {
		kill(successor, SIGKILL);
		waitpid(successor, NULL, 0);
	} else {
		cr_expect_neq(geteuid(), 0u, "only who may choose process ids can force it: %s", strerror(errno));
	}
	finish();
}

/*
 * Files that have the names of magic links: in a copy of a mount that is attached nowhere, names begin at its root. So
 * with a rule on all descriptors, a caller that was given such a mount could name what was never opened for it.
 */
#define SECRET 109 /* known by name alone: O_PATH */
#define TREE   108

static char tree[PATH_MAX];

static void make_false_links(void)
{
	scoped_free char *file = format_text("%s/proc/%d/fd/%d", tree, (int)getpid(), SECRET);

	for (char *slash = file + strlen(tree) + 1; (slash = strchr(slash, '/')); *slash++ = '/') {
		*slash = '\0';
		mkdir(file, 0755);
	}
	if (mknod(file, S_IFREG | 0644, 0) < 0 || dup2(open("/etc/passwd", O_PATH), SECRET) < 0 ||
	    dup2((int)syscall(SYS_open_tree, AT_FDCWD, tree, 1 /* OPEN_TREE_CLONE */), TREE) < 0)
		_exit(1);
}

static void open_false_link(int end)
{
	scoped_free char *name = format_text("proc/%d/fd/%d", (int)getpid(), SECRET);

	(void)end;
	close(openat(TREE, name, O_RDONLY)); /* what comes of it, the supervisor's side tells */
}

Test(supervisor_open, a_file_with_the_name_of_a_link_is_none)
{
	int fd = (int)syscall(SYS_open_tree, AT_FDCWD, "/tmp", 1 /* OPEN_TREE_CLONE */);
	if (fd < 0)
		cr_skip_test("open_tree(2) copies no mount here: %s", strerror(errno));
	close(fd);
	own_directory(tree);
	prepare = make_false_links;
	begin(open_false_link, "allow = read_dir,read_file /proc/self/fd\n");
	fd = answer();
	cr_expect_lt(fd, 0);
	finish();
}
