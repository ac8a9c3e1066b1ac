/* Filters from rules: each call gets the answer of the first rule that holds, on every architecture. */
#include <criterion/criterion.h>
#include <linux/audit.h>
#include <stdlib.h>

#include "base/call_filter.h"
#include "base/call_numbers.h"
#include "base/memory.h"
#include "tests/unit/bpf_run.h"

#define ANSWER(number) (SECCOMP_RET_ERRNO | (number))
#define X32_BIT	       0x40000000

static const struct call_condition one[CALL_CONDITIONS] = {{MATCH_ONE_OF, 0, 0xff, {1}, 1}};
static const struct call_condition two_or_three[CALL_CONDITIONS] = {{MATCH_ONE_OF, 0, 0xff, {3, 2}, 2}};
static const struct call_condition pointer[CALL_CONDITIONS] = {{MATCH_POINTER, 1, 0, {0}, 0}};
static const struct call_condition not_four_with_seven[CALL_CONDITIONS] = {{MATCH_NONE_OF, 0, 0xff, {4}, 1},
									   {MATCH_ONE_OF, 2, UINT32_MAX, {7}, 1}};

static const struct call_rule rules[] = {
	{"read", NULL, ANSWER(1)},
	{"write", one, ANSWER(2)},
	{"write", two_or_three, ANSWER(3)},
	{"write", pointer, ANSWER(4)},
	{"ioctl", not_four_with_seven, ANSWER(5)},
	{"ioctl", pointer, ANSWER(6)},
	{"no_such_call", NULL, ANSWER(7)},
	{"mkdir", one, ANSWER(8)},
	{"mkdir", NULL, ANSWER(9)},
};

static struct call_filter filter = {.rules = rules,
				    .count = ARRAY_LENGTH(rules),
				    .otherwise = SECCOMP_RET_ALLOW,
				    .elsewhere = SECCOMP_RET_KILL_PROCESS};

static uint32_t ask(const char *name, uint32_t architecture, uint64_t first, uint64_t second, uint64_t third)
{
	struct sock_fprog program = call_filter_build(&filter, AUDIT_ARCH_X86_64);
	struct seccomp_data data = {
		.nr = call_number_of(name, architecture), .arch = architecture, .args = {first, second, third}};
	uint32_t result;

	cr_assert_gt(program.len, 0);
	result = bpf_run(&program, &data);
	free(program.filter);
	return result;
}

Test(call_filter, the_first_rule_that_holds_answers)
{
	static const uint32_t architectures[] = {AUDIT_ARCH_X86_64, AUDIT_ARCH_I386};

	for (size_t i = 0; i < ARRAY_LENGTH(architectures); i++) {
		uint32_t it = architectures[i];

		cr_expect_eq(ask("read", it, 0, 0, 0), ANSWER(1));
		cr_expect_eq(ask("write", it, 1, 1, 0), ANSWER(2));
		cr_expect_eq(ask("write", it, 0x102, 1, 0), ANSWER(3));
		cr_expect_eq(ask("write", it, 3, 0, 0), ANSWER(3));
		cr_expect_eq(ask("write", it, 4, 1, 0), ANSWER(4));
		cr_expect_eq(ask("write", it, 4, 0, 0), SECCOMP_RET_ALLOW);
		cr_expect_eq(ask("ioctl", it, 5, 0, 7), ANSWER(5));
		cr_expect_eq(ask("ioctl", it, 4, 0, 7), SECCOMP_RET_ALLOW);
		cr_expect_eq(ask("ioctl", it, 4, 1, 7), ANSWER(6));
		cr_expect_eq(ask("ioctl", it, 5, 0, 8), SECCOMP_RET_ALLOW);
		cr_expect_eq(ask("mkdir", it, 1, 0, 0), ANSWER(8));
		cr_expect_eq(ask("mkdir", it, 2, 0, 0), ANSWER(9));
		cr_expect_eq(ask("getpid", it, 1, 1, 1), SECCOMP_RET_ALLOW);
	}
}

/* Of a pointer all 64 bits count, of anything else the low 32. */
Test(call_filter, halves_of_arguments)
{
	cr_expect_eq(ask("write", AUDIT_ARCH_X86_64, 0, 1ULL << 32, 0), ANSWER(4));
	cr_expect_eq(ask("write", AUDIT_ARCH_X86_64, 1ULL << 32 | 1, 0, 0), ANSWER(2));
	cr_expect_eq(ask("ioctl", AUDIT_ARCH_X86_64, 5, 0, 1ULL << 32 | 7), ANSWER(5));
}

static uint32_t ask_number(int number, uint32_t architecture)
{
	struct sock_fprog program = call_filter_build(&filter, AUDIT_ARCH_X86_64);
	struct seccomp_data data = {.nr = number, .arch = architecture};
	uint32_t result = bpf_run(&program, &data);

	free(program.filter);
	return result;
}

Test(call_filter, variants_and_other_architectures)
{
	cr_expect_eq(ask_number(0, AUDIT_ARCH_X86_64), ANSWER(1));
	cr_expect_eq(ask_number(X32_BIT, AUDIT_ARCH_X86_64), SECCOMP_RET_KILL_PROCESS);
	cr_expect_eq(ask_number(514, AUDIT_ARCH_X86_64), SECCOMP_RET_ALLOW);
	cr_expect_eq(ask_number(-1, AUDIT_ARCH_X86_64), SECCOMP_RET_ALLOW, "a call that was taken back");
	cr_expect_eq(ask_number(3, AUDIT_ARCH_I386), ANSWER(1));
	cr_expect_eq(ask_number(3, AUDIT_ARCH_MIPS), SECCOMP_RET_KILL_PROCESS);

	filter.joins_variants = true;
	cr_expect_eq(ask_number(0, AUDIT_ARCH_X86_64), ANSWER(1));
	cr_expect_eq(ask_number(X32_BIT, AUDIT_ARCH_X86_64), ANSWER(1));
	cr_expect_eq(ask_number(-1, AUDIT_ARCH_X86_64), SECCOMP_RET_ALLOW);

	filter.native_alone = true;
	cr_expect_eq(ask_number(0, AUDIT_ARCH_X86_64), ANSWER(1));
	cr_expect_eq(ask_number(3, AUDIT_ARCH_I386), SECCOMP_RET_KILL_PROCESS);
}

/* Ways to answers get longer than a jump, which then go by the way. */
Test(call_filter, as_many_rules_as_there_are_calls)
{
	struct call_rule every[CALL_NUMBERS_MOST];
	struct sock_fprog program;

	for (size_t i = 0; i < call_numbers_count; i++)
		every[i] = (struct call_rule){call_numbers_table[i].name, i % 3 ? NULL : one, ANSWER(i % 4000 + 1)};
	program = call_filter_build(&(struct call_filter){.rules = every, .count = call_numbers_count},
				    AUDIT_ARCH_X86_64);
	cr_assert_gt(program.len, 0);
	for (size_t i = 0; i < call_numbers_count; i++)
		for (uint64_t first = 0; first < 2; first++) {
			struct seccomp_data data = {.nr = call_number(&call_numbers_table[i], AUDIT_ARCH_I386),
						    .arch = AUDIT_ARCH_I386,
						    .args = {first}};

			if (data.nr >= 0)
				cr_expect_eq(bpf_run(&program, &data), i % 3 || first ? ANSWER(i % 4000 + 1) : 0, "%s",
					     call_numbers_table[i].name);
		}
	free(program.filter);
}
