/*
 * A supervisor and nothing else: it is told of each open that trace-run's supervisor is told of, checks nothing, keeps
 * nothing, and answers. So what it costs is what no supervisor can save.
 *
 * served [-o] PROGRAM [ARG…]
 * -o: it reads the name, opens the file and hands the descriptor over; else the kernel goes on with the call.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/error.h"
#include "runner/supervisor_filter.h"
#include "runner/supervisor_socket.h"

static void must(int holds, const char *what)
{
	if (holds)
		return;
	perror(what);
	exit(125);
}

static void run(char **argv, int end)
{
	struct error err = {0};
	int listener;

	must(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0, "no_new_privs");
	listener = filter_load_program(RIGHT_READ_FILE, &err);
	must(listener >= 0 && send_descriptor(end, listener) >= 0, "filter");
	execvp(argv[0], argv);
	must(0, argv[0]);
}

static void let_go_on(int listener, const struct seccomp_notif *request)
{
	struct seccomp_notif_resp response = {.id = request->id, .flags = SECCOMP_USER_NOTIF_FLAG_CONTINUE};

	ioctl(listener, SECCOMP_IOCTL_NOTIF_SEND, &response);
}

/* The program's directory is ours. Another call than openat(2) is the kernel's. */
static int open_for(const struct seccomp_notif *request)
{
	const __u64 *arguments = request->data.args;
	char path[PATH_MAX];
	struct iovec local = {path, sizeof path}, remote = {(void *)(uintptr_t)arguments[1], sizeof path};

	if (request->data.nr != SYS_openat || (int)arguments[0] != AT_FDCWD)
		return -1;
	if (process_vm_readv((pid_t)request->pid, &local, 1, &remote, 1, 0) <= 0)
		return -1;
	return openat(AT_FDCWD, path, (int)arguments[2] | O_CLOEXEC, (mode_t)arguments[3]);
}

static void serve(int listener, int opens)
{
	struct seccomp_notif request;
	struct seccomp_notif_addfd put = {.newfd_flags = O_CLOEXEC};
	struct seccomp_notif_resp answer = {0};
	int fd;

	memset(&request, 0, sizeof request);
	if (ioctl(listener, SECCOMP_IOCTL_NOTIF_RECV, &request) < 0)
		return;
	fd = opens ? open_for(&request) : -1;
	if (fd >= 0) {
		put.id = answer.id = request.id;
		put.srcfd = (unsigned)fd;
		answer.val = ioctl(listener, SECCOMP_IOCTL_NOTIF_ADDFD, &put); /* in two steps, as ours does */
		ioctl(listener, SECCOMP_IOCTL_NOTIF_SEND, &answer);
		close(fd);
	} else {
		let_go_on(listener, &request);
	}
}

int main(int argc, char **argv)
{
	int opens = argc > 1 && strcmp(argv[1], "-o") == 0, status, ends[2];
	struct pollfd watched = {.events = POLLIN};
	pid_t child;

	must(argc > opens + 1, "no program");
	must(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) == 0, "socketpair");
	child = fork();
	must(child >= 0, "fork");
	if (!child)
		run(argv + 1 + opens, ends[1]);
	close(ends[1]);
	watched.fd = receive_descriptor(ends[0]);
	must(watched.fd >= 0, "listener");
	filter_wake_synchronously(watched.fd);
	while (poll(&watched, 1, -1) >= 0 || errno == EINTR) {
		if (!(watched.revents & POLLIN))
			break; /* no task has the filter any more */
		serve(watched.fd, opens);
	}
	must(waitpid(child, &status, 0) == child, "wait");
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
