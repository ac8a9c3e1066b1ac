/* Which opens the program's filter asks the supervisor about: all that it could answer, and few others; what it may do
 * itself. */
#include <criterion/criterion.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/architecture.h"
#include "base/memory.h"
#include "runner/supervisor_call.h"
#include "runner/supervisor_filter.h"
#include "tests/unit/bpf_run.h"

#define STATUS	"/proc/self/status"
#define X32_BIT 0x40000000

static const rights_t rights_of_opens[] = {RIGHT_READ_FILE, RIGHT_WRITE_FILE, RIGHT_TRUNCATE, RIGHT_READ_DIR};
static const int flags_of_opens[] = {O_WRONLY,	 O_RDWR,   O_CREAT,	O_EXCL,
				     O_TRUNC,	 O_PATH,   O_DIRECTORY, O_TMPFILE & ~O_DIRECTORY,
				     O_NOFOLLOW, O_CLOEXEC};

static struct open_numbers numbers[OPEN_ARCHITECTURES];

static uint64_t pick(size_t bits, size_t i, uint64_t value)
{
	return bits & 1UL << i ? value : 0;
}

static struct seccomp_data open_data(size_t architecture, enum open_kind kind, uint64_t flags)
{
	struct seccomp_data data = {.arch = numbers[architecture].architecture,
				    .nr = numbers[architecture].number[kind],
				    .args = {(uint64_t)AT_FDCWD, (uintptr_t)STATUS, flags}};

	if (kind == OPEN_PLAIN) {
		data.args[0] = (uintptr_t)STATUS;
		data.args[1] = flags;
	}
	return data;
}

/* What opener_open() can say yes to: what is there has this mode, and is granted all that is served. */
static bool is_answered(const struct open_call *call, mode_t mode, rights_t served)
{
	rights_t asked = open_call_rights(call, mode);

	return asked && !(asked & ~served) && !(S_ISREG(mode) && call->flags & O_DIRECTORY);
}

static bool is_asked(const struct sock_fprog *program, struct seccomp_data data)
{
	return bpf_run(program, &data) == SECCOMP_RET_USER_NOTIF;
}

static void expect_asked(const struct sock_fprog *program, size_t architecture, enum open_kind kind, rights_t served,
			 uint64_t flags)
{
	struct seccomp_data data = open_data(architecture, kind, flags);
	struct seccomp_notif request = {.pid = (uint32_t)getpid(), .data = data};
	struct open_call call;

	if (data.nr < 0 || open_call_read(numbers, &request, &call) != 0)
		return;
	if (is_answered(&call, S_IFREG, served) || is_answered(&call, S_IFDIR, served))
		cr_expect(is_asked(program, data), "architecture %zu, kind %d: rights %#llx, flags %#llo", architecture,
			  (int)kind, (unsigned long long)served, (unsigned long long)flags);
}

Test(supervisor_filter, asks_about_all_that_can_be_answered)
{
	open_numbers_init(numbers);
	for (size_t r = 0; r < 1UL << ARRAY_LENGTH(rights_of_opens); r++) {
		struct sock_fprog program;
		rights_t served = 0;

		for (size_t i = 0; i < ARRAY_LENGTH(rights_of_opens); i++)
			served |= pick(r, i, rights_of_opens[i]);
		program = filter_make_program(served, architecture_native());
		cr_assert_gt(program.len, 0);
		for (size_t f = 0; f < 1UL << ARRAY_LENGTH(flags_of_opens); f++) {
			uint64_t flags = 0;

			for (size_t i = 0; i < ARRAY_LENGTH(flags_of_opens); i++)
				flags |= pick(f, i, (uint64_t)flags_of_opens[i]);
			for (size_t a = 0; a < OPEN_ARCHITECTURES && numbers[a].architecture; a++)
				for (int kind = OPEN_PLAIN; kind <= OPEN_AT; kind++)
					expect_asked(&program, a, (enum open_kind)kind, served, flags);
		}
		free(program.filter);
	}
}

static bool asks(rights_t served, uint64_t flags)
{
	struct sock_fprog program = filter_make_program(served, architecture_native());
	bool asked;

	open_numbers_init(numbers);
	asked = is_asked(&program, open_data(0, OPEN_AT, flags));
	free(program.filter);
	return asked;
}

/* Each of these would cost two wake-ups for nothing. */
Test(supervisor_filter, and_not_about_what_no_line_grants)
{
	cr_expect(asks(RIGHT_READ_FILE, O_RDONLY | O_CLOEXEC));
	cr_expect_not(asks(RIGHT_READ_FILE, O_RDONLY | O_DIRECTORY));
	cr_expect_not(asks(RIGHT_READ_FILE, O_RDONLY | O_TRUNC));
	cr_expect_not(asks(RIGHT_READ_FILE, O_WRONLY));
	cr_expect_not(asks(RIGHT_READ_FILE, O_RDWR));
	cr_expect(asks(RIGHT_READ_DIR, O_RDONLY | O_DIRECTORY));
	cr_expect(asks(RIGHT_READ_DIR, O_RDONLY), "a directory may be opened without saying so");
	cr_expect_not(asks(RIGHT_WRITE_FILE, O_RDONLY));
	cr_expect(asks(RIGHT_WRITE_FILE, O_WRONLY | O_CREAT));
	cr_expect_not(asks(RIGHT_WRITE_FILE, O_WRONLY | O_TRUNC));
	cr_expect(asks(RIGHT_WRITE_FILE | RIGHT_TRUNCATE, O_WRONLY | O_TRUNC));
	cr_expect_not(asks(RIGHT_WRITE_FILE, O_RDWR));
	cr_expect_not(asks(RIGHTS_FILE_SYSTEM, O_RDWR | O_CREAT | O_EXCL), "no file is made in /proc");
	cr_expect(asks(RIGHTS_FILE_SYSTEM, O_RDWR | O_EXCL), "without O_CREAT it says nothing");
	cr_expect_not(asks(RIGHTS_FILE_SYSTEM, O_RDWR | O_TMPFILE));
	cr_expect_not(asks(RIGHTS_FILE_SYSTEM, O_PATH));
	cr_expect_not(asks(RIGHTS_FILE_SYSTEM, O_ACCMODE));
	cr_expect(asks(RIGHT_TRUNCATE, O_ACCMODE | O_TRUNC));
	cr_expect_not(asks(RIGHT_READ_FILE | RIGHT_WRITE_FILE, O_ACCMODE | O_TRUNC));
	cr_expect_not(asks(0, O_RDONLY));
}

