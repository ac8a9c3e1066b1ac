/* The syscall table on architectures that need not be there: numbers, and who has which call. */
#include <criterion/criterion.h>
#include <errno.h>
#include <linux/audit.h>
#include <string.h>

#include "base/architecture.h"
#include "base/cleanup.h"
#include "base/memory.h"
#include "tests/unit/kernel_numbers.h" /* made from the kernel's headers that are installed */
#include "tracer/decode.h"
#include "tracer/syscalls.h"

static const uint32_t architectures[] = {AUDIT_ARCH_X86_64, AUDIT_ARCH_I386, AUDIT_ARCH_AARCH64, AUDIT_ARCH_ARM};

/* Rows that an architecture has no call for. */
static const struct {
	uint32_t architecture;
	const char *reason;
	const char *names; /* each with a blank on both sides */
} absences[] = {
	{AUDIT_ARCH_X86_64, "only where a word has 32 bits",
	 " truncate64 ftruncate64 fcntl64 stat64 lstat64 fstatat64 statfs64 chown32 lchown32 utimensat_time64 "
	 "recvmmsg_time64 "},
	{AUDIT_ARCH_X86_64, "older than this architecture", " umount oldstat oldlstat "},
	{AUDIT_ARCH_X86_64, "each of its calls has a number here", " socketcall "},
	{AUDIT_ARCH_I386, "is called fstatat64 here", " newfstatat "},
	{AUDIT_ARCH_AARCH64, "only the newer call with a directory exists",
	 " open creat mkdir mknod symlink unlink rmdir rename link access readlink chmod chown lchown stat lstat "
	 "futimesat utime utimes "},
	{AUDIT_ARCH_AARCH64, "only where a word has 32 bits",
	 " truncate64 ftruncate64 fcntl64 stat64 lstat64 fstatat64 statfs64 chown32 lchown32 utimensat_time64 "
	 "recvmmsg_time64 "},
	{AUDIT_ARCH_AARCH64, "older than this architecture", " umount oldstat oldlstat uselib "},
	{AUDIT_ARCH_AARCH64, "each of its calls has a number here", " socketcall "},
	{AUDIT_ARCH_ARM, "older than the calls that are left here", " umount oldstat oldlstat utime "},
	{AUDIT_ARCH_ARM, "each of its calls has a number here", " socketcall "},
	{AUDIT_ARCH_ARM, "is called fstatat64 here", " newfstatat "},
};

static bool is_absence(size_t which, uint32_t architecture, const char *name)
{
	scoped_free char *word = format_text(" %s ", name);

	return absences[which].architecture == architecture && strstr(absences[which].names, word);
}

static int reasons(uint32_t architecture, const char *name)
{
	int count = 0;

	for (size_t i = 0; i < ARRAY_LENGTH(absences); i++)
		count += is_absence(i, architecture, name);
	return count;
}

Test(architectures, each_has_the_call_or_a_reason)
{
	for (size_t i = 0; i < ARRAY_LENGTH(architectures); i++)
		for (const struct syscall_row *row = syscall_table; row->name; row++) {
			int number = syscall_number(row, architectures[i]);

			cr_expect_eq(reasons(architectures[i], row->name), number < 0, "%s on %x has number %d",
				     row->name, architectures[i], number);
			cr_expect_lt(number, SYSCALL_NUMBERS);
		}
}

Test(architectures, every_reason_is_for_a_row)
{
	for (size_t i = 0; i < ARRAY_LENGTH(absences); i++) {
		scoped_free char *names = duplicate(absences[i].names);
		char *rest = names, *name;

		cr_expect(*absences[i].reason);
		while ((name = strtok_r(rest, " ", &rest)))
			cr_expect(syscall_named(name), "%s", name);
	}
}

static int kernel_number(uint32_t architecture, const char *name)
{
	for (size_t i = 0; kernel_numbers[i].name; i++)
		if (kernel_numbers[i].architecture == architecture && strcmp(kernel_numbers[i].name, name) == 0)
			return kernel_numbers[i].number;
	return -1;
}

/* Headers have an age: what they do not know may be newer. */
static bool is_older_than_headers(uint32_t architecture, int number)
{
	for (size_t i = 0; kernel_numbers[i].name; i++)
		if (kernel_numbers[i].architecture == architecture && kernel_numbers[i].number >= number)
			return true;
	return false;
}

