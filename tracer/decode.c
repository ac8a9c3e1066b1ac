#include "tracer/decode.h"

#include <errno.h>
#include <string.h>

#include "base/architecture.h"
#include "base/cleanup.h"
#include "base/memory.h"
#include "tracer/decoder.h"
#include "tracer/stack_moment.h"

#define FIRST_KERNEL_ERROR 512 /* ERESTARTSYS and its like: a signal came, the call may be made again */

static const struct call_class *const classes[CALL_CLASSES] = {
	[CALL_LOOK] = &look_class,
	[CALL_CHECK] = &check_class,
	[CALL_METADATA] = &metadata_class,
	[CALL_OPEN] = &open_class,
	[CALL_OPEN_HOW] = &open_how_class,
	[CALL_OPEN_HANDLE] = &open_handle_class,
	[CALL_OPEN_PEER] = &open_peer_class,
	[CALL_EXEC] = &exec_class,
	[CALL_MAKE] = &make_class,
	[CALL_PIN] = &pin_class,
	[CALL_REMOVE] = &remove_class,
	[CALL_RENAME] = &rename_class,
	[CALL_LINK] = &link_class,
	[CALL_USE] = &use_class,
	[CALL_USE_DESCRIPTOR] = &use_descriptor_class,
	[CALL_BIND] = &bind_class,
	[CALL_CONNECT] = &connect_class,
	[CALL_SEND] = &send_class,
	[CALL_SEND_MESSAGE] = &send_message_class,
	[CALL_SEND_MESSAGES] = &send_messages_class,
	[CALL_RECEIVE] = &receive_class,
	[CALL_RECEIVE_MANY] = &receive_many_class,
	[CALL_LISTEN] = &listen_class,
	[CALL_SOCKETS] = &sockets_class,
	[CALL_SIGNAL] = &signal_class,
	[CALL_SIGNAL_PIDFD] = &signal_pidfd_class,
	[CALL_OWNER] = &owner_class,
	[CALL_BARRED] = &barred_class,
	[CALL_ROOT] = &root_class,
	[CALL_TRACE] = &trace_class,
	[CALL_RING] = &ring_class,
	[CALL_SECCOMP] = &seccomp_class,
};

const struct call_class *call_class_of(const struct syscall_row *row)
{
	return classes[row->class];
}

struct decoder *decoder_create(const struct trace_options *options, const struct trace_observer *observer,
			       const struct task_table *tasks)
{
	struct decoder *decoder = allocate(sizeof *decoder);

	decoder->observer = *observer;
	decoder->tasks = tasks;
	decoder->confined = options->confined;
	decoder->explained = options->every_call;
	decoder->allow_rings = options->allow_rings; /* which calls stop is the filter's business */
	decoder->proc_all = options->proc_all;
	decoder->keep_links = options->keep_links;
	decoder->stacks = options->stacks && observer->stood;
	decoder->looks = options->looks;
	decoder->expects = observer->has_made && !options->looks && !options->every_call && !options->allow_rings &&
			   !options->unbound;
	decoder->resolver = resolver_create(options->looks, tasks);
	if (options->allow_rings || options->unbound)
		resolver_mounts_differ(decoder->resolver);
	syscall_index_init(&decoder->index, architecture_native());
	decoder->refuses = options->refuses;
	if (options->every_call || options->refuses)
		refused_index_init(&decoder->refused, &decoder->index);
	return decoder;
}

void decoder_mounts_differ(struct decoder *decoder)
{
	resolver_mounts_differ(decoder->resolver);
}

void decoder_destroy(struct decoder *decoder)
{
	if (!decoder)
		return;
	free(decoder->spare);
	free(decoder->for_parent);
	resolver_destroy(decoder->resolver);
	free(decoder->look);
	expected_finish(decoder);
	buffer_finish(&decoder->looked);
	seen_clear(&decoder->said);
	seen_clear(&decoder->told_calls);
	seen_clear(&decoder->written);
	deep_names_clear(&decoder->deep);
	seen_clear(&decoder->sockets);
	seen_clear(&decoder->socket_inodes);
	seen_clear(&decoder->sent);
	seen_clear(&decoder->loose_ports);
	free(decoder);
}

bool decoder_shows_processors(const struct decoder *decoder)
{
	return decoder->shows_processors;
}

