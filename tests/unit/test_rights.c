/* The rights table: its own order, its agreement with the constants, and names both ways. */
#include <criterion/criterion.h>
#include <errno.h>
#include <linux/landlock.h>
#include <string.h>

#include "profile/rights.h"
#include "profile_text.h"

Test(rights, table_is_sorted_and_whole)
{
	rights_t all = 0;

	for (const struct right *right = right_table; right->name; right++) {
		if (right != right_table)
			cr_expect_lt(strcmp(right[-1].name, right->name), 0, "%s", right->name);
		cr_expect_eq(right->bit & (right->bit - 1), 0u, "%s", right->name);
		cr_expect_eq(all & right->bit, 0u, "%s", right->name);
		cr_expect(right->help && *right->help, "%s", right->name);
		all |= right->bit;
	}
	cr_expect_eq(all, RIGHTS_FILE_SYSTEM | RIGHTS_NETWORK | RIGHTS_SCOPE);
}

Test(rights, classes_and_objects_agree_with_the_masks)
{
	for (const struct right *right = right_table; right->name; right++) {
		rights_t mask = right->class == RIGHT_CLASS_FILE_SYSTEM ? RIGHTS_FILE_SYSTEM
				: right->class == RIGHT_CLASS_NETWORK	? RIGHTS_NETWORK
									: RIGHTS_SCOPE;

		cr_expect(right->bit & mask, "%s", right->name);
		cr_expect_eq(right->on_file, (right->bit & RIGHTS_ON_FILE) != 0, "%s", right->name);
		cr_expect_eq(right->on_directory, right->class == RIGHT_CLASS_FILE_SYSTEM, "%s", right->name);
	}
}

/* As far as the system's header goes. */
Test(rights, bits_are_the_kernels)
{
	cr_expect_eq(RIGHT_EXECUTE, LANDLOCK_ACCESS_FS_EXECUTE);
	cr_expect_eq(RIGHT_WRITE_FILE, LANDLOCK_ACCESS_FS_WRITE_FILE);
	cr_expect_eq(RIGHT_READ_FILE, LANDLOCK_ACCESS_FS_READ_FILE);
	cr_expect_eq(RIGHT_READ_DIR, LANDLOCK_ACCESS_FS_READ_DIR);
	cr_expect_eq(RIGHT_REMOVE_DIR, LANDLOCK_ACCESS_FS_REMOVE_DIR);
	cr_expect_eq(RIGHT_REMOVE_FILE, LANDLOCK_ACCESS_FS_REMOVE_FILE);
	cr_expect_eq(RIGHT_MAKE_CHAR, LANDLOCK_ACCESS_FS_MAKE_CHAR);
	cr_expect_eq(RIGHT_MAKE_DIR, LANDLOCK_ACCESS_FS_MAKE_DIR);
	cr_expect_eq(RIGHT_MAKE_REG, LANDLOCK_ACCESS_FS_MAKE_REG);
	cr_expect_eq(RIGHT_MAKE_SOCK, LANDLOCK_ACCESS_FS_MAKE_SOCK);
	cr_expect_eq(RIGHT_MAKE_FIFO, LANDLOCK_ACCESS_FS_MAKE_FIFO);
	cr_expect_eq(RIGHT_MAKE_BLOCK, LANDLOCK_ACCESS_FS_MAKE_BLOCK);
	cr_expect_eq(RIGHT_MAKE_SYM, LANDLOCK_ACCESS_FS_MAKE_SYM);
	cr_expect_eq(RIGHT_REFER, LANDLOCK_ACCESS_FS_REFER);
}

