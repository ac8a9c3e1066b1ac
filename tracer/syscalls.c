#include "tracer/syscalls.h"

#include <fcntl.h>
#include <linux/mount.h>
#include <linux/sockios.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>

#include "base/call_numbers.h"

#define GROUPED(call, ...)                                                                                             \
	{                                                                                                              \
		.name = (call), .class = CALL_GROUPED, .enforced = true, .grouped = true, __VA_ARGS__                  \
	}
#define METADATA(call, ...)                                                                                            \
	{                                                                                                              \
		.name = (call), .class = CALL_METADATA, .enforced = true, .grouped = true, __VA_ARGS__                 \
	}
#define LOOK(call, ...)                                                                                                \
	{                                                                                                              \
		.name = (call), .class = CALL_LOOK, __VA_ARGS__                                                        \
	}
/* The condition is for those who keep no looks: with F_OK it is nothing else. */
#define CHECK(call, ...)                                                                                               \
	{                                                                                                              \
		.name = (call), .class = CALL_CHECK, __VA_ARGS__                                                       \
	}
#define ENFORCED(call, ...)                                                                                            \
	{                                                                                                              \
		.name = (call), .enforced = true, __VA_ARGS__                                                          \
	}

/* O_PATH opens ask nothing; fstat(2) comes as newfstatat with AT_EMPTY_PATH; datagrams to a connected peer have no
 * address. The flags are in registers, so the filter lets these pass. */
