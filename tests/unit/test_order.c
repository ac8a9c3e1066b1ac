/* What the order of checks says of errors that a live test (tests/live/test_order.c) cannot bring about. */
#include <criterion/criterion.h>
#include <errno.h>

#include "tracer/order.h"

#define EVERY_FACT (~0U)

Test(order, success_was_asked)
{
	for (int order = 0; order < ORDER_COUNT; order++)
		cr_expect(order_asked((enum order)order, 0, 0), "%d", order);
}

/* Landlock's own answer: no grant would change what the program sees. */
Test(order, refusal_stays)
{
	for (int order = 0; order < ORDER_COUNT; order++)
		cr_expect(!order_asked((enum order)order, EACCES, EVERY_FACT), "%d", order);
}

Test(order, bad_memory_is_seen_first)
{
	for (int order = 0; order < ORDER_COUNT; order++)
		cr_expect(!order_asked((enum order)order, EFAULT, 0), "%d", order);
}

/* Disks, drivers and signals come last. */
Test(order, other_errors_come_after)
{
	static const int errors[] = {EIO, EINTR, EDQUOT, ENOSPC, ENXIO, ENODEV, EMLINK, EFBIG};

	for (size_t i = 0; i < sizeof errors / sizeof *errors; i++) {
		cr_expect(order_asked(ORDER_OPEN, errors[i], 0));
		cr_expect(order_asked(ORDER_MAKE, errors[i], 0));
		cr_expect(order_asked(ORDER_RENAME, errors[i], 0));
		cr_expect(order_asked(ORDER_TRUNCATE, errors[i], 0));
	}
	cr_expect(!order_asked(ORDER_TMPFILE, EDQUOT, 0));
	cr_expect(!order_asked(ORDER_TMPFILE, ENOSPC, 0));
}

static void expect_turned(enum order order, int error, unsigned fact)
{
	cr_expect(!order_asked(order, error, 0), "order %d, %d", (int)order, error);
	cr_expect(!order_asked(order, error, EVERY_FACT & ~fact), "order %d, %d", (int)order, error);
	cr_expect(order_asked(order, error, fact), "order %d, %d", (int)order, error);
}

Test(order, facts_decide)
{
	expect_turned(ORDER_OPEN, EAGAIN, FACT_WAITING);
	expect_turned(ORDER_OPEN, ETXTBSY, FACT_READING);
	expect_turned(ORDER_OPEN, EPERM, FACT_DRIVER);
	expect_turned(ORDER_OPEN, EINVAL, FACT_DIRECT | FACT_DRIVER);
	expect_turned(ORDER_RMDIR, ENOTDIR, FACT_FOUND);
	expect_turned(ORDER_RENAME, EXDEV, FACT_SAME_MOUNT);
	expect_turned(ORDER_LINK, EPERM, FACT_OWNED);
	expect_turned(ORDER_EXEC, ENOENT, FACT_FOUND);
	expect_turned(ORDER_EXEC, ENAMETOOLONG, FACT_FOUND);
	expect_turned(ORDER_SOCKET_PATH, ECONNREFUSED, FACT_BOUND);
	expect_turned(ORDER_SOCKET_PATH, EPERM, FACT_BOUND);
	expect_turned(ORDER_SOCKET_PATH, EISCONN, FACT_CONNECTING);
	expect_turned(ORDER_SOCKET_PATH, EINVAL, FACT_CONNECTING);
	expect_turned(ORDER_ABSTRACT, EAGAIN, FACT_SENDING);
	expect_turned(ORDER_ABSTRACT, EINTR, FACT_SENDING);
}

/*
 * What no test can bring about on purpose: memory, files of the whole system and a file server that come to an end; a
 * file system without nameless files; a user with too many processes, or a lease on what is cut off; and Landlock's
 * check of socket paths, which kernels before ABI 9 do not have.
 */
Test(order, errors_that_are_not_to_be_had)
{
	static const struct {
		enum order order;
		int error;
	} before[] = {
		{ORDER_OPEN, ENOMEM},		{ORDER_RENAME, ENOMEM},
		{ORDER_ABSTRACT, ENOMEM},	{ORDER_OPEN, ESTALE},
		{ORDER_EXEC, ESTALE},		{ORDER_UNLINK, ESTALE},
		{ORDER_OPEN, ENFILE},		{ORDER_TMPFILE, ENFILE},
		{ORDER_EXEC, ENFILE},		{ORDER_INTERNAL_OPEN, ENFILE},
		{ORDER_EXEC, EAGAIN},		{ORDER_TRUNCATE, EAGAIN},
		{ORDER_TMPFILE, EOPNOTSUPP},	{ORDER_SOCKET_PATH, EOPNOTSUPP},
		{ORDER_SOCKET_PATH, ENOTSOCK},	{ORDER_BIND_PATH, ENOTSOCK},
		{ORDER_INTERNET, ENOTSOCK},	{ORDER_SOCKET_PATH, EAFNOSUPPORT},
		{ORDER_INTERNET, EAFNOSUPPORT}, {ORDER_SOCKET_PATH, EMSGSIZE},
		{ORDER_SOCKET_PATH, ENOBUFS},
	};

	for (size_t i = 0; i < sizeof before / sizeof *before; i++)
		cr_expect(!order_asked(before[i].order, before[i].error, EVERY_FACT), "order %d, %d",
			  (int)before[i].order, before[i].error);
	cr_expect(order_asked(ORDER_ABSTRACT, ESTALE, 0));
	cr_expect(order_asked(ORDER_MAKE, ENFILE, 0));
}

/* The socket itself is looked at before the name's. */
Test(order, abstract_names_come_last)
{
	static const int errors[] = {EPROTOTYPE, ENOTCONN, EINVAL, ENOTSOCK, EAFNOSUPPORT, ENOBUFS, ETOOMANYREFS};

	for (size_t i = 0; i < sizeof errors / sizeof *errors; i++)
		cr_expect(!order_asked(ORDER_ABSTRACT, errors[i], EVERY_FACT), "%d", errors[i]);
}

/* A name that exists is seen before any check, but a directory that is not empty after it. */
Test(order, existing_names)
{
	cr_expect(!order_asked(ORDER_MAKE, EEXIST, EVERY_FACT));
	cr_expect(!order_asked(ORDER_LINK, EEXIST, EVERY_FACT));
	cr_expect(!order_asked(ORDER_OPEN, EEXIST, EVERY_FACT));
	cr_expect(order_asked(ORDER_RMDIR, ENOTEMPTY, FACT_FOUND | FACT_PLAIN));
}
