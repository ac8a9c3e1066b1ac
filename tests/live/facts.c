#include "tests/live/facts.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/prctl.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/memory.h"
#include "runner/landlock.h"

/* Where a step of the test itself fails in a child: a status that is no errno. */
#define BROKEN 250

static void must(bool good, const char *what)
{
	if (good)
		return;
	fprintf(stderr, "%s: %s\n", what, strerror(errno));
	_exit(BROKEN);
}

int kernel_abi(void)
{
	int abi = landlock_abi();

	cr_assert_gt(abi, 0, "these tests need Landlock: %s", landlock_absence(abi));
	return abi;
}

static void write_file(const char *name, const char *text, mode_t mode)
{
	int fd = open(name, O_WRONLY | O_CREAT | O_EXCL, mode);

	must(fd >= 0 && write(fd, text, strlen(text)) == (ssize_t)strlen(text) && close(fd) == 0, name);
}

static void copy_program(const char *from, const char *to)
{
	scoped_fd source = open(from, O_RDONLY);
	scoped_fd target = open(to, O_WRONLY | O_CREAT | O_EXCL, 0755);
	struct stat status;

	must(source >= 0 && target >= 0 && fstat(source, &status) == 0, from);
	must(sendfile(target, source, NULL, (size_t)status.st_size) == status.st_size, to);
}

static void fill_directory(void)
{
	write_file("f", "text\n", 0644);
	must(mkdir("d", 0755) == 0 && mkdir("e", 0755) == 0 && symlink("f", "l") == 0, "mkdir");
	write_file("d/f", "text\n", 0644);
	copy_program("/bin/true", "p");
	write_file("s", "#!/bin/sh\nexit 0\n", 0755);
	write_file("t", "exit 0\n", 0755);
}

void restrict_to(const struct rule *rules)
{
	int abi = landlock_abi();
	rights_t handled = rights_of_abi(abi) & RIGHTS_FILE_SYSTEM;
	struct landlock_attribute attribute = {.handled_access_fs = handled};
	scoped_fd ruleset = landlock_create(&attribute, abi);

	must(ruleset >= 0, "landlock_create_ruleset");
	for (; rules->path; rules++) {
		scoped_fd fd = open(rules->path, O_PATH | O_CLOEXEC);

		must(fd >= 0, rules->path);
		if (rules->rights & handled)
			must(landlock_add_path(ruleset, fd, rules->rights & handled) == 0, rules->path);
	}
	must(prctl(PR_SET_NO_NEW_PRIVS, 1L, 0L, 0L, 0L) == 0, "no_new_privs");
	must(landlock_restrict(ruleset, 0) == 0, "landlock_restrict_self");
}

static void remove_tree(const char *name)
{
	scoped_free char *command = format_text("rm -rf '%s'", name);

	cr_assert_eq(system(command), 0, "%s", command);
}

int attempt_under(attempt_fn *attempt, const struct rule *rules)
{
	const char *top = getenv("TMPDIR");
	scoped_free char *directory = format_text("%s/fact.XXXXXX", top ? top : "/tmp");
	int status;
	pid_t pid;

	cr_assert_not_null(mkdtemp(directory), "%s", directory);
	pid = fork();
	cr_assert_geq(pid, 0);
	if (pid == 0) {
		must(chdir(directory) == 0, directory);
		fill_directory();
		if (rules)
			restrict_to(rules);
		_exit(attempt());
	}
	cr_assert_eq(waitpid(pid, &status, 0), pid);
	remove_tree(directory);
	cr_assert(WIFEXITED(status), "the attempt died of signal %d", WTERMSIG(status));
	cr_assert_neq(WEXITSTATUS(status), BROKEN, "the test itself failed in its child");
	return WEXITSTATUS(status);
}

static void without_right(attempt_fn *attempt, int denied, const struct rule *rules, size_t count, size_t which,
			  rights_t right)
{
	struct rule varied[MOST_RULES + 1] = {0};
	scoped_buffer name = {0};
	int got;

	memcpy(varied, rules, count * sizeof *rules);
	varied[which].rights &= ~right;
	got = attempt_under(attempt, varied);
	rights_write(&name, right);
	cr_assert_eq(got, denied, "without %s on %s: %s, not %s", name.data, rules[which].path, strerror(got),
		     strerror(denied));
}

void needs(attempt_fn *attempt, int result, int denied, const struct rule *rules)
{
	rights_t known = rights_of_abi(kernel_abi());
	size_t count = 0;
	int got = attempt_under(attempt, NULL);

	cr_assert_eq(got, result, "the control without a domain: %s, not %s", strerror(got), strerror(result));
	got = attempt_under(attempt, rules);
	cr_assert_eq(got, result, "with all rights: %s, not %s", strerror(got), strerror(result));
	while (rules[count].path)
		count++;
	cr_assert_leq(count, MOST_RULES);
	for (size_t i = 0; i < count; i++)
		for (rights_t right = 1; right && !rules[i].given; right <<= 1)
			if (rules[i].rights & known & right)
				without_right(attempt, denied, rules, count, i, right);
}

/* The file that is mapped at the loader's address. */
const char *loader(void)
{
	static char name[4096];
	uintptr_t base = (uintptr_t)getauxval(AT_BASE);
	scoped_file maps = fopen("/proc/self/maps", "re");
	uintptr_t start, end;
	char line[4352];

	while (maps && fgets(line, sizeof line, maps))
		if (sscanf(line, "%" SCNxPTR "-%" SCNxPTR " %*s %*s %*s %*s %4095[^\n]", &start, &end, name) == 3 &&
		    base >= start && base < end)
			return name;
	cr_assert_fail("no loader is mapped");
	return NULL;
}