Test(rights, each_abi_adds_what_it_is_known_for)
{
	static const rights_t added[] = {
		[2] = RIGHT_REFER,
		[3] = RIGHT_TRUNCATE,
		[4] = RIGHT_BIND_TCP | RIGHT_CONNECT_TCP,
		[5] = RIGHT_IOCTL_DEV,
		[6] = RIGHT_ABSTRACT_UNIX_SOCKET | RIGHT_SIGNAL,
		[9] = RIGHT_RESOLVE_UNIX,
		[LANDLOCK_ABI_NEWEST] = RIGHT_BIND_UDP | RIGHT_CONNECT_SEND_UDP,
	};

	cr_expect_eq(rights_of_abi(0), 0u);
	cr_expect_eq(rights_of_abi(1), (1u << 13) - 1);
	for (int abi = 2; abi <= LANDLOCK_ABI_NEWEST; abi++)
		cr_expect_eq(rights_of_abi(abi) & ~rights_of_abi(abi - 1), added[abi], "ABI %d", abi);
	cr_expect_eq(rights_of_abi(LANDLOCK_ABI_NEWEST + 5), RIGHTS_FILE_SYSTEM | RIGHTS_NETWORK | RIGHTS_SCOPE);
}

Test(rights, are_written_sorted_by_name)
{
	scoped_buffer out = {0};

	rights_write(&out, RIGHT_WRITE_FILE | RIGHT_EXECUTE | RIGHT_READ_FILE | RIGHT_READ_DIR);
	cr_expect_str_eq(buffer_text(&out), "execute,read_dir,read_file,write_file");
}

Test(rights, find)
{
	cr_expect_eq(right_find("make_reg")->bit, RIGHT_MAKE_REG);
	cr_expect_null(right_find("make_re"));
	cr_expect_null(right_find("make_reg "));
	cr_expect_null(right_find(""));
}

Test(rights, every_right_is_read_as_it_is_written)
{
	for (const struct right *right = right_table; right->name; right++) {
		scoped_error err = {0};
		rights_t rights;

		cr_expect_eq(rights_read(right->name, strlen(right->name), right->class, &rights, &err), 0);
		cr_expect_eq(rights, right->bit);
	}
}

static void expect_refused(const char *text, enum right_class class, const char *message)
{
	scoped_error err = {0};
	rights_t rights;

	cr_assert_eq(rights_read(text, strlen(text), class, &rights, &err), -EINVAL, "%s", text);
	cr_expect(is_message(err.message, message), "%s\n%s", err.message, message);
}

#define MISSING "the name of a right is missing: between two stands a comma, without blanks"

Test(rights, refuses_what_is_no_list_of_one_class)
{
	expect_refused("", RIGHT_CLASS_FILE_SYSTEM, "empty: here the rights are missing, and what they are on");
	expect_refused("read_file,", RIGHT_CLASS_FILE_SYSTEM, MISSING);
	expect_refused(",read_file", RIGHT_CLASS_FILE_SYSTEM, MISSING);
	expect_refused("read_file,,execute", RIGHT_CLASS_FILE_SYSTEM, MISSING);
	expect_refused("read_fil", RIGHT_CLASS_FILE_SYSTEM, "unknown right read_fil");
	expect_refused("READ_FILE", RIGHT_CLASS_FILE_SYSTEM, "unknown right READ_FILE, perhaps read_file");
	expect_refused("read_file,read_file", RIGHT_CLASS_FILE_SYSTEM, "read_file stands twice");
	expect_refused("connect_tcp", RIGHT_CLASS_FILE_SYSTEM,
		       "connect_tcp is of the network: it belongs in [network]");
	expect_refused("signal", RIGHT_CLASS_FILE_SYSTEM, "signal is a scope: it belongs in [scope]");
	expect_refused("execute", RIGHT_CLASS_NETWORK,
		       "execute is of the file system: it belongs in [normal], [guarded] or [protected]");
}

/* Only the bytes it was given: what follows is the rest of a line. */
Test(rights, reads_no_further_than_the_length)
{
	scoped_error err = {0};
	rights_t rights;

	cr_expect_eq(rights_read("read_file,execute /x", 17, RIGHT_CLASS_FILE_SYSTEM, &rights, &err), 0);
	cr_expect_eq(rights, RIGHT_READ_FILE | RIGHT_EXECUTE);
}
