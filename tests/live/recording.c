#include "tests/live/recording.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

static char directory[PATH_MAX + sizeof "/fresh.XXXXXX"];

void remove_fresh_directory(void)
{
	pid_t child;

	if (!directory[0])
		return;
	umount2(directory, MNT_DETACH); /* with all that a test has mounted beneath */
	child = fork();
	if (child == 0) {
		execlp("rm", "rm", "-rf", directory,
		       (char *)NULL); /* it can remove names that are too long for a call */
		_exit(127);
	}
	waitpid(child, NULL, 0);
	directory[0] = '\0';
}

const char *fresh_directory(void)
{
	static char base[PATH_MAX]; /* where the test was started */

	remove_fresh_directory();
	if (!base[0])
		cr_assert_not_null(realpath(".", base));
	snprintf(directory, sizeof directory, "%s/fresh.XXXXXX", base);
	cr_assert(mkdtemp(directory), "%s: %s", directory, strerror(errno));
	return directory;
}

struct run {
	struct recording *recording;
	scenario_fn *scenario;
	int *result; /* shared with the child */
	bool begun, over;
};

static void on_access(void *data, const struct access *access, pid_t pid, pid_t tid)
{
	struct run *run = data;
	struct access plain = *access;
	struct buffer *into = access->kind == ACCESS_CALL ? &run->recording->calls : &run->recording->accesses;
	scoped_buffer line = {0};
	const char *at;

	(void)pid, (void)tid;
	/* The function ends by executing true. */
	run->over |= access->path && !strcmp(access->call, "execve") && strstr(access->path, "/bin/true");
	if (run->over)
		return;
	plain.image = NULL;
	run->recording->needed |= access->asked && !access->inherited;
	access_write(&line, &plain);
	for (at = line.data; *at;) {
		if (strncmp(at, directory, strlen(directory)) == 0) {
			buffer_add_text(into, "$D");
			at += strlen(directory);
		} else {
			buffer_add_byte(into, *at++);
		}
	}
	buffer_add_byte(into, '\n');
}

static void on_begin(void *data)
{
	((struct run *)data)->begun = true;
}

/* What is said before is of the test harness: it leaves descriptors open. */
static void on_notice(void *data, const char *text)
{
	if (((struct run *)data)->begun)
		buffer_format(&((struct run *)data)->recording->notices, "%s\n", text);
}

static void on_incomplete(void *data, const char *text)
{
	buffer_format(&((struct run *)data)->recording->incomplete, "%s\n", text);
}

static int prepare(void *data, struct error *err)
{
	(void)data;
	if (chdir(directory) != 0 || prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
		return error_set_errno(err, errno, "preparing the scenario");
	return 0;
}

static int execute(void *data, struct error *err)
{
	struct run *run = data;

	*run->result = run->scenario();
	execl("/bin/true", "true", (char *)NULL);
	return error_set_errno(err, errno, "/bin/true");
}

void record_with(struct recording *recording, scenario_fn *scenario, const struct trace_options *options)
{
	struct run run = {.recording = recording, .scenario = scenario};
	const struct trace_program program = {.prepare = prepare, .execute = execute, .data = &run};
	const struct trace_observer observer = {
		.access = on_access, .notice = on_notice, .incomplete = on_incomplete, .data = &run, .begin = on_begin};
	struct trace_result result;
	struct error err = {0};

	*recording = (struct recording){0};
	run.result = mmap(NULL, sizeof *run.result, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	cr_assert(run.result != MAP_FAILED);
	cr_assert_eq(trace_session(options, &program, &observer, &result, &err), 0, "%s", err.message);
	cr_assert_eq(result.status, 0, "the scenario ended with status %#x", (unsigned)result.status);
	recording->result = *run.result;
	munmap(run.result, sizeof *run.result);
}

void record(struct recording *recording, scenario_fn *scenario, enum trace_calls calls)
{
	record_with(recording, scenario, &(struct trace_options){.calls = calls});
}

void recording_finish(struct recording *recording)
{
	buffer_finish(&recording->accesses);
	buffer_finish(&recording->calls);
	buffer_finish(&recording->notices);
	buffer_finish(&recording->incomplete);
}

static void compare(const struct recording *recording, const char *lines)
{
	cr_expect_str_eq(buffer_text(&recording->accesses), lines, "\n%sinstead of\n%s%s%s",
			 buffer_text(&recording->accesses), lines, buffer_text(&recording->notices),
			 buffer_text(&recording->incomplete));
}

static void expect_lines(scenario_fn *scenario, const struct trace_options *options, const char *lines)
{
	struct recording recording;

	record_with(&recording, scenario, options);
	compare(&recording, lines);
	recording_finish(&recording);
}

void expect_complete(scenario_fn *scenario, const char *lines)
{
	struct recording recording;

	record(&recording, scenario, TRACE_CALLS_ENFORCED);
	compare(&recording, lines);
	cr_expect_str_eq(buffer_text(&recording.incomplete), "");
	recording_finish(&recording);
}

void expect_accesses(scenario_fn *scenario, const char *lines)
{
	expect_lines(scenario, &(struct trace_options){.calls = TRACE_CALLS_ALL}, lines);
}

void expect_looks(scenario_fn *scenario, const char *lines)
{
	expect_lines(scenario, &(struct trace_options){.calls = TRACE_CALLS_ALL, .looks = true}, lines);
}
