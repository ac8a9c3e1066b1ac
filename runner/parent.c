#include "runner/parent.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/pass_signal.h"
#include "runner/birth.h"
#include "runner/descendants.h"
#include "runner/launch.h"
#include "runner/stop_self.h"

#define GRACE_SECONDS	  5	    /* from TERM to KILL */
#define AGAIN_NANOSECONDS 100000000 /* from one KILL to the next, for what was forked meanwhile */
#define MOST_KILLS	  50	    /* then what cannot die (waits in the kernel) is left */
#define ROOM_MILLISECONDS 1000	    /* that a supervisor has to take a signal when many wait there */
#define CONTINUE_TRIES	  5	    /* of 20 ms: time for a group's SIGCONT to reach the program */

struct parent {
	pid_t child; /* the program, or its supervisor */
	pid_t program;
	int news;	 /* from the supervisor; -1 without one */
	bool left_alone; /* it said that nothing else is left */
	bool alone;	 /* nothing but the program's processes can be our children */
	bool has_deadline;
	struct timespec deadline;
	unsigned kills;
	bool ended, none_left;
	struct parent_end end;
};

static void set_deadline(struct parent *parent, time_t seconds, long nanoseconds)
{
	clock_gettime(CLOCK_MONOTONIC, &parent->deadline);
	parent->deadline.tv_sec += seconds;
	parent->deadline.tv_nsec += nanoseconds;
	if (parent->deadline.tv_nsec >= 1000000000) {
		parent->deadline.tv_nsec -= 1000000000;
		parent->deadline.tv_sec++;
	}
	parent->has_deadline = true;
}

static struct timespec time_left(const struct parent *parent)
{
	struct timespec now, left;

	clock_gettime(CLOCK_MONOTONIC, &now);
	left.tv_sec = parent->deadline.tv_sec - now.tv_sec;
	left.tv_nsec = parent->deadline.tv_nsec - now.tv_nsec;
	if (left.tv_nsec < 0) {
		left.tv_nsec += 1000000000;
		left.tv_sec--;
	}
	if (left.tv_sec < 0)
		left = (struct timespec){0};
	return left;
}

/* The supervisor knows whether the program still has its process id. */
static void signal_program(const struct parent *parent, const siginfo_t *info)
{
	struct pollfd room = {.fd = parent->news, .events = POLLOUT};

	if (parent->news < 0)
		pass_signal(parent->child, info);
	else if (send(parent->news, info, sizeof *info, MSG_NOSIGNAL | MSG_DONTWAIT) < 0 && errno == EAGAIN &&
		 poll(&room, 1, ROOM_MILLISECONDS) > 0)
		send(parent->news, info, sizeof *info, MSG_NOSIGNAL | MSG_DONTWAIT);
}

static void signal_all(const struct parent *parent, int signal)
{
	if (parent->alone && descendants_signal(getpid(), signal) > 0)
		return;
	if (!parent->alone)
		descendants_signal(parent->child, signal);
	if (!parent->ended && parent->news < 0)
		kill(parent->child, signal);
}

/* First TERM, then KILL again and again. */
static void on_deadline(struct parent *parent)
{
	if (!parent->end.timed_out && !parent->end.lost) {
		parent->end.timed_out = true;
		signal_all(parent, SIGTERM);
		signal_all(parent, SIGCONT);
		set_deadline(parent, GRACE_SECONDS, 0);
		return;
	}
	signal_all(parent, SIGKILL);
	set_deadline(parent, 0, AGAIN_NANOSECONDS);
	if (++parent->kills >= MOST_KILLS)
		parent->ended = parent->none_left = true;
}

/* Whether something new can be waited for: it went on, stopped again or ended. */
static bool has_moved(const struct parent *parent)
{
	struct pollfd news = {.fd = parent->news, .events = POLLIN};
	siginfo_t info = {0};

	if (parent->news >= 0)
		return poll(&news, 1, 0) > 0;
	return waitid(P_PID, (id_t)parent->child, &info, WEXITED | WSTOPPED | WCONTINUED | WNOHANG | WNOWAIT) < 0 ||
	       info.si_pid != 0;
}

static bool is_time_over(const struct parent *parent)
{
	struct timespec left = {.tv_sec = 1};

	if (parent->has_deadline)
		left = time_left(parent);
	return !left.tv_sec && !left.tv_nsec;
}

/* The program stopped: so do we, for the shell to see it. A SIGCONT for us alone is passed on. */
static void follow_stop(const struct parent *parent, int signal)
{
	const struct timespec pause = {.tv_nsec = 20000000};
	sigset_t only;

	if (has_moved(parent))
		return;
	stop_self(signal, parent->has_deadline ? &parent->deadline : NULL);
	sigemptyset(&only);
	sigaddset(&only, SIGCONT);
	sigtimedwait(&only, NULL, &(struct timespec){0});
	if (is_time_over(parent))
		return;
	for (int tries = 0; tries < CONTINUE_TRIES && !has_moved(parent); tries++)
		nanosleep(&pause, NULL);
	if (!has_moved(parent))
		signal_program(parent, &(siginfo_t){.si_signo = SIGCONT, .si_code = SI_USER});
}

static void take_status(struct parent *parent, int status)
{
	if (WIFSTOPPED(status) && !parent->end.timed_out) {
		follow_stop(parent, WSTOPSIG(status));
	} else if (WIFEXITED(status) || WIFSIGNALED(status)) {
		parent->end.status = status;
		parent->ended = true;
	}
}

/*
 * What the supervisor said last is there although it closed its end without having read a signal that was passed on:
 * then the kernel tells of that first (ECONNRESET, once).
 */