static uint32_t answer(struct sock_fprog program, uint32_t architecture, int number, uint64_t first, uint64_t second)
{
	struct seccomp_data data = {.nr = number, .arch = architecture, .args = {first, second}};
	uint32_t result;

	cr_assert_gt(program.len, 0);
	result = bpf_run(&program, &data);
	free(program.filter);
	return result;
}

/* The kernel refuses them itself, by the domain. */
Test(supervisor_filter, what_no_table_knows_is_the_kernels)
{
	struct sock_fprog on_x86_64 = filter_make_program(RIGHT_READ_FILE, AUDIT_ARCH_X86_64);
	struct sock_fprog again = filter_make_program(RIGHT_READ_FILE, AUDIT_ARCH_X86_64);

	cr_expect_eq(answer(on_x86_64, AUDIT_ARCH_X86_64, X32_BIT | 2 /* open */, 0, O_RDONLY), SECCOMP_RET_ALLOW);
	cr_expect_eq(answer(again, AUDIT_ARCH_MIPS, 2, 0, O_RDONLY), SECCOMP_RET_ALLOW);
}

static uint32_t own_answer(int number, uint64_t first, uint64_t second)
{
	return answer(call_filter_build(&filter_of_supervisor, AUDIT_ARCH_X86_64), AUDIT_ARCH_X86_64, number, first,
		      second);
}

Test(supervisor_filter, the_supervisor_may_do_this_alone)
{
	int allowed = 0;

	for (int number = 0; number < 600; number++)
		allowed += own_answer(number, 0, 0) == SECCOMP_RET_ALLOW;
	cr_expect_eq(allowed, 39, "%d calls are allowed without a condition", allowed);
	cr_expect_eq(own_answer(437 /* openat2 */, 0, 0), SECCOMP_RET_ALLOW);
	cr_expect_eq(own_answer(310 /* process_vm_readv */, 0, 0), SECCOMP_RET_ALLOW);
	cr_expect_eq(own_answer(257 /* openat */, 0, 0), SECCOMP_RET_KILL_PROCESS);
	cr_expect_eq(own_answer(59 /* execve */, 0, 0), SECCOMP_RET_KILL_PROCESS);
	cr_expect_eq(own_answer(311 /* process_vm_writev */, 0, 0), SECCOMP_RET_KILL_PROCESS);
	cr_expect_eq(own_answer(-1, 0, 0), SECCOMP_RET_KILL_PROCESS);
}

Test(supervisor_filter, with_these_arguments)
{
	int clone = 56, setns = 308, ioctl = 16;

	cr_expect_eq(own_answer(clone, SIGCHLD, 0), SECCOMP_RET_ALLOW);
	cr_expect_eq(own_answer(clone, SIGCHLD | CLONE_CHILD_SETTID | CLONE_CHILD_CLEARTID, 0), SECCOMP_RET_ALLOW);
	cr_expect_eq(own_answer(clone, SIGCHLD | CLONE_VM, 0), SECCOMP_RET_KILL_PROCESS);
	cr_expect_eq(own_answer(clone, SIGCHLD | CLONE_NEWUSER, 0), SECCOMP_RET_KILL_PROCESS);
	cr_expect_eq(own_answer(setns, 0, CLONE_NEWUSER), SECCOMP_RET_ALLOW);
	cr_expect_eq(own_answer(setns, 0, CLONE_NEWNS), SECCOMP_RET_KILL_PROCESS);
	cr_expect_eq(own_answer(ioctl, 0, 0xc0502100 /* NOTIF_RECV */), SECCOMP_RET_ALLOW);
	cr_expect_eq(own_answer(ioctl, 0, 0x40182103 /* NOTIF_ADDFD */), SECCOMP_RET_ALLOW);
	cr_expect_eq(own_answer(ioctl, 0, TIOCSTI), SECCOMP_RET_KILL_PROCESS);
}

Test(supervisor_filter, the_supervisor_has_no_other_calls)
{
	cr_expect_eq(answer(call_filter_build(&filter_of_supervisor, AUDIT_ARCH_X86_64), AUDIT_ARCH_I386, 3 /* read */,
			    0, 0),
		     SECCOMP_RET_KILL_PROCESS);
	cr_expect_eq(own_answer(X32_BIT, 0, 0), SECCOMP_RET_KILL_PROCESS);
}
