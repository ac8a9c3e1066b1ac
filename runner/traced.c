#include "runner/traced.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "runner/explain.h"
#include "runner/launch.h"
#include "runner/supervisor_socket.h"

#define PATIENCE 1000 /* ms for the supervisor to follow the last process that it served */

struct run {
	const struct traced *traced;
	struct explain *explain;
	pid_t supervisor;
	int news; /* from the supervisor; it takes our end of it for ours */
};

static int prepare(void *data, struct error *err)
{
	const struct run *run = data;

	return run->traced->prepare(run->traced->data, err);
}

static int execute(void *data, struct error *err)
{
	const struct run *run = data;

	return run->traced->execute(run->traced->data, err);
}

/* What the tracer does in the program's process, which the supervisor makes. */
struct birth {
	void (*begin)(void *birth);
	void *birth;
	struct sigaction on_child;
};

static void be_program(void *data, pid_t parent)
{
	const struct birth *birth = data;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent)
		_exit(STATUS_FAILURE);
	sigaction(SIGCHLD, &birth->on_child, NULL);
	birth->begin(birth->birth);
}

static void be_supervisor(struct run *run, struct birth *birth, int news)
{
	struct sigaction standard = {.sa_handler = SIG_DFL};

	sigaction(SIGCHLD, &standard, &birth->on_child);
	supervisor_be(run->traced->supervisor, news, be_program, birth);
}

/* The program is the supervisor's child, which alone may read its memory where Yama is on, beside its tracer. */
static pid_t make_below_supervisor(void *data, void (*begin)(void *birth), void *birth, struct error *err)
{
	struct birth ours = {.begin = begin, .birth = birth};
	struct supervisor_news first;
	struct run *run = data;
	int ends[2];

	if (supervisor_socket(ends, err) < 0)
		return -err->number;
	run->supervisor = fork();
	if (run->supervisor == 0) {
		close(ends[0]);
		be_supervisor(run, &ours, ends[1]);
	}
	close(ends[1]);
	run->news = ends[0];
	if (run->supervisor < 0)
		return error_set_errno(err, errno, "no process can be made for the supervisor");
	if (recv(run->news, &first, sizeof first, 0) != sizeof first)
		return error_set(err, ECHILD, "the supervisor ended before the program began");
	return first.program;
}

/* It says how the program ended, unless it was killed before. The tracer knows of that end first. */
static bool is_lost(const struct run *run)
{
	struct pollfd heard = {.fd = run->news, .events = POLLIN};
	struct supervisor_news news;

	while (poll(&heard, 1, PATIENCE) > 0 && recv(run->news, &news, sizeof news, MSG_DONTWAIT) == sizeof news)
		if (WIFEXITED(news.status) || WIFSIGNALED(news.status))
			return false;
	return true;
}

/* Nothing that it served is left, so it is about to end; leave no process behind. */
static void leave_supervisor(const struct run *run)
{
	scoped_fd fd = (int)syscall(SYS_pidfd_open, run->supervisor, 0);
	struct pollfd ended = {.fd = fd, .events = POLLIN};

	close(run->news);
	if (fd >= 0)
		poll(&ended, 1, PATIENCE);
	waitpid(run->supervisor, NULL, WNOHANG);
}

static void take_access(void *data, const struct access *access, pid_t pid, pid_t tid)
{
	const struct run *run = data;

	(void)pid;
	explain_access(run->explain, access, tid);
}

static void take_notice(void *data, const char *text)
{
	const struct run *run = data;

	explain_note(run->explain, text, false);
}

static void take_incomplete(void *data, const char *reason)
{
	const struct run *run = data;

	explain_note(run->explain, reason, true);
}

static void take_no_core(void *data, const char *image, const char *directory)
{
	const struct run *run = data;

	explain_no_core(run->explain, image, directory);
}

int traced_run(const struct traced *traced, struct explain *explain, struct parent_end *end, struct error *err)
{
	struct run run = {.traced = traced, .explain = explain, .supervisor = -1, .news = -1};
	const struct traced_program program = {
		.confined = explain->options.enforced,
		.timeout = traced->timeout,
		.prepare = prepare,
		.execute = execute,
		.make = traced->supervisor ? make_below_supervisor : NULL,
		.data = &run,
		.access = take_access,
		.notice = take_notice,
		.incomplete = take_incomplete,
		.no_core = take_no_core,
		.observer = &run,
		.log = traced->log,
	};
	struct traced_end traced_end = {0};
	int result = traced->trace(&program, &traced_end, err);

	*end = (struct parent_end){.status = traced_end.status, .timed_out = traced_end.timed_out};
	if (run.news >= 0) {
		end->lost = is_lost(&run) && !end->timed_out;
		leave_supervisor(&run);
	}
	if (result == 0 && traced_end.exec_error)
		error_set(err, traced_end.exec_error, "%s", traced_end.exec_message);
	free(traced_end.exec_message);
	if (result < 0)
		return STATUS_FAILURE;
	return traced_end.exec_error ? launch_status(traced_end.exec_error) : 0;
}