static bool receive(const struct parent *parent, struct supervisor_news *news)
{
	ssize_t length;

	do
		length = recv(parent->news, news, sizeof *news, MSG_DONTWAIT);
	while (length < 0 && errno == ECONNRESET);
	return length == sizeof *news;
}

static void hear(struct parent *parent)
{
	struct supervisor_news news;

	while (receive(parent, &news)) {
		if (news.program > 0)
			parent->program = news.program;
		parent->left_alone = news.alone;
		take_status(parent, news.status);
	}
}

/* The supervisor ended. If that was before the program did, the program is ended as well, and all that came of it. */
static void on_loss(struct parent *parent)
{
	hear(parent);
	if (parent->ended)
		return;
	parent->ended = true;
	parent->end.lost = !parent->end.timed_out;
	on_deadline(parent);
}

/* Orphans come to us, so that they can be ended too; here they are reaped. */
static void collect(struct parent *parent)
{
	pid_t whom = parent->alone ? -1 : parent->child;
	pid_t pid = 0;
	int status;

	while (!(parent->ended && !parent->alone) &&
	       (pid = waitpid(whom, &status, WNOHANG | WUNTRACED | WCONTINUED)) > 0) {
		if (pid != parent->child)
			continue;
		if (parent->news < 0)
			take_status(parent, status);
		else if (WIFEXITED(status) || WIFSIGNALED(status))
			on_loss(parent);
	}
	if (pid < 0 && errno == ECHILD)
		parent->none_left = true;
}

/* A terminal's driver sends these to the whole group, so the program has it already. */
static bool is_of_terminal(const siginfo_t *info)
{
	switch (info->si_signo) {
	case SIGINT:
	case SIGQUIT:
	case SIGHUP:
	case SIGTSTP:
	case SIGTTIN:
	case SIGTTOU:
	case SIGCONT:
	case SIGWINCH:
		return info->si_code == SI_KERNEL;
	default:
		return false;
	}
}

static void on_signal(struct parent *parent, const siginfo_t *info)
{
	bool of_program = info->si_code <= 0 && info->si_pid == parent->program;

	if (info->si_signo == SIGCHLD)
		collect(parent);
	else if (info->si_signo == SIGIO && info->si_code > 0 && parent->news >= 0)
		hear(parent);
	else if (!parent->ended && !of_program && !is_of_terminal(info))
		signal_program(parent, info);
}

/* One signal or the deadline. All signals are blocked, so none is lost and none ends us. */
static void wait_once(struct parent *parent)
{
	struct timespec left = {0};
	siginfo_t info;
	sigset_t all;
	int signal;

	sigfillset(&all);
	if (parent->has_deadline)
		left = time_left(parent);
	signal = sigtimedwait(&all, &info, parent->has_deadline ? &left : NULL);
	if (signal > 0)
		on_signal(parent, &info);
	else if (errno == EAGAIN)
		on_deadline(parent);
}

/* Keeps no end of the program's pipes open: who reads them must see it close them. stderr stays for our last word. */
static void drop_descriptors(int news)
{
	int null = open("/dev/null", O_RDWR);

	if (null >= 0) {
		dup2(null, STDIN_FILENO);
		dup2(null, STDOUT_FILENO);
	}
	if (news > STDERR_FILENO + 1)
		close_range(STDERR_FILENO + 1, (unsigned)news - 1, 0);
	close_range(news < 0 ? STDERR_FILENO + 1 : (unsigned)news + 1, ~0U, 0);
}

/* Whether to go on: until the program ends, and where all must end with it, until it has. */
static bool has_to_wait(const struct parent *parent)
{
	bool all = parent->end.timed_out || parent->end.lost;

	return !parent->ended || (all && parent->alone && !parent->none_left);
}

int parent_run(parent_start_fn *start, void *data, struct supervisor *supervisor, unsigned timeout,
	       struct parent_end *end, struct error *err)
{
	struct birth birth = {.start = start, .data = data};
	struct sigaction standard = {.sa_handler = SIG_DFL};
	struct parent parent = {.news = -1};
	siginfo_t info;
	sigset_t all;

	sigfillset(&all);
	sigprocmask(SIG_SETMASK, &all, &birth.mask);
	sigaction(SIGCHLD, &standard, &birth.on_child);
	parent.alone = waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT) < 0 && errno == ECHILD;
	if (parent.alone)
		prctl(PR_SET_CHILD_SUBREAPER, 1L, 0L, 0L, 0L);
	if (birth_give(&birth, supervisor, &parent.child, &parent.news, err) < 0)
		return -err->number;
	parent.program = supervisor ? -1 : parent.child; /* it will be told */
	drop_descriptors(parent.news);
	if (timeout)
		set_deadline(&parent, (time_t)timeout, 0);
	while (has_to_wait(&parent))
		wait_once(&parent);
	if (parent.left_alone)
		waitpid(parent.child, NULL, 0); /* it is about to end too: leave no process behind */
	*end = parent.end;
	return 0;
}

int parent_end_as(const struct parent_end *end)
{
	int signal = WTERMSIG(end->status);
	sigset_t only;

	if (end->timed_out)
		return STATUS_TIMEOUT;
	if (end->lost)
		return STATUS_FAILURE;
	if (!WIFSIGNALED(end->status))
		return WEXITSTATUS(end->status);
	prctl(PR_SET_DUMPABLE, 0L, 0L, 0L, 0L); /* one core is enough */
	sigaction(signal, &(struct sigaction){.sa_handler = SIG_DFL}, NULL);
	sigemptyset(&only);
	sigaddset(&only, signal);
	raise(signal);
	sigprocmask(SIG_UNBLOCK, &only, NULL);
	return 128 + signal;
}
