/* What rules and domains can be, how far they reach, and what they do not hold (KERNEL-FACTS, all tables). */
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/io_uring.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "runner/confine.h"
#include "runner/landlock.h"
#include "tests/live/facts.h"

static int ruleset_of(rights_t handled)
{
	struct landlock_attribute attribute = {
		.handled_access_fs = handled & RIGHTS_FILE_SYSTEM,
		.handled_access_net = (handled & RIGHTS_NETWORK) >> RIGHTS_NETWORK_SHIFT,
		.scoped = (handled & RIGHTS_SCOPE) >> RIGHTS_SCOPE_SHIFT,
	};

	return landlock_create(&attribute, kernel_abi());
}

/* In a domain without rules that handles these rights; in a child, like attempt_under(). */
static rights_t handled_here;

static void enter(void)
{
	int ruleset = ruleset_of(handled_here);

	if (ruleset < 0 || prctl(PR_SET_NO_NEW_PRIVS, 1L, 0L, 0L, 0L) < 0 || landlock_restrict(ruleset, 0) < 0)
		_exit(251);
}

/* The rights table */
Test(table, a_kernel_takes_exactly_the_rights_of_its_abi)
{
	int abi = kernel_abi();

	for (const struct right *right = right_table; right->name; right++) {
		int ruleset = ruleset_of(right->bit);

		cr_expect_eq(ruleset >= 0, right->abi <= abi, "%s: %s", right->name, strerror(-ruleset));
	}
}

Test(table, rules_on_files_take_exactly_the_rights_of_files)
{
	rights_t known = rights_of_abi(kernel_abi()) & RIGHTS_FILE_SYSTEM;
	int file = open("/proc/self/exe", O_PATH);
	int directory = open("/", O_PATH);

	for (const struct right *right = right_table; right->name; right++) {
		int ruleset = ruleset_of(known);

		if (!(right->bit & known))
			continue;
		cr_expect_eq(landlock_add_path(ruleset, file, right->bit), right->on_file ? 0 : -EINVAL, "%s",
			     right->name);
		cr_expect_eq(landlock_add_path(ruleset, directory, right->bit), right->on_directory ? 0 : -EINVAL, "%s",
			     right->name);
		close(ruleset);
	}
}

Test(table, nothing_handled_or_nothing_allowed_is_refused)
{
	int directory = open("/", O_PATH);

	cr_assert_eq(ruleset_of(0), -ENOMSG);
	cr_assert_eq(landlock_add_path(ruleset_of(RIGHT_READ_FILE), directory, 0), -ENOMSG);
}

Test(table, a_rule_cannot_allow_what_is_not_handled)
{
	int directory = open("/", O_PATH);

	cr_assert_eq(landlock_add_path(ruleset_of(RIGHT_READ_FILE), directory, RIGHT_WRITE_FILE), -EINVAL);
}

/* Domains */
static int enter_many(int count)
{
	int ruleset = ruleset_of(RIGHT_MAKE_BLOCK);
	int result = 0;

	prctl(PR_SET_NO_NEW_PRIVS, 1L, 0L, 0L, 0L);
	for (int i = 0; i < count && result == 0; i++)
		result = landlock_restrict(ruleset, 0);
	return -result;
}

static int enters_16(void)
{
	return enter_many(16);
}

static int enters_65(void)
{
	return enter_many(65);
}

/* Linux up to 6.18 takes 16; manual pages of later ones speak of 64. */
Test(domain, layers_end_somewhere)
{
	cr_assert_eq(attempt_under(enters_16, NULL), 0);
	cr_assert_eq(attempt_under(enters_65, NULL), E2BIG);
}

/* Whose rule it is */
static int opens_own_status(void)
{
	return open("/proc/self/status", O_RDONLY) < 0 ? errno : 0;
}

static int child_opens_own_status(void)
{
	int status;
	pid_t pid = fork();

	if (pid == 0)
		_exit(opens_own_status());
	waitpid(pid, &status, 0);
	return WEXITSTATUS(status);
}

