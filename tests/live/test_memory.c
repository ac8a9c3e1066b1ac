/* Strings of another process: wherever they lie, in each of the ways to read them. */
#include <criterion/criterion.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "tracer/memory.h"

#define PAGE ((size_t)4096)

/* Two pages and then nothing; the child has a copy at the same address, and is stopped. */
static char *pages;
static pid_t child;

static void stop_child(void)
{
	int status;

	child = fork();
	cr_assert_geq(child, 0);
	if (child == 0) {
		ptrace(PTRACE_TRACEME, 0, NULL, NULL);
		raise(SIGSTOP);
		_exit(0);
	}
	cr_assert_eq(waitpid(child, &status, 0), child);
	cr_assert(WIFSTOPPED(status));
}

static void set_up(void)
{
	pages = mmap(NULL, 3 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	cr_assert(pages != MAP_FAILED);
	munmap(pages + 2 * PAGE, PAGE);
	memset(pages, 'x', 2 * PAGE);
	strcpy(pages, "/etc/hostname");
	strcpy(pages + PAGE - 5, "across");  /* the page's end */
	strcpy(pages + 2 * PAGE - 4, "end"); /* the memory's end */
	stop_child();
}

static void tear_down(void)
{
	kill(child, SIGKILL);
	waitpid(child, NULL, 0);
}

TestSuite(memory, .init = set_up, .fini = tear_down, .timeout = 30);

static void expect_path(const char *at, const char *want)
{
	for (int way = 0; way < MEMORY_WAYS; way++) {
		const struct memory memory = {.first = (enum memory_way)way};
		scoped_free char *text = NULL;
		char name[PATH_MAX];
		int result = memory_read_path(&memory, child, (uintptr_t)at, &text);

		cr_expect_eq(result, 0, "way %d: %s", way, strerror(-result));
		cr_expect_str_eq(text ? text : "nothing", want, "way %d", way);
		cr_expect_eq(memory_read_name(&memory, child, (uintptr_t)at, name), 0, "way %d", way);
		cr_expect_str_eq(name, want, "way %d", way);
	}
}

static void expect_error(const char *at, int want)
{
	for (int way = 0; way < MEMORY_WAYS; way++) {
		const struct memory memory = {.first = (enum memory_way)way};
		scoped_free char *text = NULL;
		char name[PATH_MAX];

		cr_expect_eq(memory_read_name(&memory, child, (uintptr_t)at, name), want, "way %d", way);
		cr_expect_eq(memory_read_path(&memory, child, (uintptr_t)at, &text), want, "way %d", way);
		cr_expect_null(text);
	}
}

Test(memory, plain)
{
	expect_path(pages, "/etc/hostname");
	expect_path(pages + 1, "etc/hostname");
	expect_path(pages + strlen(pages), "");
}

Test(memory, at_the_end_of_a_page)
{
	expect_path(pages + PAGE - 5, "across");
}

Test(memory, at_the_end_of_what_is_mapped)
{
	expect_path(pages + 2 * PAGE - 4, "end");
	expect_path(pages + 2 * PAGE - 1, "");
}

/* A mapping that nobody has touched, of a file that no memory holds (on tmpfs: that the child has no page of). */
Test(memory, not_resident)
{
	scoped_file file = tmpfile();
	const char *name;

	cr_assert(file && fputs("/etc/passwd", file) >= 0 && fflush(file) == 0);
	cr_assert_eq(fsync(fileno(file)), 0);
	name = mmap(NULL, PAGE, PROT_READ, MAP_PRIVATE, fileno(file), 0);
	cr_assert(name != MAP_FAILED);
	for (int way = 0; way < MEMORY_WAYS; way++) {
		const struct memory memory = {.first = (enum memory_way)way};
		scoped_free char *text = NULL;

		tear_down();
		posix_fadvise(fileno(file), 0, 0, POSIX_FADV_DONTNEED);
		stop_child();
		cr_expect_eq(memory_read_path(&memory, child, (uintptr_t)name, &text), 0, "way %d", way);
		cr_expect_str_eq(text ? text : "nothing", "/etc/passwd", "way %d", way);
	}
}

Test(memory, beyond_what_is_mapped)
{
	expect_error(pages + 2 * PAGE, -EFAULT);
	expect_error(NULL, -EFAULT);
}

/* PATH_MAX counts the NUL. */
Test(memory, longest)
{
	char *longest;

	tear_down();
	longest = mmap(NULL, 3 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	memset(longest, 'y', 3 * PAGE - 1);
	longest[PATH_MAX + 100] = '\0';
	stop_child();
	expect_error(longest, -ENAMETOOLONG);
	expect_error(longest + 100, -ENAMETOOLONG);
	longest[PATH_MAX + 100] = 'y'; /* ours alone */
	for (int way = 0; way < MEMORY_WAYS; way++) {
		const struct memory memory = {.first = (enum memory_way)way};
		scoped_free char *text = NULL;
		char name[PATH_MAX];

		cr_expect_eq(memory_read_path(&memory, child, (uintptr_t)longest + 101, &text), 0);
		cr_expect_eq(text ? strlen(text) : 0, PATH_MAX - 1);
		cr_expect_eq(memory_read_name(&memory, child, (uintptr_t)longest + 101, name), 0);
		cr_expect_eq(strlen(name), PATH_MAX - 1);
	}
}

Test(memory, cut_off_by_what_is_not_mapped)
{
	char *last;

	tear_down();
	last = pages + 2 * PAGE - 100;
	memset(last, 'z', 100);
	stop_child();
	expect_error(last, -EFAULT);
}

Test(memory, structures)
{
	for (int way = 0; way < MEMORY_WAYS; way++) {
		const struct memory memory = {.first = (enum memory_way)way};
		char data[20] = "";

		cr_expect_eq(memory_read(&memory, child, (uintptr_t)pages + PAGE - 10, data, sizeof data), 0);
		cr_expect_eq(memcmp(data, pages + PAGE - 10, sizeof data), 0);
		cr_expect_eq(memory_read(&memory, child, (uintptr_t)pages + 2 * PAGE - 10, data, sizeof data), -EFAULT);
		cr_expect_eq(memory_read(&memory, child, (uintptr_t)pages, data, 0), 0);
	}
}

Test(memory, of_a_task_that_is_gone)
{
	const struct memory memory = {.first = MEMORY_VM};
	char data[4];

	tear_down();
	cr_expect_eq(memory_read(&memory, child, (uintptr_t)pages, data, sizeof data), -ESRCH);
}
