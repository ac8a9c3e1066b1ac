/* The syscall table: every call of every architecture is in it or exempt, and the rows are what the filter needs. */
#include <criterion/criterion.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/sockios.h>
#include <sched.h>
#include <seccomp.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>

#include "base/cleanup.h"
#include "base/memory.h"
#include "profile/seccomp_groups.h"
#include "tests/unit/kernel_numbers.h" /* made from the kernel's headers that are installed */
#include "tests/unit/syscalls_exempt.h"
#include "tracer/decoder.h"
#include "tracer/syscalls.h"

static const uint32_t architectures[] = {SCMP_ARCH_X86_64, SCMP_ARCH_X86, SCMP_ARCH_AARCH64, SCMP_ARCH_ARM};

static bool has_word(const char *words, const char *word)
{
	size_t length = strlen(word);

	while ((words = strstr(words, word))) {
		if (words[length] == ' ' || !words[length])
			return true;
		words++;
	}
	return false;
}

/* How many reasons there are to exempt it. */
static int exemptions(const char *name)
{
	scoped_free char *spaced = format_text(" %s", name);
	int count = 0;

	for (size_t i = 0; i < ARRAY_LENGTH(exempts); i++) {
		scoped_free char *names = format_text(" %s", exempts[i].names);

		count += has_word(names, spaced);
	}
	return count;
}

static void expect_decided(const char *name)
{
	int decisions = (syscall_named(name) != NULL) + exemptions(name);

	cr_expect_eq(decisions, 1, "%s: %s", name,
		     decisions ? "has two places" : "is neither in the table nor exempt with a reason");
}

Test(syscalls, every_call_of_libseccomp_is_decided)
{
	for (size_t i = 0; i < ARRAY_LENGTH(architectures); i++)
		for (int number = 0; number < 600; number++) {
			scoped_free char *name = seccomp_syscall_resolve_num_arch(architectures[i], number);

			if (name)
				expect_decided(name);
		}
}

Test(syscalls, every_call_of_a_newer_kernel_is_decided)
{
	for (size_t i = 0; i < ARRAY_LENGTH(later_calls); i++) {
		const struct syscall_row *row = syscall_named(later_calls[i].name);

		expect_decided(later_calls[i].name);
		if (row)
			cr_expect_eq(syscall_number(row, SCMP_ARCH_X86_64), later_calls[i].number, "%s", row->name);
	}
}

Test(syscalls, every_call_of_the_kernels_headers_is_decided)
{
	for (size_t i = 0; kernel_numbers[i].name; i++)
		expect_decided(kernel_numbers[i].name);
}

/* A kernel that knows a call beyond the list answers something else than ENOSYS to nonsense. */
Test(syscalls, no_call_of_the_running_kernel_is_beyond_the_list)
{
	int last = later_calls[ARRAY_LENGTH(later_calls) - 1].number;

	for (int number = last + 1; number < last + 20; number++) {
		errno = 0;
		syscall(number, -1, -1, -1, -1, -1, -1);
		cr_expect_eq(errno, ENOSYS, "number %d is a call that nobody has looked at", number);
	}
}

/* Whether libseccomp, or the list, has heard of it. */
static bool is_known(const char *name)
{
	for (size_t i = 0; i < ARRAY_LENGTH(later_calls); i++)
		if (strcmp(later_calls[i].name, name) == 0)
			return true;
	return seccomp_syscall_resolve_name(name) != __NR_SCMP_ERROR;
}

Test(syscalls, no_exempt_name_is_misspelt)
{
	for (size_t i = 0; i < ARRAY_LENGTH(exempts); i++) {
		scoped_free char *names = duplicate(exempts[i].names);
		char *rest = names, *name;

		cr_expect(*exempts[i].reason);
		while ((name = strtok_r(rest, " ", &rest)))
			cr_expect(is_known(name), "%s", name);
	}
}

/* What no grant comes of. */
static bool is_for_all_alone(enum syscall_class class)
{
	return class == CALL_LOOK || class == CALL_CHECK || class == CALL_RECEIVE || class == CALL_RECEIVE_MANY;
}

Test(syscalls, rows_are_known_and_have_one_name)
{
	for (const struct syscall_row *row = syscall_table; row->name; row++) {
		cr_expect_eq(syscall_named(row->name), row, "%s stands there twice", row->name);
		cr_expect(is_known(row->name), "%s", row->name);
		cr_expect_eq(row->enforced, !is_for_all_alone(row->class), "%s", row->name);
	}
}

/* What a decoder reads of a row has to be there. */
Test(syscalls, rows_say_where_their_arguments_are)
{
	for (const struct syscall_row *row = syscall_table; row->name; row++) {
		bool two = row->class == CALL_RENAME || row->class == CALL_LINK;

		if (row->class == CALL_LOOK || row->class == CALL_CHECK || row->class == CALL_METADATA ||
		    row->class == CALL_OPEN_HOW || row->class == CALL_EXEC || row->class == CALL_MAKE ||
		    row->class == CALL_REMOVE || row->class == CALL_USE || two)
			cr_expect(row->path || row->strays, "%s", row->name);
		cr_expect_eq(row->path2 != ARGUMENT_NONE, two, "%s", row->name);
		cr_expect(row->class != CALL_USE || row->rights, "%s", row->name);
		if (row->class == CALL_CHECK)
			cr_expect(row->stop && row->stop->match == MATCH_POINTER && row->stop->argument == row->path,
				  "%s", row->name);
		cr_expect(row->class != CALL_MAKE || row->makes || row->flags, "%s", row->name);
		if (row->directory && row->path && row->class != CALL_SEND)
			cr_expect_eq(row->path, row->directory + 1, "%s", row->name);
	}
}

