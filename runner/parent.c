#include "runner/parent.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "runner/descendants.h"
#include "runner/launch.h"

#define GRACE_SECONDS	  5	    /* from TERM to KILL */
#define AGAIN_NANOSECONDS 100000000 /* from one KILL to the next, for what was forked meanwhile */
#define MOST_KILLS	  50	    /* then what cannot die (waits in the kernel) is left */
#define CONTINUE_TRIES	  5	    /* of 20 ms: time for a group's SIGCONT to reach the program */

struct parent {
	pid_t child;
	bool alone; /* nothing but the program's processes can be our children */
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
	return left.tv_sec < 0 ? (struct timespec){0} : left;
}

static void signal_all(const struct parent *parent, int signal)
{
	if (parent->alone && descendants_signal(getpid(), signal) > 0)
		return;
	if (!parent->alone)
		descendants_signal(parent->child, signal);
	if (!parent->ended)
		kill(parent->child, signal);
}

/* First TERM, then KILL again and again. */
static void on_deadline(struct parent *parent)
{
	if (!parent->end.timed_out) {
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
	siginfo_t info = {0};

	return waitid(P_PID, (id_t)parent->child, &info, WEXITED | WSTOPPED | WCONTINUED | WNOHANG | WNOWAIT) < 0 ||
	       info.si_pid != 0;
}

/* Stops this process as the signal does by default; returns when it was continued. */
static void stop_self(int signal)
{
	struct sigaction saved, standard = {.sa_handler = SIG_DFL};
	sigset_t only, saved_mask;

	sigemptyset(&only);
	sigaddset(&only, signal);
	sigaction(signal, &standard, &saved);
	raise(signal);
	sigprocmask(SIG_UNBLOCK, &only, &saved_mask);
	sigprocmask(SIG_SETMASK, &saved_mask, NULL);
	sigaction(signal, &saved, NULL);
}

/* The program stopped: so do we, for the shell to see it. A SIGCONT for us alone is passed on. */
static void follow_stop(const struct parent *parent, int signal)
{
	const struct timespec pause = {.tv_nsec = 20000000};
	sigset_t only;

	if (has_moved(parent))
		return;
	stop_self(signal);
	sigemptyset(&only);
	sigaddset(&only, SIGCONT);
	sigtimedwait(&only, NULL, &(struct timespec){0});
	for (int tries = 0; tries < CONTINUE_TRIES && !has_moved(parent); tries++)
		nanosleep(&pause, NULL);
	if (!has_moved(parent))
		kill(parent->child, SIGCONT);
}

/* Orphans come to us, so that they can be ended too; here they are reaped. */
static void collect(struct parent *parent)
{
	pid_t whom = parent->alone ? -1 : parent->child;
	pid_t pid = 0;
	int status;

	while (!(parent->ended && !parent->alone) &&
	       (pid = waitpid(whom, &status, WNOHANG | WUNTRACED | WCONTINUED)) > 0) {
		if (pid != parent->child || WIFCONTINUED(status))
			continue;
		if (!WIFSTOPPED(status)) {
			parent->end.status = status;
			parent->ended = true;
		} else if (!parent->end.timed_out) {
			follow_stop(parent, WSTOPSIG(status));
		}
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
	bool of_program = info->si_code <= 0 && info->si_pid == parent->child;

	if (info->si_signo == SIGCHLD)
		collect(parent);
	else if (!parent->ended && !of_program && !is_of_terminal(info))
		kill(parent->child, info->si_signo);
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
static void drop_descriptors(void)
{
	int null = open("/dev/null", O_RDWR);

	if (null >= 0) {
		dup2(null, STDIN_FILENO);
		dup2(null, STDOUT_FILENO);
	}
	close_range(STDERR_FILENO + 1, ~0U, 0);
}

static _Noreturn void be_child(parent_start_fn *start, void *data, pid_t parent_pid, const sigset_t *mask,
			       const struct sigaction *on_child)
{
	prctl(PR_SET_PDEATHSIG, SIGKILL); /* killing us is killing the program */
	if (getppid() != parent_pid)
		_exit(STATUS_FAILURE);
	sigaction(SIGCHLD, on_child, NULL);
	sigprocmask(SIG_SETMASK, mask, NULL);
	_exit(start(data));
}

int parent_run(parent_start_fn *start, void *data, unsigned timeout, struct parent_end *end, struct error *err)
{
	struct sigaction on_child, standard = {.sa_handler = SIG_DFL};
	struct parent parent = {0};
	pid_t own_pid = getpid();
	siginfo_t info;
	sigset_t all, mask;

	sigfillset(&all);
	sigprocmask(SIG_SETMASK, &all, &mask);
	sigaction(SIGCHLD, &standard, &on_child);
	parent.alone = waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT) < 0 && errno == ECHILD;
	if (parent.alone)
		prctl(PR_SET_CHILD_SUBREAPER, 1L, 0L, 0L, 0L);
	parent.child = fork();
	if (parent.child == 0)
		be_child(start, data, own_pid, &mask, &on_child);
	if (parent.child < 0)
		return error_set_errno(err, errno, "no process can be made for the program");
	drop_descriptors();
	if (timeout)
		set_deadline(&parent, (time_t)timeout, 0);
	while (!parent.ended || (parent.end.timed_out && parent.alone && !parent.none_left))
		wait_once(&parent);
	*end = parent.end;
	return 0;
}

int parent_end_as(const struct parent_end *end)
{
	int signal = WTERMSIG(end->status);
	sigset_t only;

	if (end->timed_out)
		return STATUS_TIMEOUT;
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
