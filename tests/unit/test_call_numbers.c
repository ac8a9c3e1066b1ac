/* The table that the build makes says what libseccomp says now, and what the kernel's headers say where it says
 * nothing. */
#include <criterion/criterion.h>
#include <linux/audit.h>
#include <seccomp.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>

#include "base/call_numbers.h"
#include "base/cleanup.h"
#include "base/memory.h"
#include "tests/unit/kernel_numbers.h" /* made from the kernel's headers that are installed */

static const uint32_t architectures[] = {SCMP_ARCH_X86_64,  SCMP_ARCH_X86, SCMP_ARCH_X32,
					 SCMP_ARCH_AARCH64, SCMP_ARCH_ARM, SCMP_ARCH_RISCV64};

Test(call_numbers, architectures_are_those_of_libseccomp)
{
	cr_assert_eq(ARRAY_LENGTH(architectures), ARCHITECTURES);
	for (size_t i = 0; i < ARCHITECTURES; i++)
		cr_expect_lt(architecture_index(architectures[i]), ARCHITECTURES, "%x", architectures[i]);
	cr_expect_eq(architecture_index(SCMP_ARCH_MIPS), ARCHITECTURES);
	cr_expect_eq(architecture_native(), seccomp_arch_native());
}

Test(call_numbers, each_name_is_found)
{
	for (size_t i = 0; i < call_numbers_count; i++)
		cr_expect_eq(call_numbers_find(call_numbers_table[i].name), &call_numbers_table[i], "%s",
			     call_numbers_table[i].name);
	cr_expect_null(call_numbers_find("no_such_call"));
	cr_expect_null(call_numbers_find(""));
	cr_expect_eq(call_number_of("no_such_call", SCMP_ARCH_X86_64), -1);
	cr_expect_eq(call_number_of("openat", SCMP_ARCH_MIPS), -1);
	cr_expect_eq(call_number_of("openat", architecture_native()), SYS_openat);
}

/* Where libseccomp has no number, ours is another one's word: the kernel's headers'. */
static bool is_said_otherwise(uint32_t architecture, const char *name)
{
	for (size_t i = 0; kernel_numbers[i].name; i++)
		if (kernel_numbers[i].architecture == architecture && strcmp(kernel_numbers[i].name, name) == 0)
			return kernel_numbers[i].number == call_number_of(name, architecture);
	return call_number_of(name, architecture) > (int)(architecture_bit(architecture) | 440);
}

/* On i386 it says of those that socketcall(2) and ipc(2) have, too, that they have none. */
Test(call_numbers, numbers_are_those_of_libseccomp)
{
	for (size_t i = 0; i < call_numbers_count; i++)
		for (size_t at = 0; at < ARCHITECTURES; at++) {
			const char *name = call_numbers_table[i].name;
			int number = call_number(&call_numbers_table[i], architectures[at]);
			int said = seccomp_syscall_resolve_name_arch(architectures[at], name);

			if (said >= 0)
				cr_expect_eq(number, said, "%s on %x is %d, not %d", name, architectures[at], said,
					     number);
			else
				cr_expect(number == -1 || is_said_otherwise(architectures[at], name), "%s on %x: %d",
					  name, architectures[at], number);
		}
}

/* One that it got after the build is nobody's business here. */
Test(call_numbers, no_call_of_libseccomp_is_left_out)
{
	for (size_t at = 0; at < ARCHITECTURES; at++)
		for (int number = 0; number < 440; number++) {
			int with_bit = number | (int)architecture_bit(architectures[at]);
			scoped_free char *name = seccomp_syscall_resolve_num_arch(architectures[at], with_bit);

			if (name)
				cr_expect_eq(call_number_of(name, architectures[at]), with_bit, "%s on %x", name,
					     architectures[at]);
		}
}

/* What goes through socketcall(2) for libseccomp is a call of its own too. */
Test(call_numbers, i386_has_calls_of_sockets)
{
	static const char *const names[] = {"socket", "socketpair", "bind",    "connect",  "listen",
					    "sendto", "sendmsg",    "recvmsg", "recvmmsg", "sendmmsg"};

	for (size_t i = 0; i < ARRAY_LENGTH(names); i++) {
		cr_expect_gt(call_number_of(names[i], SCMP_ARCH_X86), 300, "%s", names[i]);
		cr_expect(is_said_otherwise(SCMP_ARCH_X86, names[i]) || !kernel_numbers[0].name, "%s", names[i]);
	}
	cr_expect_eq(call_number_of("ioctl", SCMP_ARCH_X32), 0x40000000 | 514);
	cr_expect_eq(call_number_of("file_setattr", SCMP_ARCH_X32), 0x40000000 | 469);
}
