/* The tracer's filter stops what the table and the options say, on each architecture, and lets everything else pass. */
#include <criterion/criterion.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <sched.h>
#include <stdlib.h>

#include "base/architecture.h"
#include "base/memory.h"
#include "tests/unit/bpf_run.h"
#include "tracer/decode.h"
#include "tracer/filter.h"
#include "tracer/syscalls.h"

#define X32_BIT 0x40000000

static const uint64_t values[] = {0,
				  1,
				  2,
				  4,
				  22,
				  17,
				  F_SETOWN,
				  F_SETOWN_EX,
				  0x8901 /* FIOSETOWN */,
				  0x8902 /* SIOCSPGRP */,
				  0x8903,
				  O_PATH,
				  AT_EMPTY_PATH,
				  AT_EMPTY_PATH | AT_SYMLINK_NOFOLLOW,
				  O_PATH | O_CLOEXEC,
				  O_CREAT | O_WRONLY,
				  0x5441 /* TIOCGPTPEER */,
				  0x100005441,
				  0x5401,
				  CLONE_FILES | 17,
				  CLONE_FILES | CLONE_THREAD,
				  CLONE_UNTRACED | CLONE_THREAD | CLONE_FILES,
				  CLONE_NEWUSER,
				  CLONE_NEWNS | CLONE_THREAD,
				  0x700000000000,
				  0x700000000000 | O_PATH,
				  UINT64_MAX};

static struct trace_options options_of(unsigned which)
{
	return (struct trace_options){
		.looks = which & 1, .calls = which & 2 ? TRACE_CALLS_ENFORCED : TRACE_CALLS_ALL, .absent = which & 4};
}

/* What trace.h says of the options. */
static bool is_to_stop(const struct syscall_row *row, const struct trace_options *options, const uint64_t arguments[6])
{
	bool all = options->calls == TRACE_CALLS_ALL;

	if (!row)
		return false;
	if (row->class == CALL_CHECK && all && options->looks)
		return true;
	if (row->class == CALL_LOOK)
		return all && options->looks && syscall_is_stopped(row, arguments);
	if (row->class == CALL_CHECK)
		return (all || options->absent) && syscall_is_stopped(row, arguments);
	return (all || row->enforced) && syscall_is_stopped(row, arguments);
}

static uint32_t mark_of(const char *name)
{
	if (strcmp(name, "clone") == 0 || strcmp(name, "clone3") == 0)
		return FILTER_MARK_CLONE;
	if (strcmp(name, "sched_getaffinity") == 0)
		return FILTER_MARK_ASK;
	return strncmp(name, "sched_set", 9) == 0 ? FILTER_MARK_SET : FILTER_MARK;
}

static void expect_number(const struct sock_fprog *program, const struct trace_options *options,
			  const struct syscall_row *row, uint32_t architecture, int number)
{
	bool wide = architecture & __AUDIT_ARCH_64BIT;

	for (size_t i = 0; i < (row && row->stop ? 6 * ARRAY_LENGTH(values) : 1); i++) {
		struct seccomp_data data = {.nr = number, .arch = architecture};
		uint64_t arguments[6] = {0};
		bool stops;

		arguments[i / ARRAY_LENGTH(values)] =
			values[i % ARRAY_LENGTH(values)] & (wide ? UINT64_MAX : UINT32_MAX);
		memcpy(data.args, arguments, sizeof data.args);
		stops = is_to_stop(row, options, arguments);
		cr_expect_eq(bpf_run(program, &data),
			     stops ? SECCOMP_RET_TRACE | mark_of(row->name) : SECCOMP_RET_ALLOW,
			     "%s (%d on %x) with argument %zu %lx", row ? row->name : "none", number, architecture,
			     i / ARRAY_LENGTH(values), (unsigned long)arguments[i / ARRAY_LENGTH(values)]);
	}
}

static void expect_all(unsigned which, uint32_t native)
{
	const struct trace_options options = options_of(which);
	struct sock_fprog program = filter_build(&options, native);
	struct syscall_index index = {0};

	cr_assert(program.len > 0 && program.len < 600, "%u", program.len); /* each start has it compiled */
	syscall_index_init(&index, native);
	for (int number = 0; number < SYSCALL_NUMBERS; number++) {
		uint32_t second = architecture_second(native);

		expect_number(&program, &options, syscall_find(&index, native, (uint64_t)number), native, number);
		if (second)
			expect_number(&program, &options, syscall_find(&index, second, (uint64_t)number), second,
				      number);
	}
	free(program.filter);
}

