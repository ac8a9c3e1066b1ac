/*
 * The filter says of each call what the table says, on every architecture. Filters are run here as the kernel runs them
 * (Documentation/networking/filter.rst), so no kernel of that architecture is needed.
 */
#include <criterion/criterion.h>
#include <errno.h>
#include <linux/audit.h>
#include <linux/seccomp.h>
#include <seccomp.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include "base/call_numbers.h"
#include "base/memory.h"
#include "runner/seccomp_filter.h"
#include "tests/unit/bpf_run.h"

#define X32_BIT 0x40000000U

/* What the table says: the errno of the first of the call's rows that fit and whose groups are closed; 0 for none. */
static int told(const char *name, const uint64_t arguments[6], seccomp_set_t refused)
{
	for (const struct seccomp_call *call = seccomp_call_table; *call->name; call++)
		if (refused & SECCOMP_SET(call->group) && strcmp(call->name, name) == 0 &&
		    seccomp_call_holds(call, arguments))
			return call->error ? call->error : seccomp_group_table[call->group].error;
	return 0;
}

static bool fits(const char *name, const uint64_t arguments[6], seccomp_set_t refused, uint32_t answer)
{
	int error = told(name, arguments, refused);

	return answer == (error ? SECCOMP_RET_ERRNO | (uint32_t)error : SECCOMP_RET_ALLOW);
}

/* What its arguments are: families, flags and calls; types, requests and pointers; protocols and flags. */
static const uint32_t firsts[] = {0,  1,  2,  3,     8,		 10,	     11,	 16,	     20,
				  38, 40, 45, 0x400, 0x20000080, 0x10000011, 0x02000000, 0x00020000, 0x80000002};
static const uint32_t seconds[] = {0, 1, 2, 3, 5, 6, 10, 0x80801, 0x80002, 0x5412, 0x5413, 0x541c, 0x5437, 0x4b47};
static const uint32_t thirds[] = {0, 1, 5, 6, 7, 16, 17, 58, 132, 136, 255, 256, 262, 0x20000000, 0x20004000};

static void fill(size_t which, bool wide, uint64_t arguments[6])
{
	arguments[0] = firsts[which % ARRAY_LENGTH(firsts)];
	arguments[1] = seconds[which / ARRAY_LENGTH(firsts) % ARRAY_LENGTH(seconds)];
	arguments[2] = thirds[which / ARRAY_LENGTH(firsts) / ARRAY_LENGTH(seconds)];
	arguments[3] = thirds[which % ARRAY_LENGTH(thirds)];
	for (size_t i = 0; wide && which % 3 == 0 && i < 4; i++)
		arguments[i] |= 0x123400000000; /* garbage where the kernel does not look, unless it is a pointer */
	if (which % 5 == 0)
		arguments[1] = wide ? 0x7f0000000000 : 0;
}

static void expect_one(const struct sock_fprog *program, seccomp_set_t refused, const char *name,
		       const struct seccomp_data *data)
{
	uint64_t arguments[6];

	memcpy(arguments, data->args, sizeof arguments);
	if (!fits(name, arguments, refused, bpf_run(program, data)))
		cr_assert_fail("%s on %x with %lx %lx %lx %lx, refused %x: %x", name, data->arch,
			       (unsigned long)arguments[0], (unsigned long)arguments[1], (unsigned long)arguments[2],
			       (unsigned long)arguments[3], refused, bpf_run(program, data));
}

/* Each value that a row asks for, and its neighbours. */
static void expect_values(const struct sock_fprog *program, seccomp_set_t refused, uint32_t architecture,
			  const struct seccomp_call *call, int number)
{
	for (size_t i = 0; i < CALL_CONDITIONS; i++)
		for (size_t value = 0; value < call->conditions[i].count; value++)
			for (uint32_t beside = 0; beside < 3; beside++) {
				struct seccomp_data data = {.nr = number, .arch = architecture};

				data.args[call->conditions[i].argument] =
					call->conditions[i].values[value] + beside - 1;
				expect_one(program, refused, call->name, &data);
			}
}

static void expect_call(const struct sock_fprog *program, seccomp_set_t refused, uint32_t architecture,
			const struct seccomp_call *call, int number)
{
	size_t all = ARRAY_LENGTH(firsts) * ARRAY_LENGTH(seconds) * ARRAY_LENGTH(thirds);
	size_t step = !call->conditions[0].match ? 500 : refused == SECCOMP_EVERY_GROUP ? 1 : 7;

	for (size_t i = 0; i < all; i += step) {
		uint64_t arguments[6] = {0};
		struct seccomp_data data = {.nr = number, .arch = architecture};

		fill(i, architecture & __AUDIT_ARCH_64BIT, arguments);
		memcpy(data.args, arguments, sizeof data.args);
		expect_one(program, refused, call->name, &data);
	}
}

