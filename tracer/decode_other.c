/* Calls that are one of their kind. */
#include <errno.h>
#include <string.h>
#include <sys/ptrace.h>
#include <unistd.h>

#include "base/memory.h"
#include "tracer/decoder.h"

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
	bool inside = call->arguments[0] == PTRACE_TRACEME || decoder_has_own_pids(task) ||
		      decoder_is_inside((pid_t)call->arguments[1]);

	if (call->error != EPERM)
		return;
	if (inside && !decoder->confined)
		decoder_incomplete(
			decoder,
			"%s wants to trace a process, which was refused: while learning we are its tracer; learn what "
			"it traces by itself, and join both with \"trace-profile merge\"",
			task_image(decoder, task));
	else
		decoder_notice(decoder, "%s wants to trace a process, which was refused%s", task_image(decoder, task),
			       inside ? ": while explaining we are its tracer; without -e it may" : "");
}

const struct call_class trace_class = {trace_entry, trace_exit};