Test(rule, on_proc_self_holds_for_the_process_that_made_it)
{
	const struct rule *rules = RULES(ON("/proc/self/status", RIGHT_READ_FILE));

	cr_assert_eq(attempt_under(opens_own_status, rules), 0);
	cr_assert_eq(attempt_under(child_opens_own_status, NULL), 0);
	cr_assert_eq(attempt_under(child_opens_own_status, rules), EACCES);
	cr_assert_eq(attempt_under(child_opens_own_status, RULES(ON("/proc", RIGHT_READ_FILE))), 0);
}

/* A process outside the domain replaces d/f on a word from inside. */
static int opens_what_outside_replaced(void)
{
	char byte = 0;
	int words[2], answers[2];

	if (pipe(words) < 0 || pipe(answers) < 0)
		return errno;
	if (fork() == 0) {
		if (read(words[0], &byte, 1) == 1 && rename("f", "d/f") == 0)
			byte = 1;
		_exit(write(answers[1], &byte, 1) != 1);
	}
	restrict_to(RULES(ON("d/f", RIGHT_READ_FILE)));
	if (open("d/f", O_RDONLY) < 0)
		return EPERM;
	if (write(words[1], "w", 1) != 1 || read(answers[0], &byte, 1) != 1 || byte != 1)
		return EIO;
	return open("d/f", O_RDONLY) < 0 ? errno : 0;
}

Test(rule, stays_with_the_file_that_was_replaced)
{
	cr_assert_eq(attempt_under(opens_what_outside_replaced, NULL), EACCES);
}

static int reads_second_name(void)
{
	if (link("f", "e/second") < 0)
		return errno;
	restrict_to(RULES(ON("f", RIGHT_READ_FILE)));
	return open("e/second", O_RDONLY) < 0 ? errno : 0;
}

Test(rule, reaches_every_hard_link)
{
	cr_assert_eq(attempt_under(reads_second_name, NULL), 0);
}

static int opens_own_null_device(void)
{
	return mknod("n", S_IFCHR | 0600, makedev(1, 3)) < 0 || open("n", O_RDONLY) < 0 ? errno : 0;
}

static int opens_null_device(void)
{
	return open("/dev/null", O_RDONLY) < 0 ? errno : 0;
}

Test(rule, make_char_gives_devices)
{
	const struct rule *rules = RULES(ON(".", RIGHT_MAKE_CHAR | RIGHT_READ_FILE));

	if (geteuid() != 0) {
		cr_assert_eq(attempt_under(opens_own_null_device, rules), EPERM); /* only root makes devices */
		return;
	}
	if (attempt_under(opens_own_null_device, NULL) != 0)
		cr_skip_test("root cannot make devices here");
	cr_assert_eq(attempt_under(opens_own_null_device, rules), 0);
	cr_assert_eq(attempt_under(opens_null_device, rules), EACCES);
}

/* What a file system domain refuses beyond its rights, even when it grants all of them on the root */
static int enter_learning(void)
{
	struct error err = {0};

	return confine_learning(NULL, &err) == 0 ? 0 : 252;
}

static int mounts(bool learning)
{
	int flags = geteuid() == 0 ? CLONE_NEWNS : CLONE_NEWUSER | CLONE_NEWNS;

	if (unshare(flags) < 0 || mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) < 0)
		return ENOTSUP;
	if (learning && enter_learning())
		return 252;
	return mount("none", "e", "tmpfs", 0, NULL) < 0 ? errno : 0;
}

static int mounts_freely(void)
{
	return mounts(false);
}

static int mounts_while_learning(void)
{
	return mounts(true);
}

Test(learning, mount_is_refused)
{
	if (attempt_under(mounts_freely, NULL) != 0)
		cr_skip_test("this user cannot mount here");
	cr_assert_eq(attempt_under(mounts_while_learning, NULL), EPERM);
}

/* The memory of a process outside: the same check as for ptrace. */
static int reads_memory(bool learning)
{
	static char secret[] = "secret";
	char copy[sizeof secret];
	struct iovec local = {copy, sizeof copy}, remote = {secret, sizeof secret};
	pid_t pid = fork();
	int result;

	if (pid == 0) {
		pause();
		_exit(0);
	}
	if (learning && enter_learning())
		return 252;
	result = process_vm_readv(pid, &local, 1, &remote, 1, 0) < 0 ? errno : 0;
	kill(pid, SIGKILL);
	return result;
}

