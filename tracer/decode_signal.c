/* Signals: whether they leave the session, and which ones are meant for the parent that the program would have. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/memory.h"
#include "tracer/decoder.h"
#include "tracer/proc_status.h"

static bool is_traced(pid_t pid)
{
	return proc_status(pid, "TracerPid", 10) == getpid();
}

#define SIGNAL_PROCESS_GROUP (1 << 2) /* PIDFD_SIGNAL_PROCESS_GROUP, Linux 6.9 */

/* All that lives inside the session is traced by us; of what has ended, and was not waited for, its parent tells. */
bool decoder_is_inside(pid_t pid)
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

	if (getpgid(group) == group && decoder_is_inside(group))
		return true;
	entries = opendir("/proc");
	while (entries && (entry = readdir(entries))) {
		pid_t pid = (pid_t)strtol(entry->d_name, NULL, 10);

		if (pid > 0 && getpgid(pid) == group && decoder_is_inside(pid))
			return true;
	}
	return false;
}

/* The number behind "Pid:"; 0 for none. Takes the descriptor, which may be -errno. */
static pid_t read_pid(int fd)
{
	scoped_file stream = fd >= 0 ? fdopen(fd, "r") : NULL;
	char line[128];
	int pid = 0;

	while (stream && fgets(line, sizeof line, stream))
		if (sscanf(line, "Pid: %d", &pid) == 1)
			break;
	return pid > 0 ? pid : 0;
}

/* A directory /proc/ID stands for a pidfd, in a procfs that numbers processes as ours. */
static pid_t directory_process(const char *link)
{
	scoped_fd directory = open(link, O_PATH | O_DIRECTORY | O_CLOEXEC);
	struct stat status, proc;

	if (directory < 0 || fstat(directory, &status) < 0 || stat("/proc", &proc) < 0 || status.st_dev != proc.st_dev)
		return 0;
	return read_pid(openat(directory, "status", O_RDONLY | O_CLOEXEC));
}

/* The process behind a pidfd of the task; 0 when it is none, or has ended. */
static pid_t pidfd_process(const struct task *task, int fd)
{
	char file[64];
	pid_t pid;

	snprintf(file, sizeof file, "/proc/%d/fdinfo/%d", (int)task->tid, fd);
	pid = read_pid(open(file, O_RDONLY | O_CLOEXEC));
	snprintf(file, sizeof file, "/proc/%d/fd/%d", (int)task->tid, fd);
	return pid ? pid : directory_process(file);
}

bool decoder_has_own_pids(const struct task *task)
{
	char name[64], own[64], other[64];
	ssize_t length, other_length;

	snprintf(name, sizeof name, "/proc/%d/ns/pid", (int)task->tid);
	length = readlink("/proc/self/ns/pid", own, sizeof own);
	other_length = readlink(name, other, sizeof other);
	return length != other_length || (length > 0 && memcmp(own, other, (size_t)length) != 0);
}

/*
 * To the own process, its group or all there are: what is inside always gets it. INT_MIN is no group, since that cannot
 * be negated: the kernel refuses it.
 */
bool decoder_is_to_outside(const struct task *task, pid_t pid)
{
	if (pid == INT_MIN || pid == 0 || pid == -1 || pid == task->pid || pid == task->tid)
		return false;
	if (decoder_has_own_pids(task))
		return false;
	return !(pid < 0 ? has_inside(-pid) : decoder_is_inside(pid));
}

/* It may end us: what was told so far is to be safe first. */
static void tell_in_time(const struct decoder *decoder, const struct task *task, pid_t pid)
{
	if (pid != task->pid && pid != task->tid && decoder->observer.idle)
		decoder->observer.idle(decoder->observer.data, TRACE_DUE_NOW);
}

static struct for_parent *find_for_parent(const struct decoder *decoder, pid_t sender, int signal)
{
	for (size_t i = 0; i < decoder->for_parent_count; i++)
		if (decoder->for_parent[i].sender == sender && decoder->for_parent[i].signal == signal)
			return &decoder->for_parent[i];
	return NULL;
}

bool decoder_is_for_parent(struct decoder *decoder, pid_t sender, int signal)
{
	struct for_parent *sent = find_for_parent(decoder, sender, signal);

	if (!sent)
		return false;
	*sent = decoder->for_parent[--decoder->for_parent_count];
	return true;
}

void decoder_end_for_parent(struct decoder *decoder, const struct task *task)
{
	struct for_parent *sent = NULL;

	if (task->call && task->call->for_parent)
		sent = find_for_parent(decoder, task->pid, (int)call_argument(task->call, task->call->row->signal));
	if (sent)
		sent->ended = true;
}

void decoder_drop_for_parent(struct decoder *decoder)
{
	for (size_t i = decoder->for_parent_count; i-- > 0;)
		if (decoder->for_parent[i].ended)
			decoder->for_parent[i] = decoder->for_parent[--decoder->for_parent_count];
}

/*
 * It is on its way before we hear what came of the call; if that fails, what the call itself added is taken back at the
 * exit. All but real-time signals are joined with one that still waits.
 */
static void expect_for_parent(struct decoder *decoder, const struct task *task, struct call *call)
{
	int signal = (int)call_argument(call, call->row->signal);

	call->for_parent = signal && (signal >= SIGRTMIN || !find_for_parent(decoder, task->pid, signal));
	if (call->for_parent)
		*ARRAY_APPEND(decoder->for_parent, decoder->for_parent_count, decoder->for_parent_capacity) =
			(struct for_parent){.sender = task->pid, .signal = signal};
}

static bool enter(struct decoder *decoder, struct task *task, struct call *call, pid_t pid)
{
	tell_in_time(decoder, task, pid);
	if (pid == getpid() && !decoder_has_own_pids(task))
		expect_for_parent(decoder, task, call);
	return decoder_is_to_outside(task, pid);
}

static bool signal_entry(struct decoder *decoder, struct task *task, struct call *call, const struct event *event)
{
	(void)event;
	return enter(decoder, task, call, (int)call_argument(call, call->row->path));
}

static bool signal_pidfd_entry(struct decoder *decoder, struct task *task, struct call *call, const struct event *event)
{
	pid_t pid = pidfd_process(task, (int)call_argument(call, call->row->path));

	(void)event;
	if (pid && call_argument(call, call->row->flags) & SIGNAL_PROCESS_GROUP)
		pid = -getpgid(pid);
	return enter(decoder, task, call, pid);
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

	if (call->error && call->for_parent)
		decoder_is_for_parent(decoder, task->pid, (int)call_argument(call, call->row->signal));
	if (!call->error || is_refused_by_scope(decoder, task, call))
		decoder_report_plain(decoder, task, call, &access);
}

const struct call_class signal_class = {signal_entry, signal_exit};
const struct call_class signal_pidfd_class = {signal_pidfd_entry, signal_exit};
