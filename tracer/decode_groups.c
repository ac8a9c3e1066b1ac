/* The words of [seccomp] that a call needs. */
#include <sched.h>
#include <string.h>

#include "tracer/decoder.h"

static bool shares_files(uint64_t flags)
{
	return (flags & (CLONE_FILES | CLONE_THREAD)) == CLONE_FILES;
}

/* clone3 has its flags in memory: most of its calls make no namespace. */
static seccomp_set_t groups_of_clone3(struct decoder *decoder, const struct task *task, const struct event *event)
{
	uint64_t flags[6] = {0};

	if (memory_read(&decoder->memory, task->tid, event->arguments[0], flags, sizeof *flags) != 0)
		return 0;
	decoder->shares_files |= shares_files(*flags);
	return seccomp_groups_of_call("unshare", flags);
}

static seccomp_set_t groups_of(struct decoder *decoder, struct task *task, const struct syscall_row *row,
			       const struct event *event)
{
	if (strcmp(row->name, "clone3") == 0)
		return groups_of_clone3(decoder, task, event);
	if (strcmp(row->name, "unshare") == 0)
		task->start = START_OWN;
	if (row->class == CALL_CLONE)
		decoder->shares_files |= shares_files(event->arguments[0]);
	return seccomp_groups_of_call(row->name, event->arguments) & SECCOMP_EVERY_WORD;
}

/* A call that needs one word and succeeded: where nobody keeps every call, the next one tells nothing new. */
struct told_call {
	const char *name; /* the table's own */
	uint64_t groups;
};

static struct told_call told_call(const struct call *call)
{
	return (struct told_call){call->name, call->groups};
}

static bool was_told(const struct decoder *decoder, const struct call *call)
{
	struct told_call key;

	if (!call->groups)
		return false;
	key = told_call(call);
	return seen_has(decoder->told_calls, &key, sizeof key);
}

static void remember_told(struct decoder *decoder, const struct call *call)
{
	struct told_call key;

	if (call->groups & (call->groups - 1) || decoder->looks || decoder->confined || call->error)
		return;
	key = told_call(call);
	seen_add(&decoder->told_calls, &key, sizeof key);
}

void groups_enter(struct decoder *decoder, struct task *task, struct call *call, const struct event *event)
{
	call->name = call->row->name;
	call->groups = groups_of(decoder, task, call->row, event);
	if (call->groups & SECCOMP_SET(SECCOMP_NAMESPACES)) {
		decoder->elsewhere = true;
		resolver_mounts_differ(decoder->resolver);
	}
	if (was_told(decoder, call))
		call->groups = 0;
}

/* Where one call needs several, no filter can see which kind of socket it makes. */
static void report(struct decoder *decoder, struct task *task, const struct call *call)
{
	for (unsigned group = 0; group < SECCOMP_GROUPS; group++) {
		struct access access = {.kind = ACCESS_CALL, .path = seccomp_group_name(group), .call = call->name};

		if (call->groups & SECCOMP_SET(group))
			decoder_report_plain(decoder, task, call, &access);
	}
	if (!call->error && call->groups & (call->groups - 1))
		decoder_notice(
			decoder,
			"%s makes sockets by %s, in which no filter sees of what kind they are: [seccomp] allows "
			"all kinds",
			task_image(decoder, task), call->name);
}

void groups_exit(struct decoder *decoder, struct task *task, const struct call *call)
{
	if (!call->groups)
		return;
	report(decoder, task, call);
	remember_told(decoder, call);
}