static void expect_all(seccomp_set_t refused, uint32_t native, uint32_t architecture, uint32_t bits)
{
	struct sock_fprog program = seccomp_filter_build(refused, NULL, native);
	const char *before = "";

	cr_expect_lt(program.len, 400, "%u", program.len); /* each start has it compiled */
	for (const struct seccomp_call *call = seccomp_call_table; *call->name; call++) {
		int number = call_number_of(call->name, bits ? SCMP_ARCH_X32 : architecture);

		if (number >= 0)
			expect_values(&program, refused, architecture, call, number);
		if (number >= 0 && strcmp(before, call->name) != 0)
			expect_call(&program, refused, architecture, call, number);
		before = call->name;
	}
	for (int number = 0; number < 200; number++) {
		char *name = seccomp_syscall_resolve_num_arch(bits ? SCMP_ARCH_X32 : architecture,
							      (int)((uint32_t)number | bits));
		struct seccomp_data data = {.nr = (int)((uint32_t)number | bits), .arch = architecture};
		uint64_t none[6] = {0};

		if (name && strncmp(name, "socket", 6) != 0)
			cr_expect(fits(name, none, refused, bpf_run(&program, &data)), "%s on %x", name, architecture);
		free(name);
	}
	free(program.filter);
}

static void expect_architectures(seccomp_set_t refused)
{
	expect_all(refused, SCMP_ARCH_X86_64, SCMP_ARCH_X86_64, 0);
	expect_all(refused, SCMP_ARCH_X86_64, SCMP_ARCH_X86_64, X32_BIT);
	expect_all(refused, SCMP_ARCH_X86_64, SCMP_ARCH_X86, 0);
	expect_all(refused, SCMP_ARCH_AARCH64, SCMP_ARCH_AARCH64, 0);
	expect_all(refused, SCMP_ARCH_AARCH64, SCMP_ARCH_ARM, 0);
}

Test(seccomp_filter, everything_closed)
{
	expect_architectures(SECCOMP_EVERY_GROUP);
}

Test(seccomp_filter, all_words_open)
{
	expect_architectures(SECCOMP_SET(SECCOMP_ALWAYS));
}

Test(seccomp_filter, nothing_refused)
{
	expect_architectures(0);
}

Test(seccomp_filter, each_word_alone)
{
	for (unsigned group = SECCOMP_ALWAYS + 1; group < SECCOMP_GROUPS; group++)
		expect_architectures(SECCOMP_SET(group));
}

Test(seccomp_filter, each_word_alone_open)
{
	for (unsigned group = SECCOMP_ALWAYS + 1; group < SECCOMP_GROUPS; group++)
		expect_architectures(SECCOMP_EVERY_GROUP & ~SECCOMP_SET(group));
}

static bool is_named(seccomp_set_t refused, uint32_t architecture, uint32_t number)
{
	for (const struct seccomp_call *call = seccomp_call_table; *call->name; call++) {
		int own = call_number_of(call->name, architecture);
		int x32 = architecture == SCMP_ARCH_X86_64 ? call_number_of(call->name, SCMP_ARCH_X32) : -1;

		if (refused & SECCOMP_SET(call->group) &&
		    ((own >= 0 && (uint32_t)own == number) || (x32 >= 0 && ((uint32_t)x32 & ~X32_BIT) == number)))
			return true;
	}
	return false;
}

/* From Linux 5.11 on they do not run the filter: what it costs a program are the few that the table names. */
static void expect_free(seccomp_set_t refused, uint32_t native, uint32_t architecture)
{
	struct sock_fprog program = seccomp_filter_build(refused, NULL, native);

	for (uint32_t number = 0; number < 600; number++)
		cr_expect_neq(bpf_allows_whatever(&program, architecture, number, 24),
			      is_named(refused, architecture, number), "%u on %x, refused %x", number, architecture,
			      refused);
	free(program.filter);
}

Test(seccomp_filter, calls_that_no_row_names_do_not_run_it)
{
	static const seccomp_set_t sets[] = {SECCOMP_EVERY_GROUP, SECCOMP_SET(SECCOMP_ALWAYS),
					     SECCOMP_EVERY_GROUP & ~SECCOMP_SET(SECCOMP_METADATA)};

	for (size_t i = 0; i < ARRAY_LENGTH(sets); i++) {
		expect_free(sets[i], SCMP_ARCH_X86_64, SCMP_ARCH_X86_64);
		expect_free(sets[i], SCMP_ARCH_X86_64, SCMP_ARCH_X86);
		expect_free(sets[i], SCMP_ARCH_AARCH64, SCMP_ARCH_AARCH64);
		expect_free(sets[i], SCMP_ARCH_AARCH64, SCMP_ARCH_ARM);
	}
}

