/* What the supervisor takes from a notification, and what it leaves to the kernel. The task that asks is this one. */
#include <criterion/criterion.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/openat2.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/architecture.h"
#include "runner/supervisor_call.h"

#define STATUS "/proc/self/status"
#define KERNEL 1 /* the kernel's alone */

static struct seccomp_notif asks(int number, uint64_t a, uint64_t b, uint64_t c, uint64_t d)
{
	return (struct seccomp_notif){
		.pid = (uint32_t)syscall(SYS_gettid),
		.data = {.arch = architecture_native(), .nr = number, .args = {a, b, c, d}},
	};
}

static int reads(struct seccomp_notif request, struct open_call *call)
{
	struct open_numbers numbers[OPEN_ARCHITECTURES];

	*call = (struct open_call){0};
	open_numbers_init(numbers);
	return open_call_read(numbers, &request, call);
}

static uint64_t pointer(const void *to)
{
	return (uintptr_t)to;
}

static int opens(const char *path, uint64_t flags)
{
	struct open_call call;

	return reads(asks(SYS_openat, (uint64_t)AT_FDCWD, pointer(path), flags, 0), &call);
}

static int opens_how(struct open_how how, uint64_t size)
{
	struct open_call call;

	return reads(asks(SYS_openat2, 7, pointer(STATUS), pointer(&how), size), &call);
}

Test(supervisor_call, is_copied_once)
{
	char path[] = STATUS;
	struct open_call call;

	cr_assert_eq(reads(asks(SYS_openat, 7, pointer(path), O_RDWR | O_NONBLOCK, 0), &call), 0);
	strcpy(path, "/etc/shadow");
	cr_expect_str_eq(call.path, STATUS);
	cr_expect_eq(call.tid, syscall(SYS_gettid));
	cr_expect_eq(call.directory, 7);
	cr_expect_eq(call.flags, (uint64_t)(O_RDWR | O_NONBLOCK));
	cr_expect_eq(call.resolve, 0);
}

/* The kernel takes the low half of what is an int. */
Test(supervisor_call, upper_halves_do_not_count)
{
	struct open_call call;

	cr_expect_eq(
		reads(asks(SYS_openat, 0xabcd00000000 | (uint32_t)AT_FDCWD, pointer(STATUS), 0xabcd00000000, 0), &call),
		0);
	cr_expect_eq(call.directory, AT_FDCWD);
	cr_expect_eq(call.flags, 0);
}

Test(supervisor_call, openat2_has_its_flags_in_memory)
{
	struct open_how how = {.flags = O_NOFOLLOW, .resolve = RESOLVE_NO_SYMLINKS};
	struct open_call call;

	cr_assert_eq(reads(asks(SYS_openat2, 7, pointer(STATUS), pointer(&how), sizeof how), &call), 0);
	cr_expect_eq(call.flags, (uint64_t)O_NOFOLLOW);
	cr_expect_eq(call.resolve, (uint64_t)RESOLVE_NO_SYMLINKS);
	cr_expect_eq(opens_how((struct open_how){.resolve = RESOLVE_NO_MAGICLINKS}, sizeof how), 0);
	cr_expect_eq(opens_how((struct open_how){.resolve = RESOLVE_CACHED}, sizeof how), 0);
	cr_expect_eq(opens_how((struct open_how){.resolve = 0x40}, sizeof how), KERNEL, "no way that is known");
	cr_expect_eq(opens_how((struct open_how){.flags = 01000000000}, sizeof how), KERNEL, "no flag that is known");
	cr_expect_eq(opens_how((struct open_how){.mode = 0600}, sizeof how), KERNEL,
		     "it fails: a mode without O_CREAT");
	cr_expect_eq(opens_how((struct open_how){0}, sizeof how - 1), KERNEL, "not a size that there is");
	cr_expect_eq(opens_how((struct open_how){0}, sizeof how + 8), KERNEL, "a newer one may ask for more");
	cr_expect_eq(reads(asks(SYS_openat2, 7, pointer(STATUS), 8, sizeof how), &call), KERNEL, "no pointer");
}

