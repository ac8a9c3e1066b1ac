/* Calls that are one of their kind. */
#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/ptrace.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/memory.h"
#include "tracer/decoder.h"
#include "tracer/proc_status.h"

/* socketcall(2): many calls in one, with their arguments in an array of words. Numbers: linux/net.h. */
static const struct {
	const char *name;
	size_t count; /* of its arguments: what comes after them may not be readable */
} socket_calls[] = {
	[2] = {"bind", 3},     [3] = {"connect", 3},  [4] = {"listen", 2},    [11] = {"sendto", 6},
	[16] = {"sendmsg", 3}, [17] = {"recvmsg", 3}, [19] = {"recvmmsg", 5}, [20] = {"sendmmsg", 4},
};

static int read_words(const struct decoder *decoder, const struct task *task, const struct call *call,
		      uint64_t words[6], size_t count)
{
	uint64_t at = call->words_at;
	uint32_t small[6];
	size_t i;
	int result;

	if (call_is_64_bit(call))
		return memory_read(&decoder->memory, task->tid, at, words, count * sizeof *words);
	result = memory_read(&decoder->memory, task->tid, at, small, count * sizeof *small);
	for (i = 0; !result && i < count; i++)
		words[i] = small[i];
	return result;
}

static bool sockets_entry(struct decoder *decoder, struct task *task, struct call *call, const struct event *event)
{
	uint64_t which = call->arguments[0], words[6] = {0};

	resolver_mounts_differ(decoder->resolver); /* it may be a receive */
	call->words_at = call->arguments[1];
	if (which >= ARRAY_LENGTH(socket_calls) || !socket_calls[which].name ||
	    read_words(decoder, task, call, words, socket_calls[which].count) != 0)
		return false;
	call->row = syscall_named(socket_calls[which].name);
	call->class = call_class_of(call->row);
	memcpy(call->arguments, words, sizeof words);
	return call->class->entry(decoder, task, call, event);
}

bool sockets_has_changed(const struct decoder *decoder, const struct task *task, const struct call *call)
{
	uint64_t words[6] = {0};
	size_t i;

	for (i = 0; call->words_at && i < ARRAY_LENGTH(socket_calls); i++)
		if (socket_calls[i].name && strcmp(socket_calls[i].name, call->row->name) == 0)
			return read_words(decoder, task, call, words, socket_calls[i].count) != 0 ||
			       memcmp(words, call->arguments, sizeof words) != 0;
	return false;
}

/* Never at the exit: the call has become the one that it stands for. */
const struct call_class sockets_class = {sockets_entry, NULL};

static bool is_traced(pid_t pid)
{
	return proc_status(pid, "TracerPid", 10) == getpid();
}

#define SIGNAL_PROCESS_GROUP (1 << 2) /* PIDFD_SIGNAL_PROCESS_GROUP, Linux 6.9 */

/* All that lives inside the session is traced by us; of what has ended, and was not waited for, its parent tells. */
static bool is_inside(pid_t pid)
{
	int64_t parent;

	if (is_traced(pid))
		return true;
	parent = proc_status(pid, "PPid", 10);
	return parent > 0 && is_traced((pid_t)parent);
}

/* A signal to a group succeeds when it reaches one member, whatever becomes of the others: one inside is enough. */
static bool has_inside(pid_t group)
{
	scoped_directory entries = NULL;
	const struct dirent *entry;

	if (getpgid(group) == group && is_inside(group))
		return true;
	entries = opendir("/proc");
	while (entries && (entry = readdir(entries))) {
		pid_t pid = (pid_t)strtol(entry->d_name, NULL, 10);

		if (pid > 0 && getpgid(pid) == group && is_inside(pid))
			return true;
	}
	return false;
}

/* The process behind a pidfd of the task; 0 when it is none, or has ended. */
static pid_t pidfd_process(const struct task *task, int fd)
{
	char file[64], line[128];
	scoped_file stream = NULL;
	int pid = 0;

	snprintf(file, sizeof file, "/proc/%d/fdinfo/%d", (int)task->tid, fd);
	stream = fopen(file, "re");
	while (stream && fgets(line, sizeof line, stream))
		if (sscanf(line, "Pid: %d", &pid) == 1)
			break;
	return pid > 0 ? pid : 0;
}

static bool has_own_pids(const struct task *task)
{
	char name[64], own[64], other[64];
	ssize_t length, other_length;

	snprintf(name, sizeof name, "/proc/%d/ns/pid", (int)task->tid);
	length = readlink("/proc/self/ns/pid", own, sizeof own);
	other_length = readlink(name, other, sizeof other);
	return length != other_length || (length > 0 && memcmp(own, other, (size_t)length) != 0);
}