static int reads_memory_freely(void)
{
	return reads_memory(false);
}

static int reads_memory_while_learning(void)
{
	return reads_memory(true);
}

Test(learning, processes_outside_cannot_be_traced)
{
	if (attempt_under(reads_memory_freely, NULL) != 0)
		cr_skip_test("this process cannot read its child's memory");
	cr_assert_eq(attempt_under(reads_memory_while_learning, NULL), EPERM);
}

static int works_while_learning(void)
{
	if (enter_learning())
		return 252;
	if (rename("d/f", "e/n") < 0 || link("f", "e/l") < 0 || open("/etc/passwd", O_RDONLY) < 0 || rmdir("d") < 0)
		return errno;
	return execl("./s", "s", NULL) < 0 ? errno : 0;
}

Test(learning, everything_else_works)
{
	cr_assert_eq(attempt_under(works_while_learning, NULL), 0);
}

/* Scopes */
static pid_t process_outside;

static int signals_outside(void)
{
	enter();
	return kill(process_outside, 0) < 0 ? errno : 0;
}

static int signals_inside(void)
{
	pid_t pid;

	enter();
	pid = fork();
	if (pid == 0) {
		pause();
		_exit(0);
	}
	return kill(pid, SIGKILL) < 0 ? errno : 0;
}

Test(scope, signal)
{
	if (kernel_abi() < 6)
		cr_skip_test("scopes came with Landlock ABI 6");
	process_outside = getpid();
	handled_here = RIGHT_MAKE_BLOCK;
	cr_assert_eq(attempt_under(signals_outside, NULL), 0);
	handled_here = RIGHT_SIGNAL;
	cr_assert_eq(attempt_under(signals_outside, NULL), EPERM);
	cr_assert_eq(attempt_under(signals_inside, NULL), 0);
}

/* An abstract name that no other test has. */
static socklen_t abstract_address(struct sockaddr_un *address, const char *name)
{
	*address = (struct sockaddr_un){.sun_family = AF_UNIX};
	return (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 +
			   (size_t)snprintf(address->sun_path + 1, 60, "trace-run-%s-%d", name, (int)process_outside));
}

static int listen_abstract(const char *name)
{
	struct sockaddr_un address;
	socklen_t length = abstract_address(&address, name);
	int fd = socket(AF_UNIX, SOCK_STREAM, 0);

	return bind(fd, (struct sockaddr *)&address, length) < 0 || listen(fd, 64) < 0 ? -errno : fd;
}

static int connect_abstract(const char *name)
{
	struct sockaddr_un address;
	socklen_t length = abstract_address(&address, name);

	return connect(socket(AF_UNIX, SOCK_STREAM, 0), (struct sockaddr *)&address, length) < 0 ? errno : 0;
}

static int connects_to_abstract_outside(void)
{
	enter();
	return connect_abstract("outside");
}

static int connects_to_abstract_inside(void)
{
	enter();
	return listen_abstract("inside") < 0 ? 253 : connect_abstract("inside");
}

Test(scope, abstract_unix_socket)
{
	if (kernel_abi() < 6)
		cr_skip_test("scopes came with Landlock ABI 6");
	process_outside = getpid();
	cr_assert_geq(listen_abstract("outside"), 0);
	handled_here = RIGHT_MAKE_BLOCK;
	cr_assert_eq(attempt_under(connects_to_abstract_outside, NULL), 0);
	handled_here = RIGHT_ABSTRACT_UNIX_SOCKET;
	cr_assert_eq(attempt_under(connects_to_abstract_outside, NULL), EPERM);
	cr_assert_eq(attempt_under(connects_to_abstract_inside, NULL), 0);
}

/* Ports */
static uint16_t port_outside;

