/*
 * The syscall table: every call that names a path, or acts on a named object, with where its directories, paths and
 * flags stand, and whether Landlock may be asked for it. The decoder, the filter and the coverage test read it; only it
 * knows names and numbers. A row serves every architecture, since calls of one name take the same arguments.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "base/call_filter.h"
#include "profile/access.h"
#include "tracer/order.h"

enum syscall_class {
	CALL_LOOK,	  /* names a path; Landlock is never asked, and the result is not waited for */
	CALL_CHECK,	  /* access(2), its mode after `path`: with a mode, what is missing was looked for */
	CALL_METADATA,	  /* changes what path is like, but not what is in it; AT_SYMLINK_NOFOLLOW in `flags` */
	CALL_OPEN,	  /* `flags` as open(2) has them */
	CALL_OPEN_HOW,	  /* struct open_how at `flags` */
	CALL_OPEN_HANDLE, /* a descriptor without a path argument */
	CALL_OPEN_PEER,	  /* ioctl(2): a pty's other end; or as CALL_OWNER */
	CALL_EXEC,
	CALL_MAKE,   /* `makes`, or the type in the mode at `flags` */
	CALL_PIN,    /* bpf(2), which makes a name when it pins: union bpf_attr at `flags` */
	CALL_REMOVE, /* AT_REMOVEDIR in `flags` */
	CALL_RENAME,
	CALL_LINK,
	CALL_USE,	     /* `rights` on what path leads to */
	CALL_USE_DESCRIPTOR, /* `rights` on what the descriptor at `directory` is */
	CALL_BIND,	     /* descriptor at `directory`, address at `path`, its length after it */
	CALL_CONNECT,	     /* likewise */
	CALL_SEND,	     /* likewise */
	CALL_SEND_MESSAGE,   /* struct msghdr at `path` */
	CALL_SEND_MESSAGES,  /* array of struct mmsghdr at `path`, its length after it */
	CALL_RECEIVE,	     /* struct msghdr at `path` */
	CALL_RECEIVE_MANY,   /* array of struct mmsghdr at `path`, its length after it */
	CALL_LISTEN,	     /* descriptor at `directory` */
	CALL_SOCKETS,	     /* socketcall(2): which call, array of its arguments at `path` */
	CALL_SIGNAL,	     /* process or task id at `path` */
	CALL_SIGNAL_PIDFD,   /* pidfd at `path` */
	CALL_OWNER,	     /* names whom the kernel signals for a descriptor */
	CALL_BARRED,	     /* does not work under Landlock */
	CALL_ROOT,	     /* changes what "/" means to the task */
	CALL_TRACE,	     /* ptrace: a task has one tracer, and that is us */
	CALL_RING,	     /* io_uring_setup: a way around the tracer */
	CALL_SECCOMP,	     /* a filter of the program's own; `fixed`: prctl(2), where it is the same */
	CALL_CLONE,	     /* of interest to the loop, and where it makes namespaces */
	CALL_ASK_PROCESSORS, /* of interest to the loop alone: what processors a task may use */
	CALL_SET_PROCESSORS, /* likewise */
	CALL_GROUPED,	     /* of interest for its seccomp groups alone */
	CALL_CLASSES
};

/* Which argument; 0 is none, so a row names only what its call has. */
enum argument { ARGUMENT_NONE, A0, A1, A2, A3, A4, A5 };

struct syscall_row {
	const char *name;
	enum syscall_class class;
	bool enforced; /* with --calls=enforced too */
	bool grouped;  /* stands in profile/seccomp_groups.h: depending on its arguments, a closed group refuses it */
	bool strays;   /* gives a descriptor that may lie on a mount which is not ours */
	bool shifted;  /* has a 64-bit argument before `directory`: one further where a word has 32 bits */
	enum argument directory, path;
	enum argument directory2, path2;
	enum argument flags;
	enum argument signal; /* the number of one that is sent */
	uint64_t fixed;	      /* flags that the call implies */
	enum order order;
	enum object_type makes;
	rights_t rights;
	/* Conditions (CALL_CONDITIONS of them) under which alone the filter stops the call, or else under the others.
	 */
	const struct call_condition *stop, *also;
};

/* Sorted by class; ends with a NULL name. */
extern const struct syscall_row syscall_table[];

/* The row of that name, or NULL. */
const struct syscall_row *syscall_named(const char *name);

/* Its number on an architecture (base/architecture.h); negative when it has none. */
int syscall_number(const struct syscall_row *row, uint32_t architecture);

/*
 * Rows by number, of all calls that a program on a kernel of one architecture can make: the native one first, 0 where
 * there is no second. Zeroed at first.
 */
#define SYSCALL_ARCHITECTURES 2
#define SYSCALL_NUMBERS	      1024
struct syscall_index {
	uint32_t architectures[SYSCALL_ARCHITECTURES];
	const struct syscall_row *rows[SYSCALL_ARCHITECTURES][SYSCALL_NUMBERS];
};

/* Whether the row lets the filter stop a call with these arguments. */
bool syscall_is_stopped(const struct syscall_row *row, const uint64_t arguments[6]);

void syscall_index_init(struct syscall_index *index, uint32_t native);
/* Whether calls of this architecture and number can be in the table at all. */
bool syscall_is_of_known_abi(const struct syscall_index *index, uint32_t architecture, uint64_t number);
/* NULL when the table does not have it. */
const struct syscall_row *syscall_find(const struct syscall_index *index, uint32_t architecture, uint64_t number);
