#include "runner/verify_calls.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <termios.h>
#include <unistd.h>

#include "base/cleanup.h"

/* On what is no terminal: ENOTTY. */
static long push_input(void)
{
	int ends[2];
	long result = pipe2(ends, O_CLOEXEC);
	int number;

	if (result < 0)
		return result;
	result = ioctl(ends[0], TIOCSTI, "");
	number = errno;
	close(ends[0]);
	close(ends[1]);
	errno = number;
	return result;
}

static long try_bpf(void)
{
	return syscall(SYS_bpf, 9999, NULL, 0); /* no such command */
}

static long change_root(void)
{
	return chroot("");
}

static long make_ring(void)
{
	return syscall(SYS_io_uring_setup, 0, NULL);
}

static long use_keys(void)
{
	return syscall(SYS_keyctl, 9999, 0, 0, 0, 0); /* no such command */
}

static long change_mode(void)
{
	return syscall(SYS_fchmodat, AT_FDCWD, "", 0);
}

static long enter_namespace(void)
{
	return syscall(SYS_setns, -1, 0);
}

static long make_socket(int family, int type)
{
	scoped_fd fd = socket(family, type | SOCK_CLOEXEC, 0);

	return fd;
}

/* The kernel has no such type of netlink sockets. */
static long make_other_socket(void)
{
	return make_socket(AF_NETLINK, SOCK_STREAM);
}

static long count_events(void)
{
	return syscall(SYS_perf_event_open, NULL, 0, 0, -1, ~0UL); /* no such flags */
}

static long make_udp_socket(void)
{
	return make_socket(AF_INET, SOCK_DGRAM);
}

static long make_unix_socket(void)
{
	return make_socket(AF_UNIX, SOCK_STREAM);
}

static long handle_faults(void)
{
	return syscall(SYS_userfaultfd, ~0); /* no such flags */
}

static const struct {
	const char *name;
	long (*make)(void);
} tries[SECCOMP_GROUPS] = {
	[SECCOMP_ALWAYS] = {"ioctl", push_input},
	[SECCOMP_BPF] = {"bpf", try_bpf},
	[SECCOMP_CHROOT] = {"chroot", change_root},
	[SECCOMP_IO_URING] = {"io_uring_setup", make_ring},
	[SECCOMP_KEYRING] = {"keyctl", use_keys},
	[SECCOMP_METADATA] = {"fchmodat", change_mode},
	[SECCOMP_NAMESPACES] = {"setns", enter_namespace},
	[SECCOMP_OTHER_SOCKET] = {"socket", make_other_socket},
	[SECCOMP_PERF] = {"perf_event_open", count_events},
	[SECCOMP_UDP] = {"socket", make_udp_socket},
	[SECCOMP_UNIX_SOCKET] = {"socket", make_unix_socket},
	[SECCOMP_USERFAULTFD] = {"userfaultfd", handle_faults},
};

static int try_group(unsigned group)
{
	return tries[group].make() < 0 ? errno : 0;
}

void verify_calls_try_outside(struct verify_calls *calls)
{
	for (unsigned group = 0; group < SECCOMP_GROUPS; group++)
		calls->outside[group] = try_group(group);
}

void verify_calls_try_inside(const struct verify_calls *calls, seccomp_set_t refused, struct verify_sheet *sheet)
{
	for (unsigned group = 0; group < SECCOMP_GROUPS; group++) {
		const char *word = seccomp_group_table[group].word;
		char control[48];
		struct verify_tried tried = {.outside = calls->outside[group],
					     .refused = try_group(group),
					     .denial = seccomp_error(group, tries[group].name),
					     .nothing_granted = true};

		snprintf(control, sizeof control, "[seccomp] %s", word ? word : "always");
		if (refused & SECCOMP_SET(group))
			verify_access(sheet, control, &tried);
		else
			verify_open(sheet, control, tried.outside, tried.refused);
	}
}
