/*
 * The rights table: every right that Landlock knows up to ABI 10, read by the parser, the writer, the compiler of
 * rulesets, --help, completions and the manual. Source: landlock(7) and Documentation/userspace-api/landlock.rst.
 *
 * A rights_t is a set. File system rights stand at the kernel's own bits; network rights are the kernel's bits moved
 * up by RIGHTS_NETWORK_SHIFT, scopes by RIGHTS_SCOPE_SHIFT, so one set can hold all and none can be taken for another.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/buffer.h"
#include "base/error.h"

typedef uint64_t rights_t;

#define RIGHTS_NETWORK_SHIFT 32
#define RIGHTS_SCOPE_SHIFT   48

#define RIGHT_EXECUTE	   (1ULL << 0)
#define RIGHT_WRITE_FILE   (1ULL << 1)
#define RIGHT_READ_FILE	   (1ULL << 2)
#define RIGHT_READ_DIR	   (1ULL << 3)
#define RIGHT_REMOVE_DIR   (1ULL << 4)
#define RIGHT_REMOVE_FILE  (1ULL << 5)
#define RIGHT_MAKE_CHAR	   (1ULL << 6)
#define RIGHT_MAKE_DIR	   (1ULL << 7)
#define RIGHT_MAKE_REG	   (1ULL << 8)
#define RIGHT_MAKE_SOCK	   (1ULL << 9)
#define RIGHT_MAKE_FIFO	   (1ULL << 10)
#define RIGHT_MAKE_BLOCK   (1ULL << 11)
#define RIGHT_MAKE_SYM	   (1ULL << 12)
#define RIGHT_REFER	   (1ULL << 13)
#define RIGHT_TRUNCATE	   (1ULL << 14)
#define RIGHT_IOCTL_DEV	   (1ULL << 15)
#define RIGHT_RESOLVE_UNIX (1ULL << 16)

#define RIGHT_BIND_TCP	       (1ULL << (RIGHTS_NETWORK_SHIFT + 0))
#define RIGHT_CONNECT_TCP      (1ULL << (RIGHTS_NETWORK_SHIFT + 1))
#define RIGHT_BIND_UDP	       (1ULL << (RIGHTS_NETWORK_SHIFT + 2))
#define RIGHT_CONNECT_SEND_UDP (1ULL << (RIGHTS_NETWORK_SHIFT + 3))

#define RIGHT_ABSTRACT_UNIX_SOCKET (1ULL << (RIGHTS_SCOPE_SHIFT + 0))
#define RIGHT_SIGNAL		   (1ULL << (RIGHTS_SCOPE_SHIFT + 1))

#define RIGHTS_FILE_SYSTEM ((1ULL << 17) - 1)
#define RIGHTS_NETWORK	   (0xfULL << RIGHTS_NETWORK_SHIFT)
#define RIGHTS_SCOPE	   (0x3ULL << RIGHTS_SCOPE_SHIFT)

/* What a rule on something else than a directory may hold (landlock(7): the others apply to directories only). */
#define RIGHTS_ON_FILE                                                                                                 \
	(RIGHT_EXECUTE | RIGHT_WRITE_FILE | RIGHT_READ_FILE | RIGHT_TRUNCATE | RIGHT_IOCTL_DEV | RIGHT_RESOLVE_UNIX)

/* With one of these on a file, the program can change what is in it. */
#define RIGHTS_ON_CONTENTS (RIGHT_WRITE_FILE | RIGHT_TRUNCATE)

/* With one of these on a directory, the program can put something else in the place of a name in it. */
#define RIGHTS_ON_NAMES                                                                                                \
	(RIGHT_REMOVE_DIR | RIGHT_REMOVE_FILE | RIGHT_MAKE_CHAR | RIGHT_MAKE_DIR | RIGHT_MAKE_REG | RIGHT_MAKE_SOCK |  \
	 RIGHT_MAKE_FIFO | RIGHT_MAKE_BLOCK | RIGHT_MAKE_SYM | RIGHT_REFER)

/* For tiers: read_*, execute are reading, the rest changes something (refer alone does not: it only permits a move). */
#define RIGHTS_READING (RIGHT_EXECUTE | RIGHT_READ_FILE | RIGHT_READ_DIR)

enum right_class { RIGHT_CLASS_FILE_SYSTEM, RIGHT_CLASS_NETWORK, RIGHT_CLASS_SCOPE };

struct right {
	const char *name; /* the kernel's, in lower case */
	rights_t bit;
	enum right_class class;
	int abi; /* first Landlock ABI that has it */
	bool on_file;
	bool on_directory;
	const char *help; /* one short line */
};

#define LANDLOCK_ABI_NEWEST 10

/* The table, sorted by name; ends with a NULL name. */
extern const struct right right_table[];

const struct right *right_find(const char *name); /* NULL when unknown */
rights_t rights_of_abi(int abi);		  /* all rights of every class that this ABI knows */

/* Appends the names, sorted, joined by ','. */
void rights_write(struct buffer *out, rights_t rights);

/* Reads names of one class joined by ',' (length bytes of text); a repeated, empty or unknown name is -EINVAL. */
int rights_read(const char *text, size_t length, enum right_class class, rights_t *rights, struct error *err);
