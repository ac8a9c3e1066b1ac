#include "tests/live/stage.h"

#include <criterion/criterion.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/architecture.h"
#include "tests/live/recording.h"

struct stage stage;
static const char *place;

static void on_access(void *data, const struct access *access, pid_t pid, pid_t tid)
{
	struct access plain = *access;
	scoped_buffer line = {0};
	const char *at, *path;

	(void)data, (void)pid, (void)tid;
	if (access->type == OBJECT_SOCKET && access->kind == ACCESS_CREATE)
		return;
	plain.image = NULL;
	access_write(&line, &plain);
	for (at = line.data; (path = strstr(at, place)); at = path + strlen(place))
		buffer_format(&stage.said, "%.*s$D", (int)(path - at), at);
	buffer_format(&stage.said, "%s\n", at);
}

static void on_notice(void *data, const char *text)
{
	(void)data, (void)text;
}

static void on_incomplete(void *data, const char *text)
{
	(void)data;
	buffer_format(&stage.incomplete, "%s\n", text);
}

void stage_set_up(void)
{
	const struct trace_observer observer = {.access = on_access, .notice = on_notice, .incomplete = on_incomplete};

	place = fresh_directory();
	cr_assert_eq(chdir(place), 0);
	stage.decoder = decoder_create(&(struct trace_options){0}, &observer, &stage.tasks);
	stage.server = task_add(&stage.tasks, getpid());
}

void stage_tear_down(void)
{
	if (stage.client) {
		kill(stage.client->tid, SIGKILL);
		waitpid(stage.client->tid, NULL, 0);
	}
	while (stage.tasks.tasks) {
		decoder_forget(stage.decoder, stage.tasks.tasks);
		task_remove(&stage.tasks, stage.tasks.tasks);
	}
	decoder_destroy(stage.decoder);
	buffer_finish(&stage.said);
	buffer_finish(&stage.incomplete);
	remove_fresh_directory();
	stage = (struct stage){0};
}

void stage_start_client(void)
{
	pid_t pid = (pid_t)syscall(SYS_clone, CLONE_FILES | SIGCHLD, NULL, NULL, NULL, NULL);

	cr_assert_geq(pid, 0);
	if (pid == 0) {
		pause();
		_exit(0);
	}
	stage.client = task_add(&stage.tasks, pid);
}

void stage_enters(struct task *task, int number, const uint64_t arguments[6])
{
	struct event event = {.kind = EVENT_SYSCALL_ENTRY,
			      .tid = task->tid,
			      .architecture = architecture_native(),
			      .number = (uint64_t)number};

	memcpy(event.arguments, arguments, sizeof event.arguments);
	cr_assert(decoder_entry(stage.decoder, task, &event));
}

void stage_leaves(struct task *task, long result)
{
	struct event event = {.kind = EVENT_SYSCALL_EXIT, .tid = task->tid, .result = result, .failed = result < 0};

	decoder_exit(stage.decoder, task, &event);
}

void stage_expect(const char *lines)
{
	cr_expect_str_eq(buffer_text(&stage.said), lines, "\n%sinstead of\n%s", buffer_text(&stage.said), lines);
}
