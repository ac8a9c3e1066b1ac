#include <criterion/criterion.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/memory.h"
#include "profile/exec_chain.h"
#include "runner/launch.h"
#include "tests/unit/own_directory.h"

/* A fresh directory that is the present one, removed afterwards; its canonical name. */
static char directory[PATH_MAX];

static void enter(void)
{
	char made[PATH_MAX];

	own_directory(made);
	cr_assert_eq(chdir(made), 0);
	cr_assert_not_null(getcwd(directory, sizeof directory));
}

static void leave(void)
{
	cr_assert_eq(chdir("/"), 0);
	remove_directory(directory);
}

TestSuite(find, .init = enter, .fini = leave);
TestSuite(absolute, .init = enter, .fini = leave);
TestSuite(execute, .init = enter, .fini = leave);

static void make_bytes(const char *name, const char *bytes, size_t length, mode_t mode)
{
	int fd = open(name, O_WRONLY | O_CREAT | O_EXCL, 0600);

	cr_assert_geq(fd, 0, "%s", name);
	cr_assert_eq(write(fd, bytes, length), (ssize_t)length);
	cr_assert_eq(fchmod(fd, mode), 0);
	close(fd);
}

static void make_file(const char *name, const char *text, mode_t mode)
{
	make_bytes(name, text, strlen(text), mode);
}

/* Looks for program with this PATH (NULL: none is set) and compares; `expected` NULL: fails with this number. */
static void expect_find(const char *program, const char *path, const char *expected, int number)
{
	char *entry = path ? format_text("PATH=%s", path) : NULL;
	char *const environment[] = {(char *)"A=PATH=/x", entry ? entry : (char *)"B=", NULL};
	struct error err = {0};
	char *name = NULL;
	int result = launch_find(program, environment, &name, &err);

	cr_expect_eq(result, -number, "%s: %d", program, result);
	if (expected)
		cr_expect(name && strcmp(name, expected) == 0, "%s: %s, not %s", program, name, expected);
	cr_expect_eq(err.number, number);
	free(name);
	free(entry);
	error_finish(&err);
}

Test(find, a_name_with_a_slash_stays_as_it_is)
{
	make_file("x", "", 0755);
	expect_find("./x", "/nowhere", "./x", 0);
	expect_find(".//x", "", ".//x", 0);
	expect_find("/bin/sh", "", "/bin/sh", 0);
}

Test(find, the_first_directory_that_has_it)
{
	cr_assert_eq(mkdir("a", 0755) || mkdir("b", 0755), 0);
	make_file("b/x", "", 0755);
	expect_find("x", "a:b:.", "b/x", 0);
	make_file("a/x", "", 0755);
	expect_find("x", "a:b", "a/x", 0);
	expect_find("x", "nowhere:b/x:b", "b/x", 0);
}

Test(find, an_empty_part_is_the_present_directory)
{
	make_file("x", "", 0755);
	expect_find("x", ":/bin", "x", 0);
	expect_find("x", "/bin:", "x", 0);
	expect_find("x", "/bin::/sbin", "x", 0);
	expect_find("x", "", "x", 0);
}

Test(find, without_a_path_the_usual_directories)
{
	expect_find("sh", NULL, "/bin/sh", 0);
	make_file("x", "", 0755);
	expect_find("x", NULL, NULL, ENOENT);
}

Test(find, what_may_not_be_executed_is_passed_over_and_remembered)
{
	cr_assert_eq(mkdir("a", 0755) || mkdir("b", 0755) || mkdir("a/d", 0755), 0);
	make_file("a/x", "", 0644);
	expect_find("x", "a:b", NULL, EACCES);
	expect_find("d", "a", NULL, EACCES);
	make_file("b/x", "", 0755);
	expect_find("x", "a:b", "b/x", 0);
}

static void expect_denied(const char *program, const char *path, const char *message)
{
	char *entry = format_text("PATH=%s", path);
	char *const environment[] = {entry, NULL};
	struct error err = {0};
	char *name = NULL;

	cr_expect_eq(launch_find(program, environment, &name, &err), -EACCES);
	cr_expect_str_eq(err.message, message);
	free(entry);
	error_finish(&err);
}

/* For root no directory is closed. */
Test(find, what_is_there_is_told_from_what_cannot_be_seen)
{
	cr_assert_eq(mkdir("a", 0755) || mkdir("a/closed", 0000), 0);
	make_file("a/x", "", 0644);
	cr_assert(chmod(".", 0755) == 0 && (geteuid() != 0 || seteuid(65534) == 0));
	expect_denied("x", "a/closed:a", "a/closed/x: a directory on the way to it may not be searched");
	expect_denied("x", "a:a/closed", "a/x: found, but not executable");
	expect_denied("./a/closed/x", "", "./a/closed/x: a directory on the way to it may not be searched");
	expect_denied("./a/x", "", "./a/x: found, but not executable");
	expect_denied("./a", "", "./a: a directory, not a program");
	cr_assert(getuid() != 0 || seteuid(0) == 0);
}

Test(find, failures_of_names_with_a_slash)
{
	make_file("x", "", 0644);
	expect_find("./x", "", NULL, EACCES);
	expect_find(directory, "", NULL, EACCES);
	expect_find("./missing", "", NULL, ENOENT);
	expect_find("./x/y", "", NULL, ENOTDIR);
	expect_find("", "/bin", NULL, ENOENT);
}

