/* Variables of profiles: which values may be used, and where the process's own come from. */
#include <criterion/criterion.h>
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/wait.h>
#include <unistd.h>

#include "profile/variables.h"
#include "tests/unit/own_directory.h"

static void expect_value(const struct variables *variables, const char *name, const char *want)
{
	scoped_error err = {0};
	const char *value = NULL;

	cr_assert_eq(variables_get(variables, name, &value, &err), 0, "%s", err.message);
	cr_expect_str_eq(value, want);
}

static void expect_refused(const struct variables *variables, const char *name, int number, const char *message)
{
	scoped_error err = {0};
	const char *value;

	cr_assert_eq(variables_get(variables, name, &value, &err), -number);
	cr_expect_str_eq(err.message, message);
}

Test(variables, names)
{
	struct variables all = {
		.home = (char *)"/h",
		.tty = (char *)"/dev/pts/1",
		.directory = (char *)"/d",
		.tmpdir = (char *)"/t",
		.xdg_runtime_dir = (char *)"/r",
		.uid = (char *)"5",
	};

	expect_value(&all, "HOME", "/h");
	expect_value(&all, "TTY", "/dev/pts/1");
	expect_value(&all, "DIRECTORY", "/d");
	expect_value(&all, "TMPDIR", "/t");
	expect_value(&all, "XDG_RUNTIME_DIR", "/r");
	expect_value(&all, "UID", "5");
	expect_refused(
		&all, "home", ENOENT,
		"unknown variable ${home} (known: HOME TTY DIRECTORY TMPDIR XDG_RUNTIME_DIR UID; a literal ${ is "
		"\\x24{)");
}

Test(variables, unset)
{
	struct variables none = {0};

	expect_refused(&none, "HOME", EINVAL, "${HOME} is not set");
	expect_refused(&none, "DIRECTORY", EINVAL, "${DIRECTORY} is not set");
	expect_refused(&none, "TMPDIR", EINVAL, "${TMPDIR} is not set");
	expect_refused(&none, "XDG_RUNTIME_DIR", EINVAL, "${XDG_RUNTIME_DIR} is not set");
	expect_refused(&none, "UID", EINVAL, "${UID} is not set");
	expect_refused(&none, "TTY", ENOTTY, "${TTY}: there is no controlling terminal");
	expect_refused(&(struct variables){.home = (char *)""}, "HOME", EINVAL, "${HOME} is not set");
}

Test(variables, values_that_would_widen)
{
	expect_refused(&(struct variables){.home = (char *)"/"}, "HOME", EINVAL, "${HOME} is /");
	expect_refused(&(struct variables){.home = (char *)"///"}, "HOME", EINVAL, "${HOME} is /");
	expect_refused(&(struct variables){.tmpdir = (char *)"t"}, "TMPDIR", EINVAL, "${TMPDIR} is not absolute: t");
	expect_refused(&(struct variables){.tmpdir = (char *)"/t/.."}, "TMPDIR", EINVAL,
		       "${TMPDIR} has a . or .. part: /t/..");
	expect_refused(&(struct variables){.tmpdir = (char *)"/./t"}, "TMPDIR", EINVAL,
		       "${TMPDIR} has a . or .. part: /./t");
	expect_value(&(struct variables){.home = (char *)"/h/..x/"}, "HOME", "/h/..x/");
}

Test(variables, of_this_process)
{
	struct variables variables;
	char uid[16];

	setenv("HOME", "/home/\xff", 1);
	setenv("TMPDIR", "/t", 1);
	unsetenv("XDG_RUNTIME_DIR");
	cr_assert_eq(chdir("/usr"), 0);
	snprintf(uid, sizeof uid, "%u", (unsigned)getuid());
	variables_of_process(&variables);
	expect_value(&variables, "HOME", "/home/\xff");
	expect_value(&variables, "TMPDIR", "/t");
	expect_value(&variables, "DIRECTORY", "/usr");
	expect_value(&variables, "UID", uid);
	cr_expect_null(variables.xdg_runtime_dir);
	variables_finish(&variables);
	cr_expect_null(variables.home);
}

/* A child with a new session whose controlling terminal is `terminal` ("" for none); what it finds, in `found`. */
static void ask_child(const char *terminal, bool keep_descriptors, char found[PATH_MAX])
{
	int ends[2], status;
	ssize_t length;
	pid_t child;

	cr_assert_eq(pipe(ends), 0);
	child = fork();
	if (child == 0) {
		struct variables variables;
		int fd;

		setsid();
		fd = *terminal ? open(terminal, O_RDWR) : -1;
		for (int i = 0; i <= 2; i++)
			if (!keep_descriptors || fd < 0 || dup2(fd, i) < 0)
				close(i);
		variables_of_process(&variables);
		dprintf(ends[1], "%s", variables.tty ? variables.tty : "none");
		_exit(0);
	}
	close(ends[1]);
	length = read(ends[0], found, PATH_MAX - 1);
	found[length > 0 ? length : 0] = '\0';
	close(ends[0]);
	waitpid(child, &status, 0);
	cr_expect_eq(status, 0);
}

Test(variables, the_terminal_is_found_with_and_without_a_descriptor)
{
	int pty = posix_openpt(O_RDWR | O_NOCTTY);
	char name[64], found[PATH_MAX];

	cr_assert(pty >= 0 && grantpt(pty) == 0 && unlockpt(pty) == 0 && ptsname_r(pty, name, sizeof name) == 0);
	ask_child(name, true, found);
	cr_expect_str_eq(found, name);
	ask_child(name, false, found);
	cr_expect_str_eq(found, name);
	close(pty);
}

/* As /dev/console in a container: the terminal's own name leads nowhere there. */
Test(variables, a_terminal_under_another_name)
{
	int pty = posix_openpt(O_RDWR | O_NOCTTY);
	char directory[PATH_MAX], name[64], found[PATH_MAX], other[PATH_MAX + 8];

	if (unshare(CLONE_NEWNS) < 0 || mount("none", "/", "", MS_REC | MS_PRIVATE, NULL) < 0)
		cr_skip_test("no right to mount");
	cr_assert(pty >= 0 && grantpt(pty) == 0 && unlockpt(pty) == 0 && ptsname_r(pty, name, sizeof name) == 0);
	own_directory(directory);
	snprintf(other, sizeof other, "%s/console", directory);
	close(open(other, O_WRONLY | O_CREAT, 0600));
	cr_assert_eq(mount(name, other, "", MS_BIND, NULL), 0);
	ask_child(other, true, found);
	cr_expect_str_eq(found, other);
	ask_child(other, false, found);
	cr_expect_str_eq(found, name);
	umount(other);
	unlink(other);
	rmdir(directory);
	close(pty);
}

Test(variables, without_a_terminal)
{
	char found[PATH_MAX];

	ask_child("", false, found);
	cr_expect_str_eq(found, "none");
}
