/* The table of seccomp groups. */
#include <criterion/criterion.h>
#include <errno.h>
#include <string.h>
#include <sys/socket.h>

#include <netinet/in.h>

#include "profile/seccomp_groups.h"

Test(seccomp_groups, words_are_sorted_and_found)
{
	cr_expect_null(seccomp_group_table[SECCOMP_ALWAYS].word);
	for (unsigned group = SECCOMP_ALWAYS + 1; group < SECCOMP_GROUPS; group++) {
		const char *word = seccomp_group_table[group].word;

		cr_assert(word);
		if (group > SECCOMP_ALWAYS + 1)
			cr_expect_lt(strcmp(seccomp_group_table[group - 1].word, word), 0, "%s", word);
		cr_expect_eq(seccomp_group_of_word(word), group);
	}
	cr_expect_eq(seccomp_group_of_word("unix"), SECCOMP_GROUPS);
	cr_expect_eq(seccomp_group_of_word(""), SECCOMP_GROUPS);
}

Test(seccomp_groups, every_group_has_calls_and_an_errno)
{
	seccomp_set_t seen = 0;

	for (const struct seccomp_call *call = seccomp_call_table; *call->name; call++) {
		seen |= SECCOMP_SET(call->group);
		cr_expect(call == seccomp_call_table || call[-1].group <= call->group, "%s", call->name);
		cr_expect(seccomp_error(call->group, call->name), "%s", call->name);
	}
	cr_expect_eq(seen, SECCOMP_EVERY_GROUP);
	cr_expect_eq(seccomp_error(SECCOMP_NAMESPACES, "clone3"), ENOSYS);
	cr_expect_eq(seccomp_error(SECCOMP_NAMESPACES, "unshare"), EPERM);
	cr_expect_eq(seccomp_error(SECCOMP_BPF, "unshare"), 0);
}

static seccomp_set_t groups(const char *name, uint64_t a, uint64_t b, uint64_t c)
{
	const uint64_t arguments[6] = {a, b, c};

	return seccomp_groups_of_call(name, arguments);
}

#define GROUP(name) SECCOMP_SET(SECCOMP_##name)

Test(seccomp_groups, sockets_by_family_type_and_protocol)
{
	cr_expect_eq(groups("socket", AF_INET, SOCK_STREAM, 0), 0);
	cr_expect_eq(groups("socket", AF_INET6, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, IPPROTO_TCP), 0);
	cr_expect_eq(groups("socket", AF_INET, SOCK_STREAM, IPPROTO_MPTCP), GROUP(OTHER_SOCKET));
	cr_expect_eq(groups("socket", AF_INET, SOCK_STREAM, IPPROTO_SCTP), GROUP(OTHER_SOCKET));
	cr_expect_eq(groups("socket", AF_INET6, SOCK_DGRAM | SOCK_CLOEXEC, 0), GROUP(UDP));
	cr_expect_eq(groups("socket", AF_INET, SOCK_DGRAM, IPPROTO_UDP), GROUP(UDP));
	cr_expect_eq(groups("socket", AF_INET, SOCK_DGRAM, IPPROTO_ICMP), GROUP(OTHER_SOCKET));
	cr_expect_eq(groups("socket", AF_INET, SOCK_RAW, IPPROTO_TCP), GROUP(OTHER_SOCKET));
	cr_expect_eq(groups("socket", AF_INET, 10 /* SOCK_PACKET */, 0), GROUP(OTHER_SOCKET));
	cr_expect_eq(groups("socket", AF_NETLINK, SOCK_RAW, 0), GROUP(OTHER_SOCKET));
	cr_expect_eq(groups("socket", AF_UNSPEC, SOCK_STREAM, 0), GROUP(OTHER_SOCKET));
	cr_expect_eq(groups("socket", AF_UNIX, SOCK_STREAM, 0), GROUP(UNIX_SOCKET));
	cr_expect_eq(groups("socketpair", AF_UNIX, SOCK_STREAM, 0), 0);
	cr_expect_eq(groups("socketpair", AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0), 0);
	cr_expect_eq(groups("socketpair", AF_UNIX, SOCK_DGRAM, 0), GROUP(UNIX_SOCKET));
	cr_expect_eq(groups("socketcall", 1, 0, 0), GROUP(UNIX_SOCKET) | GROUP(UDP) | GROUP(OTHER_SOCKET));
	cr_expect_eq(groups("socketcall", 3, 0, 0), 0);
}

/* The kernel takes the low half of what is an int. */
Test(seccomp_groups, upper_halves_do_not_count)
{
	const uint64_t high = 0xabcd00000000;

	cr_expect_eq(groups("socket", high | AF_INET, high | SOCK_STREAM, high), 0);
	cr_expect_eq(groups("socket", high | AF_UNIX, SOCK_STREAM, 0), GROUP(UNIX_SOCKET));
	cr_expect_eq(groups("ioctl", 0, high | 0x5412, 0), GROUP(ALWAYS));
	cr_expect_eq(groups("ioctl", 0, 0x5413, 0), 0);
	cr_expect_eq(groups("utimensat", 3, high, 0), GROUP(METADATA));
	cr_expect_eq(groups("utimensat", 3, 0, 0), 0);
}

/* Requests to a file system by a descriptor for reading: of its freezing, and all of Btrfs but cloning and asking. */
Test(seccomp_groups, requests_to_file_systems)
{
	static const unsigned long refused[] = {0xc0045877, 0xc0045878, 0x8004587d, 0x40086610, 0x6611,	    0x40087602,
						0x40047602, 0x40086604, 0x40806685, 0x800c6613, 0x50009401, 0x50009417,
						0x5000940e, 0x5000940f, 0x5000943f, 0x40489426};
	static const unsigned long others[] = {0x40049409, 0x4020940d, 0xc0189436, 0x80089419, 0x8400941f,
					       0x81009431, 0x80087601, 0x80086601, 0x5401,     0xc020660b};

	for (size_t i = 0; i < sizeof refused / sizeof *refused; i++)
		cr_expect_eq(groups("ioctl", 3, refused[i], 0), GROUP(ALWAYS), "%lx", refused[i]);
	for (size_t i = 0; i < sizeof others / sizeof *others; i++)
		cr_expect_eq(groups("ioctl", 3, others[i], 0), 0, "%lx", others[i]);
	cr_expect_eq(groups("acct", 0, 0, 0), GROUP(ALWAYS));
	cr_expect_eq(groups("acct", 0x7f0000001000, 0, 0), 0);
	cr_expect_eq(groups("vhangup", 0, 0, 0), GROUP(ALWAYS));
}

Test(seccomp_groups, flags_that_make_namespaces)
{
	cr_expect_eq(groups("clone", 0x11, 0, 0), 0);
	cr_expect_eq(groups("clone", 0x80, 0, 0), 0, "a signal, as clone has it");
	cr_expect_eq(groups("unshare", 0x80, 0, 0), GROUP(NAMESPACES), "CLONE_NEWTIME");
	cr_expect_eq(groups("clone", 0x10000011, 0, 0), GROUP(NAMESPACES));
	cr_expect_eq(groups("unshare", 0x400, 0, 0), 0);
	cr_expect_eq(groups("getpid", 0, 0, 0), 0);
}