void decoder_end_call(struct decoder *decoder, struct task *task)
{
	struct call *call = steal_pointer(&task->call);

	if (!call)
		return;
	free(call->path);
	free(call->path2);
	object_finish(&call->object);
	object_finish(&call->object2);
	free(call->addresses);
	stack_moment_drop(call->stood);
	free(decoder->spare);
	decoder->spare = call;
}

void decoder_forget(struct decoder *decoder, struct task *task)
{
	decoder_tell_expected(decoder);
	decoder_end_for_parent(decoder, task);
	decoder_end_call(decoder, task);
	resolver_forget(decoder->resolver, task);
}

/* With nothing in it; the task's until decoder_end_call(). */
static struct call *begin_call(struct decoder *decoder, struct task *task)
{
	decoder_end_call(decoder, task);
	task->call = decoder->spare ? steal_pointer(&decoder->spare) : allocate(sizeof *task->call);
	*task->call = (struct call){0};
	return task->call;
}

static bool enter(struct decoder *decoder, struct task *task, const struct syscall_row *row,
		  const struct call_class *class, const struct event *event)
{
	struct call *call;

	decoder_end_call(decoder, task);
	if (!class && !(row && row->grouped))
		return false;
	if (class == &look_class && !row->grouped) {
		decoder_look(decoder, task, row, event);
		return false;
	}
	call = begin_call(decoder, task);
	call->row = row;
	call->class = class;
	call->architecture = event->architecture;
	memcpy(call->arguments, event->arguments, sizeof event->arguments);
	if (row && row->grouped)
		groups_enter(decoder, task, call, event);
	if (class && !class->entry(decoder, task, call, event))
		call->class = NULL;
	if (call->class || call->groups)
		return true;
	decoder_end_call(decoder, task);
	return false;
}

/* Whatever the profile says. */
static struct call *begin_refused(struct decoder *decoder, struct task *task, const char *name,
				  const struct event *event)
{
	struct call *call = begin_call(decoder, task);

	*call = (struct call){
		.name = name,
		.architecture = event->architecture,
		.groups = SECCOMP_SET(SECCOMP_ALWAYS),
	};
	return call;
}

int decoder_refuses(struct decoder *decoder, struct task *task, const struct event *event)
{
	const struct seccomp_call *row =
		decoder->refuses ? refused_find(&decoder->refused, &decoder->index, event) : NULL;

	if (!row)
		return 0;
	begin_refused(decoder, task, row->name, event)->refused = true;
	return seccomp_call_error(row);
}

bool decoder_entry(struct decoder *decoder, struct task *task, const struct event *event)
{
	const struct syscall_row *row = syscall_find(&decoder->index, event->architecture, event->number);

	return enter(decoder, task, row, row ? call_class_of(row) : &unknown_class, event);
}

bool decoder_call(struct decoder *decoder, struct task *task, const struct event *event)
{
	const struct syscall_row *row = syscall_find(&decoder->index, event->architecture, event->number);
	const struct seccomp_call *refused = refused_find(&decoder->refused, &decoder->index, event);

	if (refused) /* by the filter: nothing behind it sees the call */
		return begin_refused(decoder, task, refused->name, event);
	if (!row && !syscall_is_of_known_abi(&decoder->index, event->architecture, event->number))
		return enter(decoder, task, NULL, &unknown_class, event);
	if (row && row->class != CALL_LOOK && syscall_is_stopped(row, event->arguments))
		return enter(decoder, task, row, call_class_of(row), event);
	return row && row->class == CALL_OPEN_PEER && enter(decoder, task, row, &device_class, event);
}

bool decoder_call_clones(const struct decoder *decoder, const struct event *event)
{
	const struct syscall_row *row = syscall_find(&decoder->index, event->architecture, event->number);

	return row && row->class == CALL_CLONE && syscall_is_stopped(row, event->arguments);
}

void decoder_exit(struct decoder *decoder, struct task *task, const struct event *event)
{
	struct call *call = task->call;

	if (!call)
		return;
	call->result = event->result;
	call->error = event->failed ? (int)-event->result : 0;
	if (call->error >= FIRST_KERNEL_ERROR)
		call->error = EINTR;
	groups_exit(decoder, task, call);
	if (call->refused)
		decoder_say_refused(decoder, task, call);
	decoder->memory.lazy |= !call->error && call->groups & SECCOMP_SET(SECCOMP_USERFAULTFD);
	if (call->class)
		call->class->exit(decoder, task, call);
	if (call->path)
		decoder_say_refused_private(decoder, task, call);
	decoder_end_call(decoder, task);
}
