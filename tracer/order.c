#include "tracer/order.h"

#include <errno.h>
#include <stddef.h>

#include "base/memory.h"

#define OF(name) (1U << ORDER_##name)
#define EVERY	 ((1U << ORDER_COUNT) - 1)
#define OPENING	 (OF(OPEN) | OF(CREATE) | OF(TMPFILE))
#define MAKING	 (OF(MAKE) | OF(MAKE_NODE) | OF(LINK) | OF(BIND_PATH))
#define REMOVING (OF(UNLINK) | OF(RMDIR))
#define PATHS	 (EVERY & ~(OF(INTERNET) | OF(ABSTRACT)))

static const struct before {
	int error;
	unsigned orders;
	unsigned unless; /* any of these facts: it came after the check */
} befores[] = {
	{EACCES, EVERY, 0},
	{EBADF, EVERY, 0},
	{ENOMEM, EVERY, 0},
	{EFAULT, EVERY & ~OF(EXEC), 0},
	{EFAULT, OF(EXEC), FACT_FOUND}, /* argv is read after the file was opened */
	{ESTALE, PATHS, 0},
	{EROFS, PATHS, 0},

	/* The way to the object. What a script or binary names is looked for after the file itself was opened. */
	{ENOENT, PATHS & ~OF(EXEC), 0},
	{ENOTDIR, PATHS & ~(OF(EXEC) | OF(RMDIR) | OF(RENAME)), 0},
	{ELOOP, PATHS & ~OF(EXEC), 0},
	{ENAMETOOLONG, PATHS & ~OF(EXEC), 0},
	{ENOENT, OF(EXEC), FACT_FOUND},
	{ENOTDIR, OF(EXEC) | OF(RMDIR), FACT_FOUND},
	{ELOOP, OF(EXEC), FACT_FOUND},
	{ENAMETOOLONG, OF(EXEC), FACT_FOUND},
	{ENOTDIR, OF(RENAME), FACT_BARE},
	{EXDEV, OPENING, 0},
	{EXDEV, OF(RENAME) | OF(LINK), FACT_SAME_MOUNT},

	{EEXIST, OPENING | MAKING, 0},
	{EEXIST, OF(RENAME), FACT_REPLACING},
	{EADDRINUSE, OF(BIND_PATH), 0},
	{EISDIR, OPENING | OF(INTERNAL_OPEN) | OF(TRUNCATE), 0},
	{EISDIR, OF(UNLINK), FACT_BARE},
	{ENOTEMPTY, OF(RMDIR), FACT_PLAIN},
	{ENOTEMPTY, OF(RENAME), FACT_APART},
	{EBUSY, OF(RMDIR) | OF(RENAME), FACT_PLAIN},

	{EMFILE, OPENING | OF(INTERNAL_OPEN) | OF(EXEC), 0},
	{ENFILE, OPENING | OF(INTERNAL_OPEN) | OF(EXEC), 0},
	{E2BIG, OPENING, 0}, /* openat2's structure; execve's is argv, after */
	{EAGAIN, OPENING, FACT_WAITING},
	{EAGAIN, OF(EXEC) | OF(TRUNCATE), 0},

	/* Write access is taken before the check, but for O_TRUNC alone after it. */
	{ETXTBSY, OF(OPEN), FACT_READING},
	{ETXTBSY, OF(TRUNCATE) | OF(INTERNAL_OPEN), 0},

	/* Flags that do not go together are seen first, O_DIRECT on a file that cannot do it last. */
	{EINVAL, OF(OPEN), FACT_DIRECT | FACT_DRIVER},
	{EINVAL, OF(CREATE) | OF(TMPFILE), FACT_DIRECT},
	{EINVAL, OF(EXEC), FACT_FOUND},
	{EINVAL, OF(RENAME), FACT_APART},
	{EINVAL, MAKING | REMOVING | OF(TRUNCATE), 0},

	/* O_NOATIME, append-only and immutable files; drivers refuse after. */
	{EPERM, OF(OPEN), FACT_DRIVER},
	{EPERM, OF(TMPFILE) | OF(INTERNAL_OPEN) | OF(TRUNCATE), 0},
	{EPERM, OF(MAKE_NODE), FACT_MAKEABLE}, /* mknod of a directory is refused at once */
	{EPERM, OF(LINK), FACT_OWNED},	       /* fs.protected_hardlinks before; directories after */

	/* The nameless inode is made first, and only then opened. */
	{EOPNOTSUPP, OF(TMPFILE) | OF(SOCKET_PATH), 0},
	{ENOSPC, OF(TMPFILE), 0},
	{EDQUOT, OF(TMPFILE), 0},

	/* A socket has to be found behind the path first; whether it listens, or talks to another, is seen after. */
	{ECONNREFUSED, OF(SOCKET_PATH), FACT_BOUND},
	{EPERM, OF(SOCKET_PATH), FACT_BOUND},
	{ENOTSOCK, OF(SOCKET_PATH) | OF(BIND_PATH) | OF(INTERNET), 0},
	{EAFNOSUPPORT, OF(SOCKET_PATH) | OF(INTERNET), 0},
	{EISCONN, OF(SOCKET_PATH), FACT_CONNECTING},
	{EINVAL, OF(SOCKET_PATH), FACT_CONNECTING}, /* it listens itself */
	{EMSGSIZE, OF(SOCKET_PATH), 0},
	{ENOBUFS, OF(SOCKET_PATH), 0},

	/* Here the socket is asked about last, but for a full queue of datagrams; a listener's is seen before. */
	{ECONNREFUSED, OF(ABSTRACT), 0},
	{EPERM, OF(ABSTRACT), 0},
	{EPROTOTYPE, OF(ABSTRACT), 0},
	{EPIPE, OF(ABSTRACT), 0},
	{EISCONN, OF(ABSTRACT), 0},
	{ENOTCONN, OF(ABSTRACT), 0},
	{EINVAL, OF(ABSTRACT), 0},
	{EOPNOTSUPP, OF(ABSTRACT), 0},
	{ENOTSOCK, OF(ABSTRACT), 0},
	{EAFNOSUPPORT, OF(ABSTRACT), 0},
	{EMSGSIZE, OF(ABSTRACT), 0},
	{ENOBUFS, OF(ABSTRACT), 0},
	{ETOOMANYREFS, OF(ABSTRACT), 0},
	{EAGAIN, OF(ABSTRACT), FACT_SENDING},
	{EINTR, OF(ABSTRACT), FACT_SENDING},
};

bool order_asked(enum order order, int error, unsigned facts)
{
	size_t i;

	if (!error)
		return true;
	for (i = 0; i < ARRAY_LENGTH(befores); i++)
		if (befores[i].error == error && befores[i].orders & 1U << order)
			return befores[i].unless & facts;
	return true;
}