Test(supervisor_call, in_a_root_of_its_own_a_name_starts_there)
{
	struct open_how how = {.resolve = RESOLVE_IN_ROOT};
	struct open_call call;

	cr_assert_eq(reads(asks(SYS_openat2, 7, pointer("//self/"), pointer(&how), sizeof how), &call), 0);
	cr_expect_str_eq(call.path, "self/");
	cr_assert_eq(reads(asks(SYS_openat2, 7, pointer("/"), pointer(&how), sizeof how), &call), 0);
	cr_expect_str_eq(call.path, ".");
	how.resolve = RESOLVE_BENEATH;
	cr_assert_eq(reads(asks(SYS_openat2, 7, pointer("/self"), pointer(&how), sizeof how), &call), 0);
	cr_expect_str_eq(call.path, "/self");
}

/* open(2) and openat(2) drop what they do not know. */
Test(supervisor_call, flags_that_are_not_known)
{
	struct open_call call;

	cr_assert_eq(reads(asks(SYS_openat, 7, pointer(STATUS), 01000000000 | O_NONBLOCK, 0), &call), 0);
	cr_expect_eq(call.flags, (uint64_t)O_NONBLOCK);
}

/* What asks nothing of Landlock, or makes a file, or would hand out what Landlock does not check. */
Test(supervisor_call, what_is_left_to_the_kernel)
{
	cr_expect_eq(opens(STATUS, O_RDONLY), 0);
	cr_expect_eq(opens(STATUS, O_RDONLY | O_DIRECTORY), 0);
	cr_expect_eq(opens(STATUS, O_RDWR | O_CREAT | O_TRUNC), 0);
	cr_expect_eq(opens(STATUS, O_PATH), KERNEL);
	cr_expect_eq(opens(STATUS, O_PATH | O_NOFOLLOW), KERNEL);
	cr_expect_eq(opens(STATUS, O_CREAT | O_EXCL), KERNEL);
	cr_expect_neq(opens(STATUS, O_EXCL), KERNEL, "without O_CREAT it says nothing");
	cr_expect_eq(opens(STATUS, O_TMPFILE | O_RDWR), KERNEL);
	cr_expect_eq(opens(STATUS, O_ACCMODE), KERNEL);
	cr_expect_eq(opens(STATUS, O_ACCMODE | O_TRUNC), 0, "it asks to be emptied");
}

Test(supervisor_call, other_calls_and_architectures)
{
	struct seccomp_notif request = asks(SYS_openat, 7, pointer(STATUS), 0, 0);
	struct open_call call;

	cr_expect_eq(reads(asks(SYS_getpid, 7, pointer(STATUS), 0, 0), &call), KERNEL);
	request.data.arch = AUDIT_ARCH_MIPS;
	cr_expect_eq(reads(request, &call), KERNEL);
	request = asks(SYS_openat, 7, pointer(STATUS), 0, 0);
	request.pid = 0; /* of another process namespace */
	cr_expect_eq(reads(request, &call), KERNEL);
#ifdef SYS_open
	cr_expect_eq(reads(asks(SYS_open, pointer(STATUS), O_WRONLY, 0, 0), &call), 0);
	cr_expect_eq(call.directory, AT_FDCWD);
	cr_expect_eq(call.flags, (uint64_t)O_WRONLY);
#endif
}

Test(supervisor_call, names_at_the_edge_of_memory)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	char *memory = mmap(NULL, 3 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	char *end;

	cr_assert_neq(memory, MAP_FAILED);
	munmap(memory + 2 * page, page);
	end = memory + 2 * page;
	strcpy(end - sizeof STATUS, STATUS);
	cr_expect_eq(opens(end - sizeof STATUS, 0), 0, "it ends where memory ends");
	cr_expect_eq(opens(end, 0), KERNEL, "nothing is there");
	memset(memory, 'x', 2 * page);
	cr_expect_eq(opens(end - 10, 0), KERNEL, "no end before memory's");
	cr_expect_eq(opens(memory, 0), KERNEL, "longer than a path can be");
	memory[PATH_MAX - 1] = '\0';
	cr_expect_eq(opens(memory, 0), 0, "as long as one can be");
	cr_expect_eq(opens("", 0), KERNEL);
	munmap(memory, 2 * page);
}
