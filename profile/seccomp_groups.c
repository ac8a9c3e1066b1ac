#include "profile/seccomp_groups.h"

#include <errno.h>
#include <linux/fs.h>
#include <linux/kd.h>
#include <linux/sched.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

#include <netinet/in.h>

/*
 * Errnos that programs know from the kernel itself: EPERM, as for a user who may not; EACCES for sockets, which
 * socket(2) names for it; ENOSYS where the C library or the program then takes another way; EOPNOTSUPP where that is
 * what a kernel says that has the feature switched off.
 */
const struct seccomp_group_row seccomp_group_table[SECCOMP_GROUPS] = {
	[SECCOMP_ALWAYS] = {NULL, "refused always", EPERM},
	[SECCOMP_BPF] = {"bpf", "load and use BPF programs and maps", EPERM},
	[SECCOMP_CHROOT] = {"chroot", "change the root directory", EPERM},
	[SECCOMP_IO_URING] = {"io_uring", "use io_uring, whose requests no filter sees", ENOSYS},
	[SECCOMP_KEYRING] = {"keyring", "use the kernel's key store", EPERM},
	[SECCOMP_METADATA] = {"metadata", "change mode, owner, times and extended attributes by path", EPERM},
	[SECCOMP_NAMESPACES] = {"namespaces", "make or enter namespaces", EPERM},
	[SECCOMP_OTHER_SOCKET] = {"other_socket",
				  "make sockets other than TCP, UDP and unix ones: netlink, packet, raw, vsock",
				  EACCES},
	[SECCOMP_PERF] = {"perf", "use performance counters", EPERM},
	[SECCOMP_UDP] = {"udp", "make UDP sockets, where Landlock cannot limit them by port", EACCES},
	[SECCOMP_UNIX_SOCKET] = {"unix_socket",
				 "make unix sockets that reach others, where Landlock cannot limit them by path",
				 EACCES},
	[SECCOMP_USERFAULTFD] = {"userfaultfd", "handle page faults in user space", EPERM},
};

