#include "profile/rights.h"

#include <errno.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/nearest.h"

/* A right on a directory holds for everything beneath it, so directories may have all file system rights. */
#define ANYWHERE(name, bit, abi, help)                                                                                 \
	{                                                                                                              \
		name, bit, RIGHT_CLASS_FILE_SYSTEM, abi, true, true, help                                              \
	}
#define ON_DIRECTORY(name, bit, abi, help)                                                                             \
	{                                                                                                              \
		name, bit, RIGHT_CLASS_FILE_SYSTEM, abi, false, true, help                                             \
	}
#define NETWORK(name, bit, abi, help)                                                                                  \
	{                                                                                                              \
		name, bit, RIGHT_CLASS_NETWORK, abi, false, false, help                                                \
	}
#define SCOPE(name, bit, abi, help)                                                                                    \
	{                                                                                                              \
		name, bit, RIGHT_CLASS_SCOPE, abi, false, false, help                                                  \
	}

const struct right right_table[] = {
	SCOPE("abstract_unix_socket", RIGHT_ABSTRACT_UNIX_SOCKET, 6, "connect to abstract sockets made outside"),
	NETWORK("bind_tcp", RIGHT_BIND_TCP, 4, "bind a TCP socket to the port"),
	NETWORK("bind_udp", RIGHT_BIND_UDP, 10, "bind a UDP socket to the port"),
	NETWORK("connect_send_udp", RIGHT_CONNECT_SEND_UDP, 10, "connect a UDP socket, or send, to the port"),
	NETWORK("connect_tcp", RIGHT_CONNECT_TCP, 4, "connect a TCP socket to the port"),
	ANYWHERE("execute", RIGHT_EXECUTE, 1, "run a program"),
	ANYWHERE("ioctl_dev", RIGHT_IOCTL_DEV, 5, "send ioctl commands to a device opened inside"),
	ON_DIRECTORY("make_block", RIGHT_MAKE_BLOCK, 1, "create, rename or link a block device in it"),
	ON_DIRECTORY("make_char", RIGHT_MAKE_CHAR, 1, "create, rename or link a character device in it"),
	ON_DIRECTORY("make_dir", RIGHT_MAKE_DIR, 1, "create or rename a directory in it"),
	ON_DIRECTORY("make_fifo", RIGHT_MAKE_FIFO, 1, "create, rename or link a named pipe in it"),
	ON_DIRECTORY("make_reg", RIGHT_MAKE_REG, 1, "create, rename or link a file in it"),
	ON_DIRECTORY("make_sock", RIGHT_MAKE_SOCK, 1, "create, rename or link a socket in it"),
	ON_DIRECTORY("make_sym", RIGHT_MAKE_SYM, 1, "create, rename or link a symbolic link in it"),
	ON_DIRECTORY("read_dir", RIGHT_READ_DIR, 1, "list a directory"),
	ANYWHERE("read_file", RIGHT_READ_FILE, 1, "open a file for reading"),
	ON_DIRECTORY("refer", RIGHT_REFER, 2, "move or link something into or out of it"),
	ON_DIRECTORY("remove_dir", RIGHT_REMOVE_DIR, 1, "remove or rename a directory in it"),
	ON_DIRECTORY("remove_file", RIGHT_REMOVE_FILE, 1, "remove or rename anything but a directory in it"),
	ANYWHERE("resolve_unix", RIGHT_RESOLVE_UNIX, 9, "connect or send to a socket by its path"),
	SCOPE("signal", RIGHT_SIGNAL, 6, "send signals to processes outside"),
	ANYWHERE("truncate", RIGHT_TRUNCATE, 3, "cut or lengthen a file without writing to it"),
	ANYWHERE("write_file", RIGHT_WRITE_FILE, 1, "open a file for writing"),
	{0},
};

static const struct right *find_bytes(const char *name, size_t length)
{
	for (const struct right *right = right_table; right->name; right++)
		if (*right->name == *name && !strncmp(right->name, name, length) && right->name[length] == '\0')
			return right;
	return NULL;
}

const struct right *right_find(const char *name)
{
	return find_bytes(name, strlen(name));
}

rights_t rights_of_abi(int abi)
{
	rights_t rights = 0;

	for (const struct right *right = right_table; right->name; right++)
		if (right->abi <= abi)
			rights |= right->bit;
	return rights;
}

void rights_write(struct buffer *out, rights_t rights)
{
	const rights_t all = rights;

	for (const struct right *right = right_table; rights && right->name; right++) {
		if (!(rights & right->bit))
			continue;
		if (rights != all)
			buffer_add_byte(out, ',');
		buffer_add_text(out, right->name);
		rights &= ~right->bit;
	}
}

static int check_class(const struct right *right, enum right_class class, struct error *err)
{
	static const char *const place[] = {
		[RIGHT_CLASS_FILE_SYSTEM] = "of the file system: it belongs in [normal], [guarded] or [protected]",
		[RIGHT_CLASS_NETWORK] = "of the network: it belongs in [network]",
		[RIGHT_CLASS_SCOPE] = "a scope: it belongs in [scope]",
	};

	if (right->class == class)
		return 0;
	return error_set(err, EINVAL, "%s is %s", right->name, place[right->class]);
}

static int unknown_right(const char *name, size_t length, enum right_class class, struct error *err)
{
	const char *known[sizeof(rights_t) * 8];
	scoped_free char *help = NULL;
	size_t count = 0;

	for (const struct right *right = right_table; right->name; right++)
		if (right->class == class)
			known[count++] = right->name;
	if (length && strchr(class == RIGHT_CLASS_NETWORK ? "0123456789" : "/$", *name)) {
		help = nearest_help("", 0, known, count);
		return error_set(err, EINVAL, "the rights are missing in front of %.*s%s",
				 (int)(length > 64 ? 64 : length), name, help);
	}
	help = nearest_help(name, length, known, count);
	return error_set(err, EINVAL, "unknown right %.*s%s", (int)(length > 64 ? 64 : length), name, help);
}

static int read_one(const char *name, size_t length, enum right_class class, rights_t *rights, struct error *err)
{
	const struct right *right = find_bytes(name, length);

	if (length == 0)
		return error_set(err, EINVAL,
				 "the name of a right is missing: between two stands a comma, without blanks");
	if (!right)
		return unknown_right(name, length, class, err);
	if (check_class(right, class, err) < 0)
		return -err->number;
	if (*rights & right->bit)
		return error_set(err, EINVAL, "%s stands twice", right->name);
	*rights |= right->bit;
	return 0;
}

int rights_read(const char *text, size_t length, enum right_class class, rights_t *rights, struct error *err)
{
	const char *end = text + length;

	*rights = 0;
	if (length == 0)
		return error_set(err, EINVAL, "empty: here the rights are missing, and what they are on");
	for (const char *name = text;;) {
		const char *comma = memchr(name, ',', (size_t)(end - name));
		const char *stop = comma ? comma : end;

		if (read_one(name, (size_t)(stop - name), class, rights, err) < 0)
			return -err->number;
		if (!comma)
			return 0;
		name = comma + 1;
	}
}