Test(filter, stops_what_the_table_says)
{
	for (unsigned which = 0; which < 8; which++) {
		expect_all(which, AUDIT_ARCH_X86_64);
		expect_all(which, AUDIT_ARCH_AARCH64);
		expect_all(which, AUDIT_ARCH_RISCV64);
	}
}

static uint32_t answer(const struct trace_options *options, uint32_t architecture, int number, uint64_t third)
{
	struct sock_fprog program = filter_build(options, AUDIT_ARCH_X86_64);
	struct seccomp_data data = {.nr = number, .arch = architecture, .args = {[2] = third}};
	uint32_t result = bpf_run(&program, &data);

	free(program.filter);
	return result;
}

#define STOPS(mark) (SECCOMP_RET_TRACE | (mark))

/* By their numbers, which do not come from a table. */
Test(filter, stops_these)
{
	struct trace_options all = {.looks = true}, enforced = {.calls = TRACE_CALLS_ENFORCED};

	cr_expect_eq(answer(&enforced, AUDIT_ARCH_X86_64, 257 /* openat */, O_RDONLY), STOPS(FILTER_MARK));
	cr_expect_eq(answer(&enforced, AUDIT_ARCH_X86_64, 257, O_PATH), SECCOMP_RET_ALLOW);
	cr_expect_eq(answer(&enforced, AUDIT_ARCH_I386, 295 /* openat */, O_RDONLY), STOPS(FILTER_MARK));
	cr_expect_eq(answer(&enforced, AUDIT_ARCH_I386, 359 /* socket */, 0), STOPS(FILTER_MARK));
	cr_expect_eq(answer(&enforced, AUDIT_ARCH_I386, 102 /* socketcall */, 0), STOPS(FILTER_MARK));
	cr_expect_eq(answer(&enforced, AUDIT_ARCH_X86_64, 435 /* clone3 */, 0), STOPS(FILTER_MARK_CLONE));
	cr_expect_eq(answer(&enforced, AUDIT_ARCH_X86_64, 204 /* sched_getaffinity */, 0), STOPS(FILTER_MARK_ASK));
	cr_expect_eq(answer(&enforced, AUDIT_ARCH_X86_64, 203 /* sched_setaffinity */, 0), STOPS(FILTER_MARK_SET));
	cr_expect_eq(answer(&enforced, AUDIT_ARCH_X86_64, 39 /* getpid */, 0), SECCOMP_RET_ALLOW);
	cr_expect_eq(answer(&enforced, AUDIT_ARCH_X86_64, 4 /* stat */, 0), SECCOMP_RET_ALLOW);
	cr_expect_eq(answer(&all, AUDIT_ARCH_X86_64, 4, 0), STOPS(FILTER_MARK));
}

/* What libseccomp 2.5 has no name of stops in programs of both architectures. */
Test(filter, newer_calls_stop_everywhere)
{
	static const struct {
		int number;
		bool looks;
	} later[] = {{452, false}, {463, false}, {464, true}, {465, true},
		     {466, false}, {467, true},	 {468, true}, {469, false}};
	struct trace_options all = {.looks = true}, few = {.looks = false};

	for (size_t i = 0; i < ARRAY_LENGTH(later); i++) {
		uint32_t without = later[i].looks ? SECCOMP_RET_ALLOW : STOPS(FILTER_MARK);

		cr_expect_eq(answer(&all, AUDIT_ARCH_X86_64, later[i].number, 0), STOPS(FILTER_MARK));
		cr_expect_eq(answer(&all, AUDIT_ARCH_I386, later[i].number, 0), STOPS(FILTER_MARK));
		cr_expect_eq(answer(&few, AUDIT_ARCH_X86_64, later[i].number, 0), without);
		cr_expect_eq(answer(&few, AUDIT_ARCH_I386, later[i].number, 0), without);
	}
}

/* So it can be said that something was not seen. A call that a tracer took back is none. */
Test(filter, what_no_table_knows_stops)
{
	struct trace_options options = {.calls = TRACE_CALLS_ENFORCED};

	cr_expect_eq(answer(&options, AUDIT_ARCH_X86_64, X32_BIT | 257, 0), STOPS(FILTER_MARK));
	cr_expect_eq(answer(&options, AUDIT_ARCH_X86_64, X32_BIT | 39, 0), STOPS(FILTER_MARK));
	cr_expect_eq(answer(&options, AUDIT_ARCH_MIPS, 39, 0), STOPS(FILTER_MARK));
	cr_expect_eq(answer(&options, AUDIT_ARCH_X86_64, -1, 0), SECCOMP_RET_ALLOW);
	cr_expect_eq(answer(&options, AUDIT_ARCH_I386, -1, 0), SECCOMP_RET_ALLOW);
}
