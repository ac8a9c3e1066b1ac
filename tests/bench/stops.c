/*
 * The stops alone: a tracer that stops a program where trace-learn does, asks the kernel what stopped, and lets it go
 * on. It reads nothing, keeps nothing and writes nothing, so what it costs is what no tracer of these calls can save.
 *
 * stops [-e] [-l] [-n] [-a] PROGRAM [ARG…]
 * -e: the calls of --calls=enforced. -l: what only looks too, as with a log. -n: opens alone, at their entry, with
 * their name read: the least that a tool does which decides about opens by ptrace. -a: program and tracer where the
 * kernel puts them, and the tracer polls as trace-learn does; else both on one processor.
 */
#include <errno.h>
#include <linux/audit.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <seccomp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/architecture.h"
#include "base/call_filter.h"
#include "base/error.h"
#include "tracer/decode.h"
#include "tracer/poll.h"
#include "tracer/syscalls.h"

#define OPTIONS                                                                                                        \
	(PTRACE_O_TRACESECCOMP | PTRACE_O_TRACESYSGOOD | PTRACE_O_TRACEFORK | PTRACE_O_TRACEVFORK |                    \
	 PTRACE_O_TRACECLONE | PTRACE_O_TRACEEXEC | PTRACE_O_EXITKILL)

static void must(int holds, const char *what)
{
	if (holds)
		return;
	perror(what);
	exit(125);
}

static int load_opens(void)
{
	static const struct call_rule rules[] = {
		{.name = "open", .answer = SECCOMP_RET_TRACE | 1},
		{.name = "openat", .answer = SECCOMP_RET_TRACE | 1},
		{.name = "openat2", .answer = SECCOMP_RET_TRACE | 1},
	};
	const struct call_filter filter = {
		.rules = rules,
		.count = sizeof rules / sizeof *rules,
		.otherwise = SECCOMP_RET_ALLOW,
		.elsewhere = SECCOMP_RET_ALLOW,
	};

	return call_filter_load(&filter, 0);
}

static void run(char **argv, const struct trace_options *options, int names)
{
	struct error err = {0};

	raise(SIGSTOP);
	must(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0, "no_new_privs");
	must((names ? load_opens() : filter_load(options, &err)) == 0, "filter");
	execvp(argv[0], argv);
	must(0, argv[0]);
}

/* Whether the tool waits for the result of calls of this class. */
static int result_matters(const struct syscall_row *row)
{
	if (!row)
		return 0;
	switch (row->class) {
	case CALL_LOOK:
	case CALL_EXEC:
	case CALL_CLONE:
	case CALL_ASK_PROCESSORS:
	case CALL_SET_PROCESSORS:
		return 0;
	default:
		return 1;
	}
}

/* As trace-run's supervisor reads it. */
static void read_name(pid_t task, uint64_t address)
{
	char name[256];
	struct iovec local = {name, sizeof name}, remote = {(void *)(uintptr_t)address, sizeof name};

	process_vm_readv(task, &local, 1, &remote, 1, 0);
}

static void go_on(pid_t task, int status, const struct syscall_index *index, int names)
{
	int event = status >> 16, signal = WSTOPSIG(status), how = PTRACE_CONT;
	struct __ptrace_syscall_info info;

	if (event == PTRACE_EVENT_SECCOMP) {
		must(ptrace(PTRACE_GET_SYSCALL_INFO, task, sizeof info, &info) > 0 || errno == ESRCH, "syscall info");
		if (names)
			read_name(task, info.seccomp.args[1]);
		else if (result_matters(syscall_find(index, info.arch, info.seccomp.nr)))
			how = PTRACE_SYSCALL;
	} else if (signal == (SIGTRAP | 0x80)) {
		must(ptrace(PTRACE_GET_SYSCALL_INFO, task, sizeof info, &info) > 0 || errno == ESRCH, "syscall info");
	}
	if (event || signal == (SIGTRAP | 0x80))
		signal = 0;
	must(ptrace(how, task, 0, signal) == 0 || errno == ESRCH, "continue");
}

static int makes_task(int status)
{
	int event = status >> 16;

	return event == PTRACE_EVENT_FORK || event == PTRACE_EVENT_VFORK || event == PTRACE_EVENT_CLONE;
}

/* As trace-learn polls, where that is certain to take nobody's processor: there is one task. */
static pid_t next(struct poll *poll, int *status, int tasks)
{
	if (tasks == 1 && poll_is_due(poll))
		poll_turn_on(poll);
	if (tasks == 1)
		return poll_wait(poll, status);
	return wait4(-1, status, __WALL, NULL);
}

static int trace(pid_t child, int names)
{
	const struct sigaction quiet = {.sa_handler = SIG_DFL, .sa_flags = SA_NOCLDSTOP}; /* as the tool has it */
	struct syscall_index index = {0};
	struct poll poll;
	int status, result = 125, tasks = 1;
	pid_t task;

	must(sigaction(SIGCHLD, &quiet, NULL) == 0, "sigaction");
	poll_begin(&poll); /* does nothing on one processor */
	syscall_index_init(&index, architecture_native());
	must(waitpid(child, &status, WUNTRACED) == child && WIFSTOPPED(status), "child");
	must(ptrace(PTRACE_SEIZE, child, 0, OPTIONS) == 0, "seize");
	must(kill(child, SIGCONT) == 0, "continue");
	while ((task = next(&poll, &status, tasks)) > 0) {
		tasks += makes_task(status) - !WIFSTOPPED(status);
		if (WIFSTOPPED(status))
			go_on(task, status, &index, names);
		else if (task == child)
			result = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
	}
	return result;
}

int main(int argc, char **argv)
{
	struct trace_options options = {.calls = TRACE_CALLS_ALL};
	int option, apart = 0, names = 0;
	pid_t child;

	while ((option = getopt(argc, argv, "+ealn")) != -1) {
		if (option == '?')
			return 125;
		if (option == 'e')
			options.calls = TRACE_CALLS_ENFORCED;
		else if (option == 'l')
			options.looks = true;
		else if (option == 'n')
			names = 1;
		else
			apart = 1;
	}
	must(optind < argc, "no program");
	if (!apart) {
		cpu_set_t one;

		CPU_ZERO(&one);
		CPU_SET(sched_getcpu(), &one);
		must(sched_setaffinity(0, sizeof one, &one) == 0, "affinity");
	}
	child = fork();
	must(child >= 0, "fork");
	if (!child)
		run(argv + optind, &options, names);
	return trace(child, names);
}