Test(syscalls, what_may_be_asked_for_is_decoded)
{
	for (const struct syscall_row *row = syscall_table; row->name; row++) {
		bool silent = row->class == CALL_CLONE || row->class == CALL_GROUPED ||
			      row->class == CALL_ASK_PROCESSORS || row->class == CALL_SET_PROCESSORS;

		cr_expect_eq(call_class_of(row) == NULL, silent, "%s", row->name);
	}
}

static bool is_in_group(const char *name)
{
	for (const struct seccomp_call *call = seccomp_call_table; *call->name; call++)
		if (call->group != SECCOMP_ALWAYS && strcmp(call->name, name) == 0)
			return true;
	return false;
}

/* What is refused without a word has to be seen while learning, at every --calls. */
Test(syscalls, calls_of_seccomp_groups_have_rows)
{
	for (const struct seccomp_call *call = seccomp_call_table; *call->name; call++) {
		const struct syscall_row *row = syscall_named(call->name);

		if (call->group == SECCOMP_ALWAYS)
			continue;
		cr_assert(row, "%s", call->name);
		cr_expect(row->grouped && row->enforced, "%s", call->name);
	}
	for (const struct syscall_row *row = syscall_table; row->name; row++)
		cr_expect_eq(row->grouped, is_in_group(row->name), "%s", row->name);
}

static void expect_found(const struct syscall_index *index, uint32_t architecture, uint64_t number, const char *name)
{
	const struct syscall_row *row = syscall_find(index, architecture, number);

	cr_expect_str_eq(row ? row->name : "none", name);
}

Test(syscalls, the_index_tells_architectures_apart)
{
	struct syscall_index index = {0};

	syscall_index_init(&index, seccomp_arch_native());
	cr_expect_eq(index.architectures[0], seccomp_arch_native());
	expect_found(&index, seccomp_arch_native(), SYS_openat, "openat");
	expect_found(&index, seccomp_arch_native(), SYS_getpid, "none");
	expect_found(&index, seccomp_arch_native(), 0x40000000 | SYS_openat, "none");
	expect_found(&index, SCMP_ARCH_MIPS, SYS_openat, "none");
	if (index.architectures[1] == SCMP_ARCH_X86) {
		expect_found(&index, SCMP_ARCH_X86, 5, "open");
		expect_found(&index, SCMP_ARCH_X86, 295, "openat");
		expect_found(&index, SCMP_ARCH_X86, 102, "socketcall");
		expect_found(&index, SCMP_ARCH_X86_64, 5, "none");
	}
}

static bool stops(const char *name, const uint64_t arguments[6])
{
	return syscall_is_stopped(syscall_named(name), arguments);
}

Test(syscalls, conditions_hold_without_a_filter_too)
{
	struct syscall_index index = {0};

	cr_expect(stops("openat", (uint64_t[6]){0}));
	cr_expect_not(stops("openat", (uint64_t[6]){[2] = O_PATH | O_CLOEXEC}));
	cr_expect_not(stops("sendto", (uint64_t[6]){0}));
	cr_expect(stops("sendto", (uint64_t[6]){[4] = 1}));
	cr_expect(stops("ioctl", (uint64_t[6]){[1] = TIOCGPTPEER | 1ULL << 32}));
	cr_expect_not(stops("ioctl", (uint64_t[6]){[1] = TCGETS}));
	cr_expect(stops("ioctl", (uint64_t[6]){[1] = FIOSETOWN}));
	cr_expect(stops("ioctl", (uint64_t[6]){[1] = SIOCSPGRP | 1ULL << 32}));
	cr_expect_not(stops("ioctl", (uint64_t[6]){[1] = FIONREAD}));
	cr_expect(stops("fcntl", (uint64_t[6]){[1] = F_SETOWN}));
	cr_expect(stops("fcntl", (uint64_t[6]){[1] = F_SETOWN_EX}));
	cr_expect_not(stops("fcntl", (uint64_t[6]){[1] = F_GETFL}));
	cr_expect_not(stops("fcntl", (uint64_t[6]){[1] = F_SETFL}));
	cr_expect(stops("execve", (uint64_t[6]){0}));
	cr_expect(stops("clone", (uint64_t[6]){CLONE_UNTRACED | CLONE_THREAD | CLONE_FILES}));
	cr_expect(stops("clone", (uint64_t[6]){CLONE_FILES | SIGCHLD}));
	cr_expect_not(stops("clone", (uint64_t[6]){CLONE_FILES | CLONE_THREAD}));
	cr_expect_not(stops("clone", (uint64_t[6]){SIGCHLD}));

	syscall_index_init(&index, seccomp_arch_native());
	cr_expect(syscall_is_of_known_abi(&index, seccomp_arch_native(), SYS_getpid));
	cr_expect_not(syscall_is_of_known_abi(&index, seccomp_arch_native(), 0x40000000 | SYS_openat));
	cr_expect_not(syscall_is_of_known_abi(&index, SCMP_ARCH_MIPS, 1));
}