/* clang-format off */
#define WHEN(name, how, bits, value) \
	(const struct call_condition[CALL_CONDITIONS]){{MATCH_##how, (name) - A0, (bits), {value}, 1}}
/* clang-format on */
#define UNLESS(name, bit)     .stop = WHEN(name, ONE_OF, bit, 0)
#define UNLESS_NULL(name)     .stop = WHEN(name, POINTER, 0, 0)
#define ONLY(name, bits, set) .stop = WHEN(name, ONE_OF, bits, set)
/* Of a number in the second argument, of which the kernel takes 32 bits. */
/* clang-format off */
#define NUMBERS(...) \
	.stop = (const struct call_condition[CALL_CONDITIONS]){{MATCH_ONE_OF, 1, UINT32_MAX, {__VA_ARGS__}, \
								sizeof((uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t)}}
/* clang-format on */
#define ANY(name, bits) .stop = WHEN(name, NONE_OF, bits, 0)
#define NEW_NAMESPACES                                                                                                 \
	(CLONE_NEWNS | CLONE_NEWCGROUP | CLONE_NEWUTS | CLONE_NEWIPC | CLONE_NEWUSER | CLONE_NEWPID | CLONE_NEWNET)

const struct syscall_row syscall_table[] = {
	ENFORCED("open", .class = CALL_OPEN, .path = A0, .flags = A1, UNLESS(A1, O_PATH)),
	ENFORCED("openat", .class = CALL_OPEN, .directory = A0, .path = A1, .flags = A2, UNLESS(A2, O_PATH)),
	ENFORCED("openat2", .class = CALL_OPEN_HOW, .directory = A0, .path = A1, .flags = A2),
	ENFORCED("creat", .class = CALL_OPEN, .path = A0, .fixed = O_CREAT | O_WRONLY | O_TRUNC),
	ENFORCED("open_by_handle_at", .class = CALL_OPEN_HANDLE, .flags = A2, UNLESS(A2, O_PATH)),
	ENFORCED("ioctl", .class = CALL_OPEN_PEER, .flags = A2, NUMBERS(TIOCGPTPEER, FIOSETOWN, SIOCSPGRP)),

	ENFORCED("execve", .class = CALL_EXEC, .path = A0, .order = ORDER_EXEC),
	ENFORCED("execveat", .class = CALL_EXEC, .directory = A0, .path = A1, .flags = A4, .order = ORDER_EXEC),

	ENFORCED("mkdir", .class = CALL_MAKE, .path = A0, .makes = OBJECT_DIRECTORY, .order = ORDER_MAKE),
	ENFORCED("mkdirat", .class = CALL_MAKE, .directory = A0, .path = A1, .makes = OBJECT_DIRECTORY,
		 .order = ORDER_MAKE),
	ENFORCED("mknod", .class = CALL_MAKE, .path = A0, .flags = A1, .order = ORDER_MAKE_NODE),
	ENFORCED("mknodat", .class = CALL_MAKE, .directory = A0, .path = A1, .flags = A2, .order = ORDER_MAKE_NODE),
	ENFORCED("symlink", .class = CALL_MAKE, .path = A1, .makes = OBJECT_SYMLINK, .order = ORDER_MAKE),
	ENFORCED("symlinkat", .class = CALL_MAKE, .directory = A1, .path = A2, .makes = OBJECT_SYMLINK,
		 .order = ORDER_MAKE),

	ENFORCED("unlink", .class = CALL_REMOVE, .path = A0),
	ENFORCED("unlinkat", .class = CALL_REMOVE, .directory = A0, .path = A1, .flags = A2),
	ENFORCED("rmdir", .class = CALL_REMOVE, .path = A0, .fixed = AT_REMOVEDIR),

	ENFORCED("rename", .class = CALL_RENAME, .path = A0, .path2 = A1, .order = ORDER_RENAME),
	ENFORCED("renameat", .class = CALL_RENAME, .directory = A0, .path = A1, .directory2 = A2, .path2 = A3,
		 .order = ORDER_RENAME),
	ENFORCED("renameat2", .class = CALL_RENAME, .directory = A0, .path = A1, .directory2 = A2, .path2 = A3,
		 .flags = A4, .order = ORDER_RENAME),

	ENFORCED("link", .class = CALL_LINK, .path = A0, .path2 = A1, .order = ORDER_LINK),
	ENFORCED("linkat", .class = CALL_LINK, .directory = A0, .path = A1, .directory2 = A2, .path2 = A3, .flags = A4,
		 .order = ORDER_LINK),

	ENFORCED("truncate", .class = CALL_USE, .path = A0, .rights = RIGHT_TRUNCATE, .order = ORDER_TRUNCATE),
	ENFORCED("truncate64", .class = CALL_USE, .path = A0, .rights = RIGHT_TRUNCATE, .order = ORDER_TRUNCATE),
	ENFORCED("ftruncate", .class = CALL_USE_DESCRIPTOR, .directory = A0, .rights = RIGHT_TRUNCATE,
		 .order = ORDER_TRUNCATE),
	ENFORCED("ftruncate64", .class = CALL_USE_DESCRIPTOR, .directory = A0, .rights = RIGHT_TRUNCATE,
		 .order = ORDER_TRUNCATE),
	ENFORCED("acct", .class = CALL_USE, .path = A0, .rights = RIGHT_WRITE_FILE, .order = ORDER_INTERNAL_OPEN),
	ENFORCED("swapon", .class = CALL_USE, .path = A0, .rights = RIGHT_READ_FILE | RIGHT_WRITE_FILE,
		 .order = ORDER_INTERNAL_OPEN),
	ENFORCED("swapoff", .class = CALL_USE, .path = A0, .rights = RIGHT_READ_FILE | RIGHT_WRITE_FILE,
		 .order = ORDER_INTERNAL_OPEN),
	ENFORCED("uselib", .class = CALL_USE, .path = A0, .rights = RIGHT_READ_FILE | RIGHT_EXECUTE,
		 .order = ORDER_INTERNAL_OPEN),

	ENFORCED("bind", .class = CALL_BIND, .directory = A0, .path = A1),
	ENFORCED("connect", .class = CALL_CONNECT, .directory = A0, .path = A1),
	ENFORCED("listen", .class = CALL_LISTEN, .directory = A0),
	ENFORCED("sendto", .class = CALL_SEND, .directory = A0, .path = A4, UNLESS_NULL(A4)),
	ENFORCED("sendmsg", .class = CALL_SEND_MESSAGE, .directory = A0, .path = A1),
	ENFORCED("sendmmsg", .class = CALL_SEND_MESSAGES, .directory = A0, .path = A1),
	ENFORCED("socketcall", .class = CALL_SOCKETS, .path = A1, .grouped = true),

	ENFORCED("kill", .class = CALL_SIGNAL, .path = A0, .signal = A1),
	ENFORCED("tkill", .class = CALL_SIGNAL, .path = A0, .signal = A1),
	ENFORCED("tgkill", .class = CALL_SIGNAL, .path = A0, .signal = A2),
	ENFORCED("rt_sigqueueinfo", .class = CALL_SIGNAL, .path = A0, .signal = A1),
	ENFORCED("rt_tgsigqueueinfo", .class = CALL_SIGNAL, .path = A0, .signal = A2),
	ENFORCED("pidfd_send_signal", .class = CALL_SIGNAL_PIDFD, .path = A0, .flags = A3, .signal = A1),

	ENFORCED("fcntl", .class = CALL_OWNER, NUMBERS(F_SETOWN, F_SETOWN_EX)),
	ENFORCED("fcntl64", .class = CALL_OWNER, NUMBERS(F_SETOWN, F_SETOWN_EX)),

	ENFORCED("mount", .class = CALL_BARRED, .path = A1),
	ENFORCED("umount", .class = CALL_BARRED, .path = A0),
	ENFORCED("umount2", .class = CALL_BARRED, .path = A0),
	ENFORCED("pivot_root", .class = CALL_BARRED, .path = A0),
	ENFORCED("move_mount", .class = CALL_BARRED, .directory = A2, .path = A3),
	ENFORCED("fsconfig", .class = CALL_BARRED, ONLY(A1, 0xffffffff, FSCONFIG_CMD_RECONFIGURE)),
	ENFORCED("mount_setattr", .class = CALL_BARRED, .directory = A0, .path = A1, .flags = A2),
	/* A message queue is opened beneath a mount of the kernel's own, which no rule reaches. */
	ENFORCED("mq_open", .class = CALL_BARRED, .path = A0),
	ENFORCED("chroot", .class = CALL_ROOT, .path = A0, .grouped = true),
	ENFORCED("setns", .class = CALL_ROOT, .grouped = true),
	ENFORCED("ptrace", .class = CALL_TRACE),
	ENFORCED("io_uring_setup", .class = CALL_RING, .grouped = true),
	ENFORCED("io_uring_enter", .class = CALL_RING, .grouped = true),
	ENFORCED("io_uring_register", .class = CALL_RING, .grouped = true),
	ENFORCED("seccomp", .class = CALL_SECCOMP),
	ENFORCED("prctl", .class = CALL_SECCOMP, .fixed = PR_SET_SECCOMP, ONLY(A0, 0xffffffff, PR_SET_SECCOMP)),
	ENFORCED("clone", .class = CALL_CLONE, .grouped = true, ANY(A0, CLONE_UNTRACED | NEW_NAMESPACES),
		 .also = WHEN(A0, ONE_OF, CLONE_FILES | CLONE_THREAD, CLONE_FILES)),
	ENFORCED("clone3", .class = CALL_CLONE, .grouped = true),
	ENFORCED("sched_getaffinity", .class = CALL_ASK_PROCESSORS),
	ENFORCED("sched_setaffinity", .class = CALL_SET_PROCESSORS),
	ENFORCED("sched_setattr", .class = CALL_SET_PROCESSORS),      /* deadlines need all of them */
	ENFORCED("sched_setscheduler", .class = CALL_SET_PROCESSORS), /* realtime would keep the tool from running */

	GROUPED("unshare"),
	GROUPED("socket"),
	GROUPED("socketpair"),
	GROUPED("add_key"),
	GROUPED("request_key"),
	GROUPED("keyctl"),
	{.name = "bpf", .class = CALL_PIN, .enforced = true, .grouped = true, .directory = A3, .flags = A1},
	GROUPED("perf_event_open"),
	GROUPED("userfaultfd"),
	METADATA("chmod", .path = A0),
	METADATA("fchmodat", .directory = A0, .path = A1),
	METADATA("fchmodat2", .directory = A0, .path = A1, .flags = A3),
	METADATA("chown", .path = A0),
	METADATA("chown32", .path = A0),
	METADATA("lchown", .path = A0, .fixed = AT_SYMLINK_NOFOLLOW),
	METADATA("lchown32", .path = A0, .fixed = AT_SYMLINK_NOFOLLOW),
	METADATA("fchownat", .directory = A0, .path = A1, .flags = A4),
	METADATA("utime", .path = A0),
	METADATA("utimes", .path = A0),
	METADATA("futimesat", .directory = A0, .path = A1, UNLESS_NULL(A1)),
	METADATA("utimensat", .directory = A0, .path = A1, .flags = A3, UNLESS_NULL(A1)),
	METADATA("utimensat_time64", .directory = A0, .path = A1, .flags = A3, UNLESS_NULL(A1)),
	METADATA("setxattr", .path = A0),
	METADATA("lsetxattr", .path = A0, .fixed = AT_SYMLINK_NOFOLLOW),
	METADATA("setxattrat", .directory = A0, .path = A1, .flags = A2),
	METADATA("removexattr", .path = A0),
	METADATA("lremovexattr", .path = A0, .fixed = AT_SYMLINK_NOFOLLOW),
	METADATA("removexattrat", .directory = A0, .path = A1, .flags = A2),
	METADATA("file_setattr", .directory = A0, .path = A1, .flags = A4),

	/* Only for a notice: --calls=enforced does without. */
	{.name = "recvmsg", .class = CALL_RECEIVE, .path = A1},
	{.name = "recvmmsg", .class = CALL_RECEIVE_MANY, .path = A1},
	{.name = "recvmmsg_time64", .class = CALL_RECEIVE_MANY, .path = A1},

	LOOK("stat", .path = A0),
	LOOK("stat64", .path = A0),
	LOOK("oldstat", .path = A0),
	LOOK("lstat", .path = A0),
	LOOK("lstat64", .path = A0),
	LOOK("oldlstat", .path = A0),
	LOOK("newfstatat", .directory = A0, .path = A1, .flags = A3, UNLESS(A3, AT_EMPTY_PATH)),
	LOOK("fstatat64", .directory = A0, .path = A1, .flags = A3, UNLESS(A3, AT_EMPTY_PATH)),
	LOOK("statx", .directory = A0, .path = A1, .flags = A2, UNLESS(A2, AT_EMPTY_PATH)),
	LOOK("statfs", .path = A0),
	LOOK("statfs64", .path = A0),
	CHECK("access", .path = A0, UNLESS_NULL(A1)),
	CHECK("faccessat", .directory = A0, .path = A1, UNLESS_NULL(A2)),
	CHECK("faccessat2", .directory = A0, .path = A1, .flags = A3, UNLESS_NULL(A2)),
	LOOK("readlink", .path = A0),
	LOOK("readlinkat", .directory = A0, .path = A1),
	LOOK("chdir", .path = A0),
	LOOK("getxattr", .path = A0),
	LOOK("lgetxattr", .path = A0),
	LOOK("getxattrat", .directory = A0, .path = A1, .flags = A2),
	LOOK("listxattr", .path = A0),
	LOOK("llistxattr", .path = A0),
	LOOK("listxattrat", .directory = A0, .path = A1, .flags = A2),
	LOOK("file_getattr", .directory = A0, .path = A1, .flags = A4),
	LOOK("inotify_add_watch", .path = A1),
	LOOK("fanotify_mark", .directory = A3, .path = A4, .shifted = true, .strays = true),
	LOOK("name_to_handle_at", .directory = A0, .path = A1, .flags = A4),
	LOOK("quotactl", .path = A1),
	LOOK("fspick", .directory = A0, .path = A1, .flags = A2),
	LOOK("open_tree", .directory = A0, .path = A1, .flags = A2, .strays = true),
	LOOK("open_tree_attr", .directory = A0, .path = A1, .flags = A2, .strays = true),
	/* Names nothing: only for what it gives. */
	LOOK("fsmount", .strays = true),
	{.name = NULL},
};

const struct syscall_row *syscall_named(const char *name)
{
	const struct syscall_row *row;

	for (row = syscall_table; row->name; row++)
		if (strcmp(row->name, name) == 0)
			return row;
	return NULL;
}

int syscall_number(const struct syscall_row *row, uint32_t architecture)
{
	return call_number_of(row->name, architecture);
}

bool syscall_is_stopped(const struct syscall_row *row, const uint64_t arguments[6])
{
	return !row->stop || call_conditions_hold(row->stop, arguments) ||
	       (row->also && call_conditions_hold(row->also, arguments));
}

static void index_row(struct syscall_index *index, const struct syscall_row *row)
{
	const struct call_numbers *call = call_numbers_find(row->name);

	for (int which = 0; which < SYSCALL_ARCHITECTURES; which++) {
		int number = call_number(call, index->architectures[which]);

		if (number >= 0 && number < SYSCALL_NUMBERS)
			index->rows[which][number] = row;
	}
}

void syscall_index_init(struct syscall_index *index, uint32_t native)
{
	index->architectures[0] = native;
	index->architectures[1] = architecture_second(native); /* 0 for none, where no call has a number */
	for (const struct syscall_row *row = syscall_table; row->name; row++)
		index_row(index, row);
}

bool syscall_is_of_known_abi(const struct syscall_index *index, uint32_t architecture, uint64_t number)
{
	return number < SYSCALL_NUMBERS &&
	       (index->architectures[0] == architecture || index->architectures[1] == architecture);
}

const struct syscall_row *syscall_find(const struct syscall_index *index, uint32_t architecture, uint64_t number)
{
	int which;

	for (which = 0; which < SYSCALL_ARCHITECTURES; which++)
		if (index->architectures[which] == architecture && number < SYSCALL_NUMBERS)
			return index->rows[which][number];
	return NULL;
}
