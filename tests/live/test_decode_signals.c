/* What signals say: to processes of the session, whatever became of them, and to others. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/live/recording.h"

static void set_up(void)
{
	cr_assert_eq(chdir(fresh_directory()), 0);
}

TestSuite(decode_signals, .init = set_up, .fini = remove_fresh_directory, .timeout = 60);

static int signals_inside(void)
{
	pid_t child = fork();
	int pidfd;

	if (child == 0)
		_exit(pause());
	pidfd = (int)syscall(SYS_pidfd_open, child, 0);
	kill(getpid(), 0);
	kill(0, 0);
	raise(SIGCONT);
	syscall(SYS_pidfd_send_signal, pidfd, 0, NULL, 0);
	kill(child, SIGKILL);
	waitpid(child, NULL, 0);
	kill(child, 0);
	return close(pidfd);
}

Test(decode_signals, inside)
{
	expect_complete(signals_inside, "");
}

static void wait_for_end(pid_t child)
{
	siginfo_t info;

	waitid(P_PID, (id_t)child, &info, WEXITED | WNOWAIT);
}

/* Ended and not waited for: signals still arrive, in the same domain. */
static int signals_ended(void)
{
	pid_t child = fork();
	int pidfd;

	if (child == 0)
		_exit(0);
	pidfd = (int)syscall(SYS_pidfd_open, child, 0);
	wait_for_end(child);
	kill(child, SIGTERM);
	syscall(SYS_pidfd_send_signal, pidfd, 0, NULL, 0);
	waitpid(child, NULL, 0);
	return close(pidfd);
}

Test(decode_signals, ended)
{
	expect_complete(signals_ended, "");
}

/* A group whose leader has ended, and was waited for. */
static int signals_left_behind(void)
{
	int fds[2];
	pid_t leader, member = 0;

	if (pipe(fds) != 0)
		return errno;
	leader = fork();
	if (leader == 0) {
		setpgid(0, 0);
		member = fork();
		if (member == 0)
			_exit(pause());
		_exit(write(fds[1], &member, sizeof member) != sizeof member);
	}
	if (read(fds[0], &member, sizeof member) != sizeof member)
		return EIO;
	waitpid(leader, NULL, 0);
	return kill(-leader, SIGKILL) ? errno : 0;
}

Test(decode_signals, left_behind)
{
	expect_complete(signals_left_behind, "");
}

static int signals_outside(void)
{
	int pidfd = (int)syscall(SYS_pidfd_open, getppid(), 0);

	kill(getppid(), 0);
	syscall(SYS_pidfd_send_signal, pidfd, 0, NULL, 0);
	return close(pidfd);
}

Test(decode_signals, outside)
{
	expect_complete(signals_outside, "scope rights=signal asked=yes call=kill\n"
					 "scope rights=signal asked=yes call=pidfd_send_signal\n");
}

/* Whom the kernel signals for a descriptor: what comes of it later shows in no call. */
static int owners(void)
{
	struct f_owner_ex group = {F_OWNER_PGRP, getpgid(getppid())}, own = {F_OWNER_TID, (pid_t)syscall(SYS_gettid)};
	int pair[2], outside = getppid(), inside = getpid(), result;

	setpgid(0, 0);
	result = socketpair(AF_UNIX, SOCK_STREAM, 0, pair);
	result |= fcntl(pair[0], F_SETOWN, inside) | fcntl(pair[0], F_SETOWN, 0) | fcntl(pair[0], F_SETOWN_EX, &own);
	result |= ioctl(pair[0], FIOSETOWN, &inside);
	result |= fcntl(pair[0], F_SETOWN, outside) | fcntl(pair[0], F_SETOWN_EX, &group);
	result |= ioctl(pair[0], FIOSETOWN, &outside) | ioctl(pair[0], SIOCSPGRP, &outside);
	return result || !fcntl(-1, F_SETOWN, outside);
}

Test(decode_signals, owners_of_descriptors)
{
	expect_complete(owners, "scope rights=signal asked=yes call=fcntl\n"
				"scope rights=signal asked=yes call=fcntl\n"
				"scope rights=signal asked=yes call=ioctl\n"
				"scope rights=signal asked=yes call=ioctl\n");
}