static void compare_with_kernel(uint32_t architecture)
{
	if (kernel_number(architecture, "openat") < 0)
		cr_skip("the kernel's header for this architecture is not installed");
	for (const struct syscall_row *row = syscall_table; row->name; row++) {
		int number = syscall_number(row, architecture), kernel = kernel_number(architecture, row->name);

		if (kernel >= 0)
			cr_expect_eq(number, kernel, "%s is %d, not %d", row->name, kernel, number);
		else
			cr_expect(number < 0 || !is_older_than_headers(architecture, number),
				  "the kernel has no %s, and here it is %d", row->name, number);
	}
}

Test(architectures, x86_64_is_as_in_the_kernels_headers)
{
	compare_with_kernel(AUDIT_ARCH_X86_64);
}

Test(architectures, i386_is_as_in_the_kernels_headers)
{
	compare_with_kernel(AUDIT_ARCH_I386);
}

Test(architectures, aarch64_is_as_in_the_kernels_headers)
{
	compare_with_kernel(AUDIT_ARCH_AARCH64);
}

static void expect_found(const struct syscall_index *index, uint32_t architecture, uint64_t number, const char *name)
{
	const struct syscall_row *row = syscall_find(index, architecture, number);

	cr_expect_str_eq(row ? row->name : "none", name);
}

Test(architectures, a_kernel_for_aarch64_runs_programs_for_arm)
{
	struct syscall_index index = {0};

	syscall_index_init(&index, AUDIT_ARCH_AARCH64);
	expect_found(&index, AUDIT_ARCH_AARCH64, 56, "openat");
	expect_found(&index, AUDIT_ARCH_AARCH64, 34, "mkdirat");
	expect_found(&index, AUDIT_ARCH_AARCH64, 221, "execve");
	expect_found(&index, AUDIT_ARCH_AARCH64, 5, "setxattr"); /* open on i386 and ARM */
	expect_found(&index, AUDIT_ARCH_ARM, 5, "open");
	expect_found(&index, AUDIT_ARCH_ARM, 283, "connect");
	expect_found(&index, AUDIT_ARCH_X86_64, 2, "none");
}

Test(architectures, a_kernel_for_x86_64_runs_programs_for_i386)
{
	struct syscall_index index = {0};

	syscall_index_init(&index, AUDIT_ARCH_X86_64);
	expect_found(&index, AUDIT_ARCH_X86_64, 2, "open");
	expect_found(&index, AUDIT_ARCH_I386, 5, "open");
	expect_found(&index, AUDIT_ARCH_I386, 102, "socketcall");
	expect_found(&index, AUDIT_ARCH_I386, 362, "connect");
	expect_found(&index, AUDIT_ARCH_I386, 369, "sendto");
	expect_found(&index, AUDIT_ARCH_AARCH64, 56, "none");
}

Test(architectures, one_that_runs_nothing_else)
{
	struct syscall_index index = {0};

	cr_expect_eq(architecture_second(AUDIT_ARCH_RISCV64), 0);
	syscall_index_init(&index, AUDIT_ARCH_RISCV64);
	expect_found(&index, AUDIT_ARCH_RISCV64, 56, "openat");
	expect_found(&index, 0, 56, "none");
}

static void count(void *data, const char *reason)
{
	cr_expect(strstr(reason, "unknown ABI"), "%s", reason);
	++*(int *)data;
}

/* How often a call of x32 (open) with this result made the session incomplete. */
static int incomplete_after_x32(int64_t result)
{
	struct trace_options options = {0};
	int reasons_given = 0;
	struct trace_observer observer = {.incomplete = count, .data = &reasons_given};
	const struct task_table tasks = {0};
	struct decoder *decoder = decoder_create(&options, &observer, &tasks);
	struct task task = {.tid = 1, .pid = 1};
	struct event event = {.kind = EVENT_SYSCALL_ENTRY, .tid = 1, .architecture = AUDIT_ARCH_X86_64};

	event.number = 0x40000000 | 2;
	cr_expect(decoder_entry(decoder, &task, &event), "its result has to be seen");
	event.kind = EVENT_SYSCALL_EXIT;
	event.result = result;
	event.failed = result < 0;
	decoder_exit(decoder, &task, &event);
	decoder_destroy(decoder);
	return reasons_given;
}

Test(architectures, x32_is_noticed_where_the_kernel_has_it)
{
	cr_expect_eq(incomplete_after_x32(3), 1);
	cr_expect_eq(incomplete_after_x32(-EACCES), 1);
	cr_expect_eq(incomplete_after_x32(-ENOSYS), 0);
}
