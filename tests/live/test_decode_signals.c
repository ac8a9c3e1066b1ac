/* What signals say: to processes of the session, whatever became of them, and to others. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/memory.h"
#include "tests/live/recording.h"
#include "tracer/decoder.h"

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

/* What stands for a pidfd, too: an open directory of the process in /proc. */
static int signals_by_directory(void)
{
	int directories[2], result;
	char name[32];

	snprintf(name, sizeof name, "/proc/%d", (int)getppid());
	directories[0] = open(name, O_RDONLY | O_DIRECTORY);
	directories[1] = open("/proc/self", O_RDONLY | O_DIRECTORY);
	result = (int)(syscall(SYS_pidfd_send_signal, directories[0], 0, NULL, 0) |
		       syscall(SYS_pidfd_send_signal, directories[1], 0, NULL, 0));
	return close(directories[0]) | close(directories[1]) | result;
}

Test(decode_signals, by_directory)
{
	struct recording recording;
	const char *scope;

	record_with(&recording, signals_by_directory,
		    &(struct trace_options){.calls = TRACE_CALLS_ENFORCED, .proc_all = true});
	cr_expect_eq(recording.result, 0);
	scope = strstr(buffer_text(&recording.accesses), "scope ");
	cr_expect_str_eq(scope ? scope : "", "scope rights=signal asked=yes call=pidfd_send_signal\n");
	cr_expect_str_eq(buffer_text(&recording.incomplete), "");
	recording_finish(&recording);
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
	expect_complete(owners, "scope rights=signal asked=yes silent=yes call=fcntl\n"
				"scope rights=signal asked=yes silent=yes call=fcntl\n"
				"scope rights=signal asked=yes silent=yes call=ioctl\n"
				"scope rights=signal asked=yes silent=yes call=ioctl\n");
}

/* Of nobody that can be: the kernel refuses these. (Of what is negated, a sanitizer sees what does not fit.) */
static int owners_that_cannot_be(void)
{
	struct f_owner_ex group = {F_OWNER_PGRP, INT_MIN};
	int pair[2], nobody = INT_MIN;

	if (socketpair(AF_UNIX, SOCK_STREAM, 0, pair) != 0)
		return errno;
	if (!kill(INT_MIN, 0) || !ioctl(pair[0], FIOSETOWN, &nobody) || !ioctl(pair[0], SIOCSPGRP, &nobody))
		return 1;
	return !fcntl(pair[0], F_SETOWN, INT_MIN) || !fcntl(pair[0], F_SETOWN_EX, &group);
}

Test(decode_signals, owners_that_cannot_be)
{
	expect_complete(owners_that_cannot_be, "");
}

/* A process of root's, whom a plain user may not signal: it gets none of a descriptor's either. */
static int owner_of_root(void)
{
	int pair[2];

	return socketpair(AF_UNIX, SOCK_STREAM, 0, pair) || fcntl(pair[0], F_SETOWN, 1);
}

Test(decode_signals, owner_who_may_not_be_signalled)
{
	expect_complete(owner_of_root, kill(1, 0) == 0 ? "scope rights=signal asked=yes silent=yes call=fcntl\n" : "");
}

static pid_t left_group;

static int owner_group_without_leader(void)
{
	struct f_owner_ex group = {F_OWNER_PGRP, left_group};
	int pair[2];

	return socketpair(AF_UNIX, SOCK_STREAM, 0, pair) || fcntl(pair[0], F_SETOWN_EX, &group);
}

/* A group outside whose leader has ended: no process has its number. */
Test(decode_signals, owner_is_a_group_without_its_leader)
{
	left_group = fork();
	if (left_group == 0) {
		setpgid(0, 0);
		if (fork() == 0)
			_exit(pause());
		_exit(0);
	}
	waitpid(left_group, NULL, 0);
	expect_complete(owner_group_without_leader, "scope rights=signal asked=yes silent=yes call=fcntl\n");
	kill(-left_group, SIGKILL);
}

static void expects_for_parent(struct decoder *decoder, struct task *task, int signal)
{
	static const struct syscall_row row = {.name = "kill", .signal = A1};

	task->call = allocate(sizeof *task->call);
	task->call->row = &row;
	task->call->arguments[1] = (uint64_t)signal;
	task->call->for_parent = true;
	*ARRAY_APPEND(decoder->for_parent, decoder->for_parent_count, decoder->for_parent_capacity) =
		(struct for_parent){.sender = task->pid, .signal = signal};
}

/* Killed in the call that sends to its parent: what it sent is there by then, and what it did not send never comes. */
Test(decode_signals, for_the_parent_by_one_that_is_killed)
{
	struct task_table tasks = {0};
	struct task *task = task_add(&tasks, 2000000000);
	struct trace_observer observer = {0};
	struct decoder *decoder = decoder_create(&(struct trace_options){0}, &observer, &tasks);

	expects_for_parent(decoder, task, SIGUSR1);
	decoder_drop_for_parent(decoder);
	cr_expect(decoder_is_for_parent(decoder, task->pid, SIGUSR1), "control: it lives");
	decoder_end_call(decoder, task);
	expects_for_parent(decoder, task, SIGUSR1);
	decoder_forget(decoder, task);
	cr_expect(decoder_is_for_parent(decoder, task->pid, SIGUSR1), "it was sent before");
	expects_for_parent(decoder, task, SIGUSR1);
	decoder_forget(decoder, task);
	decoder_drop_for_parent(decoder);
	cr_expect_not(decoder_is_for_parent(decoder, task->pid, SIGUSR1), "it never comes");
	decoder_destroy(decoder);
	task_remove(&tasks, task);
}
