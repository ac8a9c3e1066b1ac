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

	cr_assert_geq(fd, 0);
	cr_assert_eq(write(fd, content, strlen(content)), (ssize_t)strlen(content));
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
	if (fd < 0 || landlock_restrict(fd) != 0)
		_exit(2);
	close(fd);
}

static void furnish_fresh(furnish_fn *furnish)
{
	cr_assert_eq(chdir(fresh_directory()), 0);
	furnish();
}

/* The errno of the act in a child of its own, with or without the domain. */
static int try(act_fn *act, furnish_fn *furnish, bool denied)
{
	int *error = mmap(NULL, sizeof *error, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0), status, seen;
	pid_t child;

	furnish_fresh(furnish);
	child = fork();
	cr_assert_geq(child, 0);
	if (child == 0) {
		prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
		if (denied)
			deny_everything();
		*error = act() == -1 ? errno : 0;
		_exit(0);
	}
	cr_assert_eq(waitpid(child, &status, 0), child);
	cr_assert_eq(status, 0, "status %#x", (unsigned)status);
	seen = *error;
	munmap(error, sizeof *error);
	return seen;
}

static act_fn *traced_act;

static int act_traced(void)
{
	return traced_act() == -1 ? errno : 0;
}

void prove(act_fn *act, furnish_fn *furnish)
{
	struct recording recording;
	int native, denied;

	if (landlock_abi() < 1)
		cr_skip_test("this kernel has no Landlock");
	native = try(act, furnish, false);
	denied = try(act, furnish, true);
	furnish_fresh(furnish);
	traced_act = act;
	record(&recording, act_traced, TRACE_CALLS_ENFORCED);
	cr_expect_eq(recording.result, native, "traced: %s, natively: %s", strerror(recording.result),
		     strerror(native));
	cr_expect_eq(recording.needed, native != denied, "natively: %s, denied: %s, but a grant is %s\n%s",
		     strerror(native), strerror(denied), recording.needed ? "made" : "not made",
		     buffer_text(&recording.accesses));
	cr_expect_str_eq(buffer_text(&recording.incomplete), "");
	recording_finish(&recording);
	remove_fresh_directory();
}