static struct sockaddr_in loopback(uint16_t port)
{
	return (struct sockaddr_in){
		.sin_family = AF_INET, .sin_port = htons(port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
}

static int use_port(int type, int (*use)(int, const struct sockaddr *, socklen_t), uint16_t port)
{
	struct sockaddr_in address = loopback(port);

	enter();
	return use(socket(AF_INET, type, 0), (struct sockaddr *)&address, sizeof address) < 0 ? errno : 0;
}

static int connects_tcp(void)
{
	return use_port(SOCK_STREAM, connect, port_outside);
}

static int binds_tcp(void)
{
	return use_port(SOCK_STREAM, bind, 0);
}

static int connects_udp(void)
{
	return use_port(SOCK_DGRAM, connect, 9);
}

static void check_port(attempt_fn *attempt, rights_t right)
{
	handled_here = RIGHT_MAKE_BLOCK;
	cr_assert_eq(attempt_under(attempt, NULL), 0);
	handled_here = rights_of_abi(kernel_abi()) & RIGHTS_NETWORK;
	cr_assert_eq(attempt_under(attempt, NULL), handled_here & right ? EACCES : 0);
}

Test(port, without_rules)
{
	struct sockaddr_in address = loopback(0);
	socklen_t length = sizeof address;
	int fd = socket(AF_INET, SOCK_STREAM, 0);

	if (kernel_abi() < 4)
		cr_skip_test("ports came with Landlock ABI 4");
	cr_assert_eq(bind(fd, (struct sockaddr *)&address, sizeof address), 0);
	cr_assert_eq(listen(fd, 64), 0);
	cr_assert_eq(getsockname(fd, (struct sockaddr *)&address, &length), 0);
	port_outside = ntohs(address.sin_port);
	check_port(connects_tcp, RIGHT_CONNECT_TCP);
	check_port(binds_tcp, RIGHT_BIND_TCP);
	check_port(connects_udp, RIGHT_CONNECT_SEND_UDP);
}

/* io_uring: the kernel opens on the program's behalf, and asks Landlock all the same */
struct ring {
	int fd;
	struct io_uring_params params;
	unsigned char *submission, *completion;
	struct io_uring_sqe *entries;
};

static int ring_open(struct ring *ring)
{
	size_t submission, completion;

	ring->fd = (int)syscall(SYS_io_uring_setup, 1, &ring->params);
	if (ring->fd < 0)
		return errno;
	submission = ring->params.sq_off.array + ring->params.sq_entries * sizeof(unsigned);
	completion = ring->params.cq_off.cqes + ring->params.cq_entries * sizeof(struct io_uring_cqe);
	ring->submission =
		mmap(NULL, submission, PROT_READ | PROT_WRITE, MAP_SHARED, ring->fd, (off_t)IORING_OFF_SQ_RING);
	ring->completion =
		mmap(NULL, completion, PROT_READ | PROT_WRITE, MAP_SHARED, ring->fd, (off_t)IORING_OFF_CQ_RING);
	ring->entries =
		mmap(NULL, sizeof *ring->entries, PROT_READ | PROT_WRITE, MAP_SHARED, ring->fd, (off_t)IORING_OFF_SQES);
	return ring->submission == MAP_FAILED || ring->completion == MAP_FAILED || ring->entries == MAP_FAILED ? errno
													       : 0;
}

static int opens_through_ring(void)
{
	struct ring ring = {0};
	int result = ring_open(&ring);
	const struct io_uring_cqe *completed;

	if (result)
		return result;
	*ring.entries = (struct io_uring_sqe){
		.opcode = IORING_OP_OPENAT, .fd = AT_FDCWD, .addr = (uintptr_t) "f", .open_flags = O_RDONLY};
	*(unsigned *)(void *)(ring.submission + ring.params.sq_off.array) = 0;
	++*(unsigned *)(void *)(ring.submission + ring.params.sq_off.tail);
	if (syscall(SYS_io_uring_enter, ring.fd, 1, 1, IORING_ENTER_GETEVENTS, NULL, 0) < 0)
		return errno;
	completed = (const void *)(ring.completion + ring.params.cq_off.cqes);
	return completed->res < 0 ? -completed->res : 0;
}

Test(ring, opens_are_checked)
{
	if (attempt_under(opens_through_ring, NULL) != 0)
		cr_skip_test("there is no io_uring here");
	needs(opens_through_ring, 0, EACCES, RULES(ON("f", RIGHT_READ_FILE)));
}
