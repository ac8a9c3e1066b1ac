#include "runner/supervisor.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/memory.h"
#include "base/message.h"
#include "base/pass_signal.h"
#include "base/terminal_signals.h"
#include "profile/proc_path.h"
#include "runner/launch.h"
#include "runner/supervisor_filter.h"
#include "runner/supervisor_lines.h"
#include "runner/supervisor_open.h"
#include "runner/supervisor_socket.h"

struct service {
	const struct supervisor *supervisor;
	struct opener opener;
	struct open_numbers numbers[OPEN_ARCHITECTURES];
	int children;	/* SIGCHLD, as a descriptor */
	int news;	/* to trace-run; -1 when that has ended */
	pid_t program;	/* 0 once it has ended */
	bool none_left; /* no descendant at all */
	bool said_closed;
};

static void tell(struct service *service, int status)
{
	struct supervisor_news news = {.program = service->program, .status = status, .alone = service->none_left};
	bool is_end = WIFEXITED(status) || WIFSIGNALED(status);

	if (service->news >= 0)
		send(service->news, &news, sizeof news, MSG_NOSIGNAL | (is_end ? 0 : MSG_DONTWAIT));
}

static void drop_news(struct service *service)
{
	if (service->news >= 0)
		close(service->news);
	service->news = -1;
	dup2(STDIN_FILENO, STDERR_FILENO); /* that is /dev/null */
}

/* Reaps all that ended. What trace-run is told of the end comes last: it says whether something is left. */
static void collect(struct service *service)
{
	struct signalfd_siginfo info;
	int status, end = -1;
	pid_t pid;

	while (read(service->children, &info, sizeof info) > 0)
		;
	while ((pid = waitpid(-1, &status, WNOHANG | WUNTRACED | WCONTINUED)) > 0) {
		if (pid != service->program)
			continue;
		if (WIFSTOPPED(status) || WIFCONTINUED(status)) {
			tell(service, status);
			continue;
		}
		end = status;
		service->program = 0;
	}
	service->none_left = pid < 0 && errno == ECHILD;
	if (end < 0)
		return;
	tell(service, end);
	drop_news(service);
}

/* trace-run passes a signal on, or was killed: then the program goes too. */
static void hear(struct service *service)
{
	siginfo_t info;
	ssize_t length = recv(service->news, &info, sizeof info, MSG_DONTWAIT);

	if (length == sizeof info) {
		if (service->program)
			pass_signal(service->program, &info);
	} else if (length == 0 || errno != EAGAIN) {
		if (service->program)
			kill(service->program, SIGKILL);
		drop_news(service);
	}
}

/*
 * In two steps. SECCOMP_ADDFD_FLAG_SEND is both in one; but where a stop or a freezer interrupts us in the middle of
 * it, the caller is answered without a descriptor, and takes 0 for one (Linux 6.18). What is interrupted here is made
 * again.
 */
static bool answer_with(const struct service *service, uint64_t id, int fd, unsigned flags)
{
	struct seccomp_notif_addfd put = {.id = id, .srcfd = (unsigned)fd, .newfd_flags = flags};
	struct seccomp_notif_resp response = {.id = id};

	response.val = ioctl(service->opener.listener, SECCOMP_IOCTL_NOTIF_ADDFD, &put);
	if (response.val < 0)
		return false;
	ioctl(service->opener.listener, SECCOMP_IOCTL_NOTIF_SEND, &response);
	return true;
}

static void answer_error(const struct service *service, uint64_t id, int result)
{
	struct seccomp_notif_resp response = {.id = id, .error = result};

	ioctl(service->opener.listener, SECCOMP_IOCTL_NOTIF_SEND, &response);
}

static void say_closed(struct service *service, pid_t tid)
{
	if (!service->said_closed)
		message_warning("process %d does not let its supervisor look: what it opens below %s is refused, as is "
				"what others like it open, but with CAP_SYS_PTRACE, which \"unshare --map-current-user "
				"--keep-caps\" in front of this command gives",
				(int)tid, PROC_SELF);
	service->said_closed = true;
}

/* The kernel decides, by Landlock, on what it then reads in the caller's memory itself. */
static void leave_to_kernel(const struct service *service, uint64_t id)
{
	struct seccomp_notif_resp response = {.id = id, .flags = SECCOMP_USER_NOTIF_FLAG_CONTINUE};

	ioctl(service->opener.listener, SECCOMP_IOCTL_NOTIF_SEND, &response);
}

static void serve(struct service *service)
{
	struct seccomp_notif request;
	UNCLEARED struct open_call call;
	unsigned flags = 0;
	bool is_answer;
	int result;

	memset(&request, 0, sizeof request);
	if (ioctl(service->opener.listener, SECCOMP_IOCTL_NOTIF_RECV, &request) < 0)
		return;
	result = open_call_read(service->numbers, &request, &call);
	if (result == 0) {
		scoped_fd fd = opener_open(&service->opener, request.id, &call, &flags, &is_answer);

		if (fd >= 0 && answer_with(service, request.id, fd, flags))
			return;
		if (is_answer) {
			answer_error(service, request.id, fd);
			return;
		}
		result = fd;
	}
	if (result == -EPERM)
		say_closed(service, call.tid);
	leave_to_kernel(service, request.id);
}

