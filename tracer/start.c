#include "tracer/start.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/buffer.h"
#include "base/cleanup.h"
#include "base/memory.h"
#include "tracer/obstacle.h"
#include "tracer/signals.h"

#define OPTIONS                                                                                                        \
	(PTRACE_O_TRACESYSGOOD | PTRACE_O_TRACESECCOMP | PTRACE_O_TRACEFORK | PTRACE_O_TRACEVFORK |                    \
	 PTRACE_O_TRACECLONE | PTRACE_O_TRACEEXEC | PTRACE_O_EXITKILL)
#define TIMERS 3 /* ITIMER_REAL, ITIMER_VIRTUAL, ITIMER_PROF */

/* What the child says before it gives up; the text follows. */
struct report {
	enum { STAGE_PREPARE, STAGE_PROBE, STAGE_EXECUTE } stage;
	int number;
};

/* The one thing that the child opens between filter and exec. Both sides know its address. */
static const char probe_path[] = "/";

void start_hear(struct session *session, const struct event *event)
{
	static const char heard;

	if (event->arguments[1] != (uintptr_t)probe_path)
		return;
	session->heard = true;
	if (session->observer->begin)
		session->observer->begin(session->observer->data);
	send(session->start_fd, &heard, 1, MSG_NOSIGNAL);
}

/* While the call is stopped the tracer sends a byte. */
static int probe(int fd)
{
	long directory = syscall(SYS_openat, AT_FDCWD, probe_path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	char heard;

	if (directory >= 0)
		close((int)directory);
	return recv(fd, &heard, 1, MSG_DONTWAIT) == 1 ? 0 : -EPERM;
}

static _Noreturn void give_up(int fd, const struct report *report, const struct error *err)
{
	const char *text = err->message ? err->message : strerror(report->number);
	ssize_t sent = send(fd, report, sizeof *report, MSG_NOSIGNAL | MSG_MORE);

	if (sent == sizeof *report)
		sent = send(fd, text, strlen(text), MSG_NOSIGNAL);
	(void)sent;
	_exit(125);
}

static _Noreturn void run_child(int fd, const struct trace_program *program, enum trace_calls calls)
{
	struct report report = {.stage = STAGE_PREPARE};
	struct error err = {0};
	char go;
	int result = 0;

	if (read(fd, &go, 1) != 1)
		_exit(125);
	if (program->prepare)
		result = program->prepare(program->data, &err);
	if (result >= 0)
		result = filter_load(calls, &err);
	if (result >= 0) {
		report.stage = STAGE_PROBE;
		result = probe(fd);
	}
	if (result >= 0) {
		report.stage = STAGE_EXECUTE;
		result = program->execute(program->data, &err);
	}
	report.number = -result;
	give_up(fd, &report, &err);
}

/* alarm(2) survives an exec, so it is meant for the program; but no timer survives a fork. */
static void take_timers(struct itimerval timers[TIMERS])
{
	static const struct itimerval none;

	for (int which = 0; which < TIMERS; which++)
		if (setitimer((__itimer_which_t)which, &none, &timers[which]) < 0)
			timers[which] = none;
}

static void give_timers(const struct itimerval timers[TIMERS])
{
	for (int which = 0; which < TIMERS; which++)
		if (timers[which].it_value.tv_sec || timers[which].it_value.tv_usec)
			setitimer((__itimer_which_t)which, &timers[which], NULL);
}

static bool has_children(void)
{
	siginfo_t info;

	return waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT | __WALL) == 0;
}

static void end_child(pid_t child)
{
	int status;

	kill(child, SIGKILL);
	while (waitpid(child, &status, __WALL) == child && !WIFEXITED(status) && !WIFSIGNALED(status))
		;
}

static int attach(struct session *session, struct error *err)
{
	static const char go;

	if (ptrace(PTRACE_SEIZE, session->program, NULL, OPTIONS) < 0)
		return obstacle_explain(session->program, errno, err);
	if (write(session->start_fd, &go, 1) != 1)
		return error_set_errno(err, errno, "the child does not answer");
	return 0;
}

int start_program(struct session *session, const struct trace_program *program, struct error *err)
{
	struct itimerval timers[TIMERS];
	int result;
	int pair[2];

	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) < 0)
		return error_set_errno(err, errno, "cannot connect to a child");
	session->strangers = has_children();
	take_timers(timers);
	session->program = fork();
	if (session->program == 0) {
		close(pair[0]);
		give_timers(timers);
		signals_release_child();
		run_child(pair[1], program, session->options->calls);
	}
	result = errno;
	close(pair[1]);
	session->start_fd = pair[0];
	if (session->program < 0)
		return error_set_errno(err, result, "cannot make a child");
	prctl(PR_SET_DUMPABLE, 0); /* only now: the child, which has to be, would inherit it until its exec */
	result = attach(session, err);
	if (result < 0)
		end_child(session->program);
	else
		task_add(&session->tasks, session->program, NULL);
	return result;
}

void start_executed(struct session *session)
{
	session->executed = true;
	close(session->start_fd);
	session->start_fd = -1;
}

/* The child has ended: all that it said is there, and then the end. */
static bool read_report(int fd, struct report *report, struct buffer *text)
{
	char block[1024];
	ssize_t got;

	if (recv(fd, report, sizeof *report, MSG_WAITALL) != sizeof *report)
		return false;
	while ((got = read(fd, block, sizeof block)) > 0)
		buffer_add(text, block, (size_t)got);
	return true;
}

int start_failed(struct session *session, struct error *err)
{
	struct report report;
	scoped_buffer text = {0};

	if (!read_report(session->start_fd, &report, &text))
		return 0;
	if (report.stage == STAGE_PREPARE)
		return error_set(err, report.number, "%s", buffer_text(&text));
	if (report.stage == STAGE_PROBE)
		return obstacle_unheard(err);
	session->result->exec_error = report.number;
	session->result->exec_message = buffer_steal(&text);
	return 0;
}
