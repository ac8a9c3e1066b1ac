/* Errors and memory: what a failure carries on its way up. */
#include <criterion/criterion.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/message.h"

#define uthash_malloc(size) ((void)(size), NULL) /* there is none left */
#include "base/uthash.h"

Test(error, set)
{
	scoped_error err = {0};

	cr_expect_eq(error_set(&err, EPERM, "%s: %d", "x", 7), -EPERM);
	cr_expect_eq(err.number, EPERM);
	cr_expect_str_eq(err.message, "x: 7");
}

Test(error, set_again_replaces)
{
	scoped_error err = {0};

	error_set(&err, EPERM, "first");
	cr_expect_eq(error_set(&err, 0, "second to %s", err.message), -EINVAL);
	cr_expect_eq(err.number, EINVAL);
	cr_expect_str_eq(err.message, "second to first");
}

Test(error, with_the_number_in_words)
{
	scoped_error err = {0};

	cr_expect_eq(error_set_errno(&err, ENOENT, "a%db", 1), -ENOENT);
	cr_expect_str_eq(err.message, "a1b: No such file or directory");
}

Test(error, context_goes_in_front)
{
	scoped_error err = {0};

	error_set(&err, E2BIG, "inner %%s");
	cr_expect_eq(error_context(&err, "p.ini:%d", 3), -E2BIG);
	cr_expect_eq(error_context(&err, "outer"), -E2BIG);
	cr_expect_str_eq(err.message, "outer: p.ini:3: inner %s");
}

Test(error, finish_leaves_it_fresh)
{
	struct error err = {0};

	error_set(&err, EPERM, "x");
	error_finish(&err);
	cr_expect_eq(err.number, 0);
	cr_expect_null(err.message);
	error_finish(&err);
}

Test(memory, texts)
{
	scoped_free char *copy = duplicate("abc"), *part = duplicate_bytes("abc", 2),
			 *text = format_text("%s-%d", "x", 5);

	cr_expect_str_eq(copy, "abc");
	cr_expect_str_eq(part, "ab");
	cr_expect_str_eq(text, "x-5");
	cr_expect_null(duplicate(NULL));
}

Test(memory, is_zeroed)
{
	scoped_free char *memory = allocate(64);

	for (int i = 0; i < 64; i++)
		cr_expect_eq(memory[i], 0);
}

Test(memory, arrays_grow)
{
	int *items = NULL;
	size_t count = 0, capacity = 0;

	for (int i = 0; i < 1000; i++)
		*ARRAY_APPEND(items, count, capacity) = i;
	cr_expect_eq(count, 1000u);
	for (int i = 0; i < 1000; i++)
		cr_assert_eq(items[i], i);
	free(items);
}

/* Status and line of a child that asks for more than there is. */
static void expect_end(void (*ask)(void), int end, const char *want)
{
	char line[64] = "";
	int ends[2], status;

	cr_assert_eq(pipe(ends), 0);
	if (fork() == 0) {
		dup2(ends[1], STDERR_FILENO);
		ask();
		_exit(0);
	}
	close(ends[1]);
	wait(&status);
	cr_expect(WIFEXITED(status) && WEXITSTATUS(status) == end);
	cr_expect_gt(read(ends[0], line, sizeof line - 1), 0);
	cr_expect_str_eq(line, want);
	close(ends[0]);
}

static void ask_for_room(void)
{
	size_t capacity = (size_t)-1 / 4;

	array_room(NULL, capacity, &capacity, sizeof(int));
}

static void ask_as_another_command(void)
{
	message_init("trace-x", 9);
	ask_for_room();
}

struct item {
	int key;
	UT_hash_handle hh;
};

static void ask_for_a_table(void)
{
	struct item *table = NULL, item = {.key = 1};

	HASH_ADD_INT(table, key, &item);
}

Test(memory, none_left_ends_the_program)
{
	expect_end(ask_for_room, 125, "trace-learn: out of memory\n");
	expect_end(ask_as_another_command, 9, "trace-x: out of memory\n");
	expect_end(ask_for_a_table, 125, "trace-learn: out of memory\n");
}

Test(cleanup, ownership_leaves_by_a_steal)
{
	char *pointer = duplicate("x");
	char *stolen = steal_pointer(&pointer);
	int fd = dup(0), taken = steal_fd(&fd);

	cr_expect_null(pointer);
	cr_expect_str_eq(stolen, "x");
	cr_expect_eq(fd, -1);
	cr_expect_geq(taken, 0);
	close(taken);
	free(stolen);
}
