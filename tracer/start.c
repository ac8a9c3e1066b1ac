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
#include "base/terminal_signals.h"
#include "tracer/obstacle.h"
#include "tracer/signals.h"

/* Where every call stops, a filter of the program's own that wants a tracer shall have none: its calls get ENOSYS. */
#define OPTIONS                                                                                                        \
	(PTRACE_O_TRACESYSGOOD | PTRACE_O_TRACESECCOMP | PTRACE_O_TRACEFORK | PTRACE_O_TRACEVFORK |                    \
	 PTRACE_O_TRACECLONE | PTRACE_O_TRACEEXEC | PTRACE_O_EXITKILL)
#define TIMERS 3 /* ITIMER_REAL, ITIMER_VIRTUAL, ITIMER_PROF */

/* In the child. */
struct birth {
	int fd; /* to the tracer */
	int other_fd;
	const struct trace_program *program;
	const struct trace_options *options;
	struct itimerval timers[TIMERS];
};

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

/* A stop lets the tracer make every call stop from then on; no filter, nor the domain, could keep the signal away. */
static int make_calls_stop(const struct trace_options *options, struct error *err)
{
	if (!options->every_call)
		return filter_load(options, err);
	if (raise(SIGSTOP) != 0)
		return error_set_errno(err, errno, "the process for the program cannot stop");
	return 0;
}

static _Noreturn void run_child(const struct birth *birth)
{
	const struct trace_program *program = birth->program;
	struct report report = {.stage = STAGE_PREPARE};
	struct error err = {0};
	int fd = birth->fd;
	int result = 0;
	char go;

	if (read(fd, &go, 1) != 1)
		_exit(125);
	signals_release_child(); /* a ^C before that would leave the tracer nobody to attach to */
	if (program->prepare)
		result = program->prepare(program->data, &err);
	if (result >= 0)
		result = make_calls_stop(birth->options, &err);
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

	long options = session->options->every_call ? OPTIONS & ~PTRACE_O_TRACESECCOMP : OPTIONS;

	if (ptrace(PTRACE_SEIZE, session->program, NULL, options) < 0)
		return obstacle_explain(session->program, errno, err);
	terminal_signals_share(session->program);
	if (write(session->start_fd, &go, 1) != 1)
		return error_set_errno(err, errno, "the process for the program does not answer");
	return 0;
}

static void begin(void *data)
{
	const struct birth *birth = data;

	close(birth->other_fd);
	give_timers(birth->timers);
	run_child(birth);
}

static pid_t make_child(struct birth *birth, struct error *err)
{
	const struct trace_program *program = birth->program;
	pid_t child;

	if (program->make)
		return program->make(program->data, begin, birth, err);
	child = fork();
	if (child == 0)
		begin(birth);
	return child < 0 ? error_set_errno(err, errno, "no process can be made for the program") : child;
}

int start_program(struct session *session, const struct trace_program *program, struct error *err)
{
	struct birth birth = {.program = program, .options = session->options};
	int result;
	int pair[2];

	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) < 0)
		return error_set_errno(err, errno, "no socket can be made for the program");
	session->strangers = program->make || has_children();
	session->start_fd = birth.other_fd = pair[0];
	birth.fd = pair[1];
	take_timers(birth.timers);
	session->program = make_child(&birth, err);
	close(pair[1]);
	if (session->program < 0)
		return session->program;
	prctl(PR_SET_DUMPABLE, 0); /* only now: the child, which has to be, would inherit it until its exec */
	result = attach(session, err);
	if (result < 0)
		end_child(session->program);
	else
		task_add(&session->tasks, session->program);
	return result;
}

bool start_is_ready(struct session *session, int signal)
{
	if (!session->options->every_call || session->every_call || signal != SIGSTOP)
		return false;
	session->every_call = true;
	return true;
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