#define A(which, how, bits, ...)                                                                                       \
	{                                                                                                              \
		.match = MATCH_##how, .argument = (which), .mask = (bits), .values = {__VA_ARGS__},                    \
		.count = sizeof((uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t)                                          \
	}
#define WHOLE 0xffffffff
/* clang-format off */
#define CALL(in, call, ...) {.name = call, .group = SECCOMP_##in, .conditions = {__VA_ARGS__}}
#define WITH_ERROR(in, call, is, ...) {.name = call, .group = SECCOMP_##in, .error = (is), .conditions = {__VA_ARGS__}}
#define NOT_NULL(which) {.match = MATCH_POINTER, .argument = (which)}
/* clang-format on */

/*
 * Families and protocols up to where the kernel knows any (AF_MAX, IPPROTO_MAX): it refuses the rest itself. AF_INET
 * and AF_INET6 differ in one bit. In the type the upper bits are flags.
 */
#define FAMILIES	   0x7f
#define PROTOCOLS	   0x3ff
#define TYPES		   0xf
#define UNIX		   A(0, ONE_OF, WHOLE, AF_UNIX)
#define INTERNET	   A(0, ONE_OF, WHOLE & ~8U, AF_INET)
#define OTHER_FAMILY	   A(0, NONE_OF, FAMILIES, AF_UNIX, AF_INET, AF_INET6)
#define STREAM		   A(1, ONE_OF, TYPES, SOCK_STREAM)
#define DATAGRAM	   A(1, ONE_OF, TYPES, SOCK_DGRAM)
#define UNIX_DATAGRAM	   A(1, ONE_OF, TYPES, SOCK_DGRAM, SOCK_RAW)
#define OTHER_TYPE	   A(1, NONE_OF, TYPES, SOCK_STREAM, SOCK_DGRAM)
#define PROTOCOL_UDP	   A(2, ONE_OF, WHOLE, 0, IPPROTO_UDP)
#define OTHER_PROTOCOL(it) A(2, NONE_OF, PROTOCOLS, 0, it)
#define FAST_OPEN(which)   A(which, ONE_OF, MSG_FASTOPEN, MSG_FASTOPEN)
_Static_assert((AF_INET6 & ~8) == AF_INET, "one mask for both");

/* Numbers of the kernel's: in the header they depend on who is compiled, and both may call. */
#define SET_FILE_FLAGS	  0x40086602
#define SET_FILE_FLAGS_32 0x40046602

/* Those of one kind of file system, and two that any has but whose numbers no header tells to all. */
#define REQUEST_TYPE(type) A(1, ONE_OF, 0xff00, (type) << 8)
#define REQUEST_NOT(...)   A(1, NONE_OF, 0xff, __VA_ARGS__)
#define REQUESTS(...)	   A(1, ONE_OF, 0xffff, __VA_ARGS__)
#define OF(type, number)   ((type) << 8 | (number))
#define SHUT_DOWN	   0x8004587d
#define EXT4_RESIZE	   0x40086610
#define EXT4_SWAP_BOOT	   0x6611
#define BTRFS		   0x94
#define BCACHEFS	   0xbc
#define F2FS		   0xf5
#define SET_GENERATION	   0x40087602
#define SET_GENERATION_32  0x40047602
#define EXT4_GENERATION	   0x40086604
#define SEAL_BY_HASHES	   0x40806685 /* FS_IOC_ENABLE_VERITY */
#define SET_ENCRYPTION	   0x800c6613 /* FS_IOC_SET_ENCRYPTION_POLICY */
#define SET_UUID	   0x4008662c /* EXT4_IOC_SETFSUUID; to ask is 44 of 'f', too */
#define FAT_ATTRIBUTES	   0x40047211 /* FAT_IOCTL_SET_ATTRIBUTES */
#define OCFS2_REFLINK	   0x40186f04 /* makes a file, by path */

/* socketcall(2) of i386: which call it stands for is in a register, the arguments of that call are in memory. */
#define SOCKETCALL(...)	    A(0, ONE_OF, WHOLE, __VA_ARGS__)
#define SOCKETCALL_SOCKET   1
#define SOCKETCALL_PAIR	    8
#define SOCKETCALL_SENDTO   11
#define SOCKETCALL_SENDMSG  16
#define SOCKETCALL_SENDMMSG 20

/* The low byte of clone's flags is a signal, so CLONE_NEWTIME is unshare's alone. */
#define NEW_NAMESPACES                                                                                                 \
	(CLONE_NEWNS | CLONE_NEWCGROUP | CLONE_NEWUTS | CLONE_NEWIPC | CLONE_NEWUSER | CLONE_NEWPID | CLONE_NEWNET)
#ifndef CLONE_NEWTIME
#define CLONE_NEWTIME 0x80
#endif
#define ANY_FLAG(which, bits) A(which, NONE_OF, bits, 0)

const struct seccomp_call seccomp_call_table[] = {
	CALL(ALWAYS, "kexec_load"),
	CALL(ALWAYS, "kexec_file_load"),
	CALL(ALWAYS, "init_module"),
	CALL(ALWAYS, "finit_module"),
	CALL(ALWAYS, "delete_module"),
	CALL(ALWAYS, "swapon"),
	CALL(ALWAYS, "swapoff"),
	CALL(ALWAYS, "reboot"),
	CALL(ALWAYS, "settimeofday"),
	CALL(ALWAYS, "stime"),
	CALL(ALWAYS, "clock_settime"),
	CALL(ALWAYS, "clock_settime64"),
	/* Whether they set or only ask stands in memory. */
	CALL(ALWAYS, "adjtimex"),
	CALL(ALWAYS, "clock_adjtime"),
	CALL(ALWAYS, "clock_adjtime64"),
	/* Pushes input into a terminal; and as root ends it for all, as vhangup(2), or takes what is written to the
	 * machine's console, or says what the next pressed key tells who reads there. All of a terminal that was
	 * inherited, too. */
	CALL(ALWAYS, "ioctl",
	     A(1, ONE_OF, WHOLE, TIOCSTI, TIOCLINUX, TIOCVHANGUP, TIOCCONS, KDSKBENT, KDSKBSENT, KDSETKEYCODE,
	       KDSKBDIACR, KDSKBDIACRUC)),
	/* Flags of a file (immutable, no copy on write …), which a descriptor for reading is enough for. */
	CALL(ALWAYS, "ioctl", A(1, ONE_OF, WHOLE, SET_FILE_FLAGS, SET_FILE_FLAGS_32, FS_IOC_FSSETXATTR)),
	CALL(ALWAYS, "ioctl",
	     A(1, ONE_OF, WHOLE, SET_GENERATION, SET_GENERATION_32, EXT4_GENERATION, SEAL_BY_HASHES, SET_ENCRYPTION)),
	/* Of the whole file system that a file lies in, on a descriptor for reading, too: to freeze it stops the
	 * machine.
	 */
	CALL(ALWAYS, "ioctl", A(1, ONE_OF, WHOLE, FIFREEZE, FITHAW, SHUT_DOWN, EXT4_RESIZE, EXT4_SWAP_BOOT)),
	/* Btrfs makes and removes directories (subvolumes), and sends files, by these. Not: cloning from file to file,
	 * and what only tells (SUBVOL_GETFLAGS, FS_INFO, GETFSLABEL). */
	CALL(ALWAYS, "ioctl", REQUEST_TYPE(BTRFS), REQUEST_NOT(9, 13, 54), REQUEST_NOT(25, 31, 49)),
	/* Of 'f', keys of encrypted directories (who adds one opens them to everybody, who removes one closes them),
	 * and Ext4 made larger or its files others. Of 'X', XFS made larger, its reserve, preallocated blocks,
	 * attributes by handle, repair; and FITRIM of any, which discards what is free. F2FS collected, written or of
	 * another size. Bcachefs makes and removes subvolumes. Not: what takes a descriptor for writing, and what only
	 * tells. */
	CALL(ALWAYS, "ioctl", REQUESTS(OF('f', 23), OF('f', 24), OF('f', 25), OF('f', 7), OF('f', 8), OF('f', 9))),
	CALL(ALWAYS, "ioctl",
	     REQUESTS(OF('X', 110), OF('X', 111), OF('X', 112), OF('X', 114), OF('X', 121), OF('X', 123), OF('X', 39))),
	CALL(ALWAYS, "ioctl",
	     REQUESTS(OF('X', 58), OF('X', 60), OF(F2FS, 6), OF(F2FS, 7), OF(F2FS, 16), OF(BCACHEFS, 16),
		      OF(BCACHEFS, 17))),
	CALL(ALWAYS, "ioctl", A(1, ONE_OF, WHOLE, SET_UUID, FAT_ATTRIBUTES, OCFS2_REFLINK)),
	/* Ends what is written of all processes; on a terminal, what all others do there. */
	CALL(ALWAYS, "acct", A(0, ONE_OF, WHOLE, 0)),
	CALL(ALWAYS, "vhangup"),
	/* The kernel's log, which is in /dev/kmsg for who is granted that; names and quotas of the machine; all files
	 * that anybody uses (programs that watch their own have inotify). */
	CALL(ALWAYS, "syslog"),
	CALL(ALWAYS, "sethostname"),
	CALL(ALWAYS, "setdomainname"),
	CALL(ALWAYS, "quotactl"),
	CALL(ALWAYS, "quotactl_fd"),
	CALL(ALWAYS, "fanotify_init"),
	/* What Landlock leaves of the mount family: it can take "read-only" and "nosuid" from a mount, and give them.
	 */
	CALL(ALWAYS, "mount_setattr"),
	CALL(ALWAYS, "open_tree_attr", NOT_NULL(3)),
	/* Ports of the machine's devices: a disk's, too. */
	CALL(ALWAYS, "iopl"),
	CALL(ALWAYS, "ioperm"),
	/* Of another process: a limit of no processor time ends it, whatever the scope of signals says. */
	CALL(ALWAYS, "prlimit64", A(0, NONE_OF, WHOLE, 0), NOT_NULL(2)),
	/* Connects without the check that connect(2) has, and so goes round the ports of [network]. */
	WITH_ERROR(ALWAYS, "sendto", EOPNOTSUPP, FAST_OPEN(3)),
	WITH_ERROR(ALWAYS, "sendmsg", EOPNOTSUPP, FAST_OPEN(2)),
	WITH_ERROR(ALWAYS, "sendmmsg", EOPNOTSUPP, FAST_OPEN(3)),

	CALL(BPF, "bpf"),

	CALL(CHROOT, "chroot"),

	/* The last two for a ring that was inherited. */
	CALL(IO_URING, "io_uring_setup"),
	CALL(IO_URING, "io_uring_enter"),
	CALL(IO_URING, "io_uring_register"),

	CALL(KEYRING, "add_key"),
	CALL(KEYRING, "request_key"),
	CALL(KEYRING, "keyctl"),

	/* By path alone: a descriptor was opened, and so granted, or inherited. With a NULL path it is the descriptor.
	 */
	CALL(METADATA, "chmod"),
	CALL(METADATA, "fchmodat"),
	CALL(METADATA, "fchmodat2"),
	CALL(METADATA, "chown"),
	CALL(METADATA, "chown32"),
	CALL(METADATA, "lchown"),
	CALL(METADATA, "lchown32"),
	CALL(METADATA, "fchownat"),
	CALL(METADATA, "utime"),
	CALL(METADATA, "utimes"),
	CALL(METADATA, "futimesat", NOT_NULL(1)),
	CALL(METADATA, "utimensat", NOT_NULL(1)),
	CALL(METADATA, "utimensat_time64", NOT_NULL(1)),
	CALL(METADATA, "setxattr"),
	CALL(METADATA, "lsetxattr"),
	CALL(METADATA, "setxattrat"),
	CALL(METADATA, "removexattr"),
	CALL(METADATA, "lremovexattr"),
	CALL(METADATA, "removexattrat"),
	CALL(METADATA, "file_setattr"),

	CALL(NAMESPACES, "unshare", ANY_FLAG(0, NEW_NAMESPACES | CLONE_NEWTIME)),
	CALL(NAMESPACES, "setns"),
	CALL(NAMESPACES, "clone", ANY_FLAG(0, NEW_NAMESPACES)),
	/* Its flags are in memory. The C library then calls clone. */
	{.name = "clone3", .group = SECCOMP_NAMESPACES, .error = ENOSYS, .hides = true},

	CALL(OTHER_SOCKET, "socket", OTHER_FAMILY),
	CALL(OTHER_SOCKET, "socket", INTERNET, OTHER_TYPE),
	CALL(OTHER_SOCKET, "socket", INTERNET, STREAM, OTHER_PROTOCOL(IPPROTO_TCP)),
	CALL(OTHER_SOCKET, "socket", INTERNET, DATAGRAM, OTHER_PROTOCOL(IPPROTO_UDP)),
	CALL(OTHER_SOCKET, "socketpair", OTHER_FAMILY),
	/* Making any kind of socket; sending with any flag, MSG_FASTOPEN too. */
	CALL(OTHER_SOCKET, "socketcall", SOCKETCALL(SOCKETCALL_SOCKET, SOCKETCALL_PAIR)),
	WITH_ERROR(OTHER_SOCKET, "socketcall", EOPNOTSUPP,
		   SOCKETCALL(SOCKETCALL_SENDTO, SOCKETCALL_SENDMSG, SOCKETCALL_SENDMMSG)),

	CALL(PERF, "perf_event_open"),

	CALL(UDP, "socket", INTERNET, DATAGRAM, PROTOCOL_UDP),
	CALL(UDP, "socketcall", SOCKETCALL(SOCKETCALL_SOCKET)),

	/* Of a pair, datagram sockets can send to other sockets as well. */
	CALL(UNIX_SOCKET, "socket", UNIX),
	CALL(UNIX_SOCKET, "socketpair", UNIX, UNIX_DATAGRAM),
	CALL(UNIX_SOCKET, "socketcall", SOCKETCALL(SOCKETCALL_SOCKET, SOCKETCALL_PAIR)),

	CALL(USERFAULTFD, "userfaultfd"),
	{.name = ""},
};

enum seccomp_group seccomp_group_of_word(const char *word)
{
	for (unsigned group = SECCOMP_ALWAYS + 1; group < SECCOMP_GROUPS; group++)
		if (strcmp(seccomp_group_table[group].word, word) == 0)
			return (enum seccomp_group)group;
	return SECCOMP_GROUPS;
}

const char *seccomp_group_name(enum seccomp_group group)
{
	return group == SECCOMP_ALWAYS ? "always" : seccomp_group_table[group].word;
}

void seccomp_set_write(struct buffer *out, seccomp_set_t groups)
{
	bool first = true;

	for (unsigned group = 0; group < SECCOMP_GROUPS; group++) {
		if (!(groups & SECCOMP_SET(group)))
			continue;
		buffer_format(out, "%s%s", first ? "" : ",", seccomp_group_name(group));
		first = false;
	}
}

bool seccomp_call_holds(const struct seccomp_call *call, const uint64_t arguments[6])
{
	return call_conditions_hold(call->conditions, arguments);
}

seccomp_set_t seccomp_groups_of_call(const char *name, const uint64_t arguments[6])
{
	seccomp_set_t groups = 0;

	for (const struct seccomp_call *call = seccomp_call_table; *call->name; call++)
		if (strcmp(call->name, name) == 0 && seccomp_call_holds(call, arguments))
			groups |= SECCOMP_SET(call->group);
	return groups;
}

int seccomp_call_error(const struct seccomp_call *call)
{
	return call->error ? call->error : seccomp_group_table[call->group].error;
}

int seccomp_error(enum seccomp_group group, const char *name)
{
	for (const struct seccomp_call *call = seccomp_call_table; *call->name; call++)
		if (call->group == group && strcmp(call->name, name) == 0)
			return seccomp_call_error(call);
	return 0;
}
