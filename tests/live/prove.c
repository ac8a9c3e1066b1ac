#include "tests/live/prove.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "runner/landlock.h"

void make_file(const char *name, const char *content)
{
	int fd = open(name, O_CREAT | O_WRONLY | O_TRUNC | O_CLOEXEC, 0755);

	must(write(fd, content, strlen(content)) == (ssize_t)strlen(content));
	close(fd);
}

static void deny_everything(void)
{
	int abi = landlock_abi(), fd;
	rights_t rights = rights_of_abi(abi);
	const struct landlock_attribute attribute = {
		.handled_access_fs = rights & RIGHTS_FILE_SYSTEM,
		.handled_access_net = (rights & RIGHTS_NETWORK) >> RIGHTS_NETWORK_SHIFT,
		.scoped = (rights & RIGHTS_SCOPE) >> RIGHTS_SCOPE_SHIFT,
	};

	fd = landlock_create(&attribute, abi);
	if (fd < 0 || landlock_restrict(fd, 0) != 0)
		_exit(2);
	close(fd);
}

/* What came of the three runs; shared with the process that makes them. */
struct outcome {
	int native, denied, traced;
	bool needed;
	char accesses[8192];
	char incomplete[1024];
};

static void *share(size_t size)
{
	void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	cr_assert(memory != MAP_FAILED);
	return memory;
}

/* The errno of the act in a child of its own, with or without the domain. */
static int try(act_fn *act, bool denied)
{
	int *error = share(sizeof *error), status, seen;
	pid_t child = fork();

	if (child == 0) {
		prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
		if (denied)
			deny_everything();
		*error = act() == -1 ? errno : 0;
		_exit(0);
	}
	if (waitpid(child, &status, 0) != child || status != 0)
		_exit(3);
	seen = *error;
	munmap(error, sizeof *error);
	return seen;
}

static act_fn *traced_act;

static int act_traced(void)
{
	return traced_act() == -1 ? errno : 0;
}

static void trace(act_fn *act, struct outcome *outcome)
{
	struct recording recording;

	traced_act = act;
	record(&recording, act_traced, TRACE_CALLS_ENFORCED);
	outcome->traced = recording.result;
	outcome->needed = recording.needed;
	strncpy(outcome->accesses, buffer_text(&recording.accesses), sizeof outcome->accesses - 1);
	strncpy(outcome->incomplete, buffer_text(&recording.incomplete), sizeof outcome->incomplete - 1);
	recording_finish(&recording);
}

/* A process of one thread, which may enter namespaces. */
static _Noreturn void run_all(act_fn *act, furnish_fn *furnish, struct outcome *outcome)
{
	for (int run = 0; run < 3; run++) {
		if (chdir(fresh_directory()) != 0)
			_exit(4);
		furnish();
		if (run == 0)
			outcome->native = try(act, false);
		else if (run == 1)
			outcome->denied = try(act, true);
		else
			trace(act, outcome);
	}
	remove_fresh_directory();
	_exit(0);
}

void prove(act_fn *act, furnish_fn *furnish)
{
	struct outcome *outcome = share(sizeof *outcome);
	pid_t child;
	int status;

	if (landlock_abi() < 1)
		cr_skip_test("this kernel has no Landlock");
	child = fork();
	if (child == 0)
		run_all(act, furnish, outcome);
	cr_assert_eq(waitpid(child, &status, 0), child);
	if (WIFEXITED(status) && WEXITSTATUS(status) == CANNOT_FURNISH)
		cr_skip_test("this user cannot mount");
	cr_assert_eq(status, 0, "status %#x", (unsigned)status);
	cr_expect_eq(outcome->traced, outcome->native, "traced: %s, natively: %s", strerror(outcome->traced),
		     strerror(outcome->native));
	cr_expect_eq(outcome->needed, outcome->native != outcome->denied,
		     "natively: %s, denied: %s, but a grant is %s\n%s", strerror(outcome->native),
		     strerror(outcome->denied), outcome->needed ? "made" : "not made", outcome->accesses);
	cr_expect_str_eq(outcome->incomplete, "");
}