/* What programs call most; ioctl and sendto are asked for their arguments. */
Test(seccomp_filter, frequent_calls_do_not_run_it)
{
	static const char *const frequent[] = {
		"read",	      "write",	     "openat",	     "open",	       "close",		"fstat",
		"newfstatat", "statx",	     "lseek",	     "mmap",	       "munmap",	"mprotect",
		"brk",	      "futex",	     "poll",	     "epoll_wait",     "epoll_pwait",	"recvfrom",
		"recvmsg",    "accept4",     "connect",	     "pread64",	       "pwrite64",	"readv",
		"writev",     "getdents64",  "readlink",     "access",	       "faccessat2",	"execve",
		"wait4",      "exit_group",  "rt_sigaction", "rt_sigprocmask", "clock_gettime", "nanosleep",
		"getpid",     "dup2",	     "pipe2",	     "fcntl",	       "rename",	"unlink",
		"mkdir",      "sched_yield", "madvise",	     "vfork"};
	struct sock_fprog program = seccomp_filter_build(SECCOMP_EVERY_GROUP, NULL, SCMP_ARCH_X86_64);

	for (size_t i = 0; i < ARRAY_LENGTH(frequent); i++) {
		int number = seccomp_syscall_resolve_name_arch(SCMP_ARCH_X86_64, frequent[i]);

		cr_assert_geq(number, 0, "%s", frequent[i]);
		cr_expect(bpf_allows_whatever(&program, AUDIT_ARCH_X86_64, (uint32_t)number, 24), "%s", frequent[i]);
	}
	free(program.filter);
}

/* Kernels before 5.16 took the numbers that are x32's alone from everybody. */
Test(seccomp_filter, numbers_of_x32_are_refused_without_its_bit)
{
	struct sock_fprog program = seccomp_filter_build(SECCOMP_EVERY_GROUP, NULL, SCMP_ARCH_X86_64);
	struct seccomp_data data = {
		.nr = 514 /* ioctl */, .arch = AUDIT_ARCH_X86_64, .args = {0, 0x5412 /* TIOCSTI */}};

	cr_expect_eq(bpf_run(&program, &data), SECCOMP_RET_ERRNO | EPERM);
	data.args[1] = 0x5401; /* TCGETS */
	cr_expect_eq(bpf_run(&program, &data), SECCOMP_RET_ALLOW);
	data.nr = 528; /* kexec_load */
	cr_expect_eq(bpf_run(&program, &data), SECCOMP_RET_ERRNO | EPERM);
	free(program.filter);
}

Test(seccomp_filter, an_unknown_architecture_gets_nothing)
{
	struct sock_fprog program = seccomp_filter_build(SECCOMP_EVERY_GROUP, NULL, SCMP_ARCH_X86_64);
	struct seccomp_data data = {.nr = 39, .arch = AUDIT_ARCH_MIPS};

	cr_expect_eq(bpf_run(&program, &data), SECCOMP_RET_ERRNO | ENOSYS);
	free(program.filter);
}

Test(seccomp_filter, what_hides_is_refused_while_learning)
{
	static const struct seccomp_learning answers;
	struct sock_fprog program = seccomp_filter_build(SECCOMP_SET(SECCOMP_ALWAYS), &answers, SCMP_ARCH_X86_64);
	struct seccomp_data data = {.nr = 435 /* clone3 */, .arch = AUDIT_ARCH_X86_64};

	cr_expect_eq(bpf_run(&program, &data), SECCOMP_RET_ERRNO | ENOSYS);
	data.nr = 161; /* chroot */
	cr_expect_eq(bpf_run(&program, &data), SECCOMP_RET_ALLOW);
	data.nr = 169; /* reboot */
	cr_expect_eq(bpf_run(&program, &data), SECCOMP_RET_ERRNO | EPERM);
	free(program.filter);
}

Test(seccomp_filter, what_is_refused_always_stops_where_it_is_to_be_heard)
{
	static const struct seccomp_learning stops = {.mark = 0x1234};
	struct sock_fprog program = seccomp_filter_build(SECCOMP_SET(SECCOMP_ALWAYS), &stops, SCMP_ARCH_X86_64);
	struct seccomp_data data = {.nr = 16 /* ioctl */, .arch = AUDIT_ARCH_X86_64, .args = {0, 0x5412 /* TIOCSTI */}};

	cr_expect_eq(bpf_run(&program, &data), SECCOMP_RET_TRACE | 0x1234);
	data.args[1] = 0x5401; /* TCGETS */
	cr_expect_eq(bpf_run(&program, &data), SECCOMP_RET_ALLOW);
	data.nr = 169; /* reboot */
	cr_expect_eq(bpf_run(&program, &data), SECCOMP_RET_TRACE | 0x1234);
	data = (struct seccomp_data){.nr = 44 /* sendto */, .arch = AUDIT_ARCH_X86_64, .args = {0, 0, 0, 0x20000000}};
	cr_expect_eq(bpf_run(&program, &data), SECCOMP_RET_TRACE | 0x1234);
	data = (struct seccomp_data){.nr = 435 /* clone3 */, .arch = AUDIT_ARCH_X86_64};
	cr_expect_eq(bpf_run(&program, &data), SECCOMP_RET_ERRNO | ENOSYS, "nothing is to be told of it");
	free(program.filter);
}
