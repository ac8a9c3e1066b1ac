/* Which signals ask for the scope, proved against the running kernel: a scope shows in the errno of the call alone. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <asm/sockios.h>

#include "tests/live/prove.h"

TestSuite(order_signals, .timeout = 60);

/* In a group of its own, outside; it ends with whoever made it. */
static pid_t outside;

static void __attribute__((noreturn)) wait_for_end(pid_t parent)
{
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	while (getppid() == parent) /* else it ended before that */
		pause();
	_exit(0);
}

static void furnish(void)
{
	pid_t parent = getpid();

	if (outside) {
		kill(outside, SIGKILL);
		waitpid(outside, NULL, 0);
	}
	outside = fork();
	if (outside == 0)
		wait_for_end(parent);
	must(outside > 0 && setpgid(outside, outside) == 0);
}

#define SCENARIO(name, call) PROVE(order_signals, furnish, name, call)

SCENARIO(process, kill(outside, 0))
SCENARIO(thread, syscall(SYS_tkill, outside, 0))
SCENARIO(thread_of_process, syscall(SYS_tgkill, outside, outside, 0))
SCENARIO(nobody, kill(0x3ffffff0, 0))
SCENARIO(own_group, kill(0, 0))
SCENARIO(everybody, kill(-1, 0))
SCENARIO(group, kill(-outside, 0))

static long queue(long (*send)(siginfo_t *info))
{
	siginfo_t info = {.si_signo = SIGURG, .si_code = SI_QUEUE}; /* ignored */

	return send(&info);
}

static long queue_process(siginfo_t *info)
{
	return syscall(SYS_rt_sigqueueinfo, outside, SIGURG, info);
}

static long queue_thread(siginfo_t *info)
{
	return syscall(SYS_rt_tgsigqueueinfo, outside, outside, SIGURG, info);
}

SCENARIO(queued, queue(queue_process))
SCENARIO(queued_to_thread, queue(queue_thread))

static long by_descriptor(pid_t pid, unsigned flags)
{
	int fd = (int)syscall(SYS_pidfd_open, pid, 0);
	long result = syscall(SYS_pidfd_send_signal, fd, 0, NULL, flags);
	int error = errno;

	close(fd);
	errno = error;
	return result;
}

SCENARIO(descriptor, by_descriptor(outside, 0))
SCENARIO(descriptor_of_group, by_descriptor(outside, 4))

static void end_child(pid_t child)
{
	int error = errno;

	kill(child, SIGKILL);
	waitpid(child, NULL, 0);
	errno = error;
}

/* A child of ours in a group: the given one, or its own where that is 0. */
static pid_t make_child(pid_t group)
{
	pid_t parent = getpid(), child = fork();

	if (child == 0)
		wait_for_end(parent);
	setpgid(child, group);
	return child;
}

/* A group with a member on either side. */
static long mixed_group(int by_fd)
{
	pid_t child = make_child(outside);
	long result = by_fd ? by_descriptor(outside, 4) : kill(-outside, 0);

	end_child(child);
	return result;
}

SCENARIO(mixed, mixed_group(0))
SCENARIO(mixed_by_descriptor, mixed_group(1))

static long inside_group(int by_fd)
{
	pid_t child = make_child(0);
	long result = by_fd ? by_descriptor(child, 4) : kill(-child, 0);

	end_child(child);
	return result;
}

SCENARIO(inside, inside_group(0))
SCENARIO(inside_by_descriptor, inside_group(1))

/* Whom input is signalled to: no call tells what an owner outside needs, so that one is learn_owner.sh's. */
SCENARIO(owner, fcntl(0, F_SETOWN, getpid()))

static long own_thread(void)
{
	struct f_owner_ex owner = {F_OWNER_TID, getpid()};

	return fcntl(0, F_SETOWN_EX, &owner);
}

static long own_socket(void)
{
	int ends[2], self = getpid();

	return socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0 ? ioctl(ends[0], FIOSETOWN, &self) : -1;
}

SCENARIO(owner_thread, own_thread())
SCENARIO(owner_of_socket, own_socket())
SCENARIO(owner_nobody, fcntl(0, F_SETOWN, 0x3ffffff0))