static void expect_absolute(const char *name, const char *expected)
{
	struct error err = {0};
	char *absolute = NULL;

	cr_assert_eq(launch_absolute(name, &absolute, &err), 0, "%s: %s", name, err.message);
	cr_expect_str_eq(absolute, expected, "%s: %s, not %s", name, absolute, expected);
	free(absolute);
}

static const char *here(const char *name)
{
	static char path[2 * PATH_MAX];

	snprintf(path, sizeof path, "%s/%s", directory, name);
	return path;
}

Test(absolute, is_clean_and_keeps_links)
{
	cr_assert_eq(mkdir("real", 0755) || symlink("real", "link"), 0);
	expect_absolute("/bin/sh", "/bin/sh");
	expect_absolute("/bin//./sh", "/bin/sh");
	expect_absolute("x", here("x"));
	expect_absolute("./link/x", here("link/x"));
}

/* real/deep/.. is real, but link/.. is not the present directory: what stands before a `..` has to be resolved. */
Test(absolute, resolves_what_stands_before_a_parent)
{
	cr_assert_eq(mkdir("real", 0755) || mkdir("real/deep", 0755) || symlink("real/deep", "link"), 0);
	expect_absolute("link/../x", here("real/x"));
	expect_absolute("real/deep/../../link/x", here("link/x"));
	expect_absolute("..x/y", here("..x/y"));
}

Test(absolute, fails_where_a_parent_leads_nowhere)
{
	struct error err = {0};
	char *absolute = NULL;

	cr_assert_eq(launch_absolute("missing/../x", &absolute, &err), -ENOENT);
	cr_assert_null(absolute);
	error_finish(&err);
}

/* Executes in a child; returns its status, and what it printed in `output`. */
static char output[256];

static int execute(const char *name, char *const arguments[], struct error *err)
{
	char *const environment[] = {(char *)"VALUE=1", NULL};
	int ends[2], status;
	ssize_t length;

	cr_assert_eq(pipe(ends), 0);
	if (fork() == 0) {
		dup2(ends[1], STDOUT_FILENO);
		launch_exec(name, arguments, environment, err);
		length = write(ends[1], err->message, strlen(err->message));
		_exit(length < 0 ? 99 : launch_status(err->number));
	}
	close(ends[1]);
	length = read(ends[0], output, sizeof output - 1);
	output[length > 0 ? length : 0] = '\0';
	close(ends[0]);
	wait(&status);
	return WEXITSTATUS(status);
}

Test(execute, passes_name_arguments_and_environment)
{
	char *const arguments[] = {(char *)"other", (char *)"-c", (char *)"echo $0 $VALUE; exit 5", NULL};
	struct error err = {0};

	cr_assert_eq(execute("/bin/sh", arguments, &err), 5);
	cr_assert_str_eq(output, "other 1\n");
}

Test(execute, text_without_interpreter_goes_through_the_shell)
{
	char *const arguments[] = {(char *)"ignored", (char *)"a b", NULL};
	struct error err = {0};

	make_file("x", "echo \"$0 $1 $# $VALUE\"; exit 6\n", 0755);
	cr_assert_eq(execute("./x", arguments, &err), 6);
	cr_assert_str_eq(output, "./x a b 1 1\n");
}

/* valgrind executes itself in the place of a program, and then there is nobody to hear what was missing. */
static void need_answer_of_exec(const char *name)
{
	int status;

	if (fork() == 0) {
		execl(name, name, NULL);
		_exit(errno != ENOENT);
	}
	wait(&status);
	if (status == 0)
		return;
	leave();
	cr_skip_test("execve(2) does not answer here where something is missing");
}

Test(execute, failures_have_the_status_of_env)
{
	char *const arguments[] = {(char *)"x", NULL};
	struct error err = {0};

	cr_expect_eq(execute("./missing", arguments, &err), 127);
	cr_expect_str_eq(output, "./missing: cannot execute: No such file or directory");
	cr_expect_eq(execute("/", arguments, &err), 126);
}

Test(execute, an_interpreter_that_is_missing_is_named)
{
	char *const arguments[] = {(char *)"x", NULL};
	struct error err = {0};

	make_file("x", "#!/no/such/interpreter\n", 0755);
	need_answer_of_exec("./x");
	cr_expect_eq(execute("./x", arguments, &err), 127);
	cr_expect_str_eq(output, "./x: cannot execute: its interpreter /no/such/interpreter is not there");
	make_file("y", "#! ./x\n", 0755);
	cr_expect_eq(execute("./y", arguments, &err), 127);
	cr_expect_str_eq(
		output,
		"./y: cannot execute: the interpreter /no/such/interpreter of its interpreter ./x is not there");
}

/* This program's beginning, with another loader's name in it. */
Test(execute, a_loader_that_is_missing_is_named)
{
	char *const arguments[] = {(char *)"x", NULL};
	int fd = open("/proc/self/exe", O_RDONLY);
	char head[EXEC_CHAIN_PROGRAM], *at;
	struct error err = {0};
	char *loader, *expected;

	cr_assert_eq(read(fd, head, sizeof head), (ssize_t)sizeof head);
	close(fd);
	loader = exec_chain_loader(head, sizeof head);
	cr_assert_not_null(loader);
	at = memmem(head, sizeof head, loader, strlen(loader));
	at[1] = loader[1] = '#';
	make_bytes("x", head, sizeof head, 0755);
	need_answer_of_exec("./x");
	expected = format_text("./x: cannot execute: its loader %s is not there", loader);
	cr_expect_eq(execute("./x", arguments, &err), 127);
	cr_expect_str_eq(output, expected);
	free(expected);
	free(loader);
}