static void go_on(struct service *service)
{
	struct pollfd watched[] = {
		{.fd = service->children, .events = POLLIN},
		{.fd = service->news, .events = POLLIN},
		{.fd = service->opener.listener, .events = POLLIN},
	};

	if (poll(watched, ARRAY_LENGTH(watched), -1) < 0)
		return;
	if (watched[2].revents & POLLIN)
		serve(service);
	else if (watched[2].revents) { /* no task has the filter any more */
		close(service->opener.listener);
		service->opener.listener = -1;
	}
	if (watched[1].revents)
		hear(service);
	if (watched[0].revents)
		collect(service);
}

/* Closes all that the program inherits and we do not need, so that who waits for an end of it sees it. */
static void keep_only(int one, int other)
{
	int low = one < other ? one : other, high = one < other ? other : one;
	int null = open("/dev/null", O_RDWR | O_CLOEXEC);

	dup2(null, STDIN_FILENO);
	dup2(null, STDOUT_FILENO);
	if (fcntl(STDERR_FILENO, F_GETFD) < 0)
		dup2(null, STDERR_FILENO);
	close_range(STDERR_FILENO + 1, (unsigned)low - 1, 0);
	if (high - low > 1)
		close_range((unsigned)low + 1, (unsigned)high - 1, 0);
	close_range((unsigned)high + 1, ~0U, 0);
}

int supervisor_join(struct supervisor *supervisor, struct error *err)
{
	scoped_fd end = steal_fd(&supervisor->program_end);
	scoped_fd listener = -1;
	int result;

	if (!supervisor_is_asked(supervisor->reach))
		return 0;
	listener = filter_load_program(supervisor_rights(supervisor->reach) | ~supervisor->handled, err);
	if (listener < 0)
		return listener;
	result = send_descriptor(end, listener);
	return result < 0 ? error_set_errno(err, -result, "the supervisor cannot be reached") : 0;
}

/* Waits until all is held, since the rules are made next. */
static _Noreturn void be_program(struct supervisor *supervisor, pid_t parent, supervisor_program_fn *program,
				 void *data)
{
	char byte;

	if (read(supervisor->program_end, &byte, 1) == 1)
		program(data, parent);
	_exit(STATUS_FAILURE);
}

/* The descriptors are all that we got; the memory of others is all that we look into. */
static int get_ready(struct service *service, int program, struct error *err)
{
	const struct supervisor *supervisor = service->supervisor;
	sigset_t child;

	prctl(PR_SET_DUMPABLE, 0L, 0L, 0L, 0L);
	sigemptyset(&child);
	sigaddset(&child, SIGCHLD);
	service->children = signalfd(-1, &child, SFD_CLOEXEC | SFD_NONBLOCK);
	if (service->children < 0)
		return error_set_errno(err, errno, "the supervisor cannot wait for the program");
	if (supervisor_is_asked(supervisor->reach) &&
	    (opener_init(&service->opener, supervisor->reach, supervisor->handled, err) < 0 ||
	     (supervisor->drop_caps && opener_drop_caps(&service->opener, err) < 0)))
		return -err->number;
	if (supervisor_hold(supervisor->reach, err) < 0)
		return -err->number;
	open_numbers_init(service->numbers);
	if (send(program, "", 1, MSG_NOSIGNAL) < 0)
		return 0; /* it has ended */
	if (supervisor_is_asked(supervisor->reach))
		service->opener.listener = receive_descriptor(program);
	if (service->opener.listener >= 0)
		filter_wake_synchronously(service->opener.listener); /* or each open is slower */
	return filter_load_supervisor(err);
}

static _Noreturn void give_up(struct service *service, const struct error *err)
{
	message_error(err);
	if (service->program > 0) {
		kill(service->program, SIGKILL);
		waitpid(service->program, NULL, 0);
	}
	service->none_left = true;
	tell(service, STATUS_FAILURE << 8);
	_exit(STATUS_FAILURE);
}

_Noreturn void supervisor_be(struct supervisor *supervisor, int news, supervisor_program_fn *program, void *data)
{
	struct service service = {.supervisor = supervisor, .opener.listener = -1, .opener.proc_fd = -1, .news = news};
	pid_t self = getpid();
	scoped_error err = {0};
	int ends[2] = {-1, -1};

	prctl(PR_SET_CHILD_SUBREAPER, 1L, 0L, 0L, 0L);
	if (supervisor_socket(ends, &err) < 0)
		give_up(&service, &err);
	supervisor->program_end = ends[1];
	service.program = fork();
	if (service.program == 0) {
		close(ends[0]);
		close(news);
		be_program(supervisor, self, program, data);
	}
	if (service.program < 0) {
		error_set_errno(&err, errno, "no process can be made for the program");
		give_up(&service, &err);
	}
	terminal_signals_share(service.program); /* it waits for us */
	tell(&service, 0xffff);
	setsid();
	keep_only(news, ends[0]);
	if (get_ready(&service, ends[0], &err) < 0)
		give_up(&service, &err);
	close(ends[0]);
	while (!service.none_left)
		go_on(&service);
	_exit(0);
}
