/*
 * The order of the kernel's checks: whether it had asked Landlock when it gave a result. A grant is needed exactly
 * then: not when a program tried, and not only when it succeeded. Success comes after the check, and so does every
 * error that is not listed; a listed one came before it, or is what Landlock would have answered too (EACCES; of a
 * rename that may be EXDEV as well), unless a fact about the call says otherwise.
 *
 * Source: fs/namei.c, fs/open.c, fs/exec.c, net/socket.c and security/landlock/ of Linux 6.18, and
 * tests/live/test_order.c, which proves it against the running kernel.
 */
#pragma once

#include <stdbool.h>

/* What the errno alone does not tell. */
enum fact {
	FACT_FOUND = 1 << 0,	   /* the object was there: the error is not from the way to it */
	FACT_PLAIN = 1 << 1,	   /* found, and its name does not end in `.`, `..` or nothing */
	FACT_BARE = 1 << 2,	   /* plain, without a slash at the end */
	FACT_DIRECT = 1 << 3,	   /* opened with O_DIRECT, which is looked at last */
	FACT_DRIVER = 1 << 4,	   /* a device, or in /proc or /sys: its own open function may refuse anything */
	FACT_READING = 1 << 5,	   /* opened for reading only */
	FACT_WAITING = 1 << 6,	   /* without RESOLVE_CACHED, whose EAGAIN comes from the way */
	FACT_APART = 1 << 7,	   /* a rename with known flags, neither name beneath the other */
	FACT_SAME_MOUNT = 1 << 8,  /* both names are on one mount */
	FACT_REPLACING = 1 << 9,   /* a rename that may replace */
	FACT_OWNED = 1 << 10,	   /* the caller owns the object, or is root */
	FACT_MAKEABLE = 1 << 11,   /* a kind of object that mknod can make */
	FACT_CONNECTING = 1 << 13, /* connect(2), not a send */
	FACT_BOUND = 1 << 12,	   /* a socket is bound to the path, listening or not */
	FACT_SENDING = 1 << 14,	   /* a datagram, whoever has to wait */
};

/* Which calls share an order. */
enum order {
	ORDER_OPEN,
	ORDER_CREATE, /* open with O_CREAT, and nothing was there */
	ORDER_TMPFILE,
	ORDER_INTERNAL_OPEN, /* swapon, acct: the kernel opens the file for itself */
	ORDER_EXEC,
	ORDER_MAKE,
	ORDER_MAKE_NODE,
	ORDER_UNLINK,
	ORDER_RMDIR,
	ORDER_RENAME,
	ORDER_LINK,
	ORDER_TRUNCATE,
	ORDER_BIND_PATH,
	ORDER_SOCKET_PATH, /* connect and send to a socket path */
	ORDER_ABSTRACT,	   /* connect and send to an abstract name */
	ORDER_INTERNET,
	ORDER_COUNT
};

bool order_asked(enum order order, int error, unsigned facts);