/* Whether a signal may go outside. To the own process, its group or all there are: what is inside always gets it. */
static bool is_to_outside(const struct task *task, pid_t pid)
{
	if (pid == 0 || pid == -1 || pid == task->pid || pid == task->tid)
		return false;
	if (has_own_pids(task))
		return false;
	return !(pid < 0 ? has_inside(-pid) : is_inside(pid));
}

/* It may end us: what was told so far is to be safe first. */
static void tell_in_time(const struct decoder *decoder, const struct task *task, pid_t pid)
{
	if (pid != task->pid && pid != task->tid && decoder->observer.idle)
		decoder->observer.idle(decoder->observer.data, TRACE_DUE_NOW);
}

static bool signal_entry(struct decoder *decoder, struct task *task, struct call *call, const struct event *event)
{
	pid_t pid = (int)call_argument(call, call->row->path);

	(void)event;
	tell_in_time(decoder, task, pid);
	return is_to_outside(task, pid);
}

static bool signal_pidfd_entry(struct decoder *decoder, struct task *task, struct call *call, const struct event *event)
{
	pid_t pid = pidfd_process(task, (int)call_argument(call, call->row->path));

	(void)event;
	if (pid && call_argument(call, call->row->flags) & SIGNAL_PROCESS_GROUP)
		pid = -getpgid(pid);
	tell_in_time(decoder, task, pid);
	return is_to_outside(task, pid);
}

/* What ordinary permissions refuse is refused to us as well, who are in no domain of the profile. */
static bool is_refused_by_scope(const struct decoder *decoder, const struct task *task, const struct call *call)
{
	int whom = (int)call_argument(call, call->row->path);

	if (!decoder->confined || call->error != EPERM)
		return false;
	if (call->row->class == CALL_SIGNAL_PIDFD)
		whom = pidfd_process(task, whom);
	return whom && kill(whom, 0) == 0;
}

static void signal_exit(struct decoder *decoder, struct task *task, struct call *call)
{
	struct access access = {.kind = ACCESS_SCOPE, .rights = RIGHT_SIGNAL, .asked = true};

	if (!call->error || is_refused_by_scope(decoder, task, call))
		decoder_report_plain(decoder, task, call, &access);
}

const struct call_class signal_class = {signal_entry, signal_exit};
const struct call_class signal_pidfd_class = {signal_pidfd_entry, signal_exit};

static bool always(struct decoder *decoder, struct task *task, struct call *call, const struct event *event)
{
	(void)decoder, (void)task, (void)call, (void)event;
	return true;
}

/* Refused, or done where there is no Landlock: under a profile it will be refused. Other errors come before. */
static void barred_exit(struct decoder *decoder, struct task *task, struct call *call)
{
	(void)task;
	if (!call->error)
		decoder->shows_processors = true; /* a procfs may be anywhere now */
	if (!call->error || call->error == EPERM || call->error == EACCES)
		decoder_incomplete(decoder, "%s was called, which does not work under Landlock", call->row->name);
}

const struct call_class barred_class = {always, barred_exit};

static void root_exit(struct decoder *decoder, struct task *task, struct call *call)
{
	(void)task;
	if (call->error)
		return;
	resolver_root_changed(decoder->resolver);
	decoder->elsewhere = true;
}

const struct call_class root_class = {always, root_exit};

static bool trace_entry(struct decoder *decoder, struct task *task, struct call *call, const struct event *event)
{
	(void)decoder, (void)task, (void)event;
	return call->arguments[0] == PTRACE_TRACEME || call->arguments[0] == PTRACE_ATTACH ||
	       call->arguments[0] == PTRACE_SEIZE;
}

/*
 * Within the session it is refused now, and works under the profile: what the program does then is not seen. Outside of
 * it, it never works.
 */
static void trace_exit(struct decoder *decoder, struct task *task, struct call *call)
{
	bool inside =
		call->arguments[0] == PTRACE_TRACEME || has_own_pids(task) || is_inside((pid_t)call->arguments[1]);

	if (call->error != EPERM)
		return;
	if (inside && !decoder->confined)
		decoder_incomplete(decoder,
				   "%s wants to trace a process, which was refused: while learning we are its tracer",
				   task_image(decoder, task));
	else
		decoder_notice(decoder, "%s wants to trace a process, which was refused%s", task_image(decoder, task),
			       inside ? ": while explaining we are its tracer" : "");
}

const struct call_class trace_class = {trace_entry, trace_exit};
