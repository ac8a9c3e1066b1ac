/* The list of files that a person let in, and which profiles could change their own file. */
#include <criterion/criterion.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/memory.h"
#include "profile/trust.h"
#include "tests/unit/own_directory.h"

#define HASH_A "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
#define HASH_B "bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb"

static char directory[PATH_MAX];

static void enter_directory(void)
{
	own_directory(directory);
	cr_assert_eq(chdir(directory), 0);
	setenv("XDG_STATE_HOME", directory, 1);
}

static void leave_directory(void)
{
	unlink("trace-learn/trusted");
	rmdir("trace-learn");
	cr_assert_eq(chdir("/"), 0);
	cr_expect_eq(rmdir(directory), 0);
}

TestSuite(trust, .init = enter_directory, .fini = leave_directory);

static void expect_directory(const char *want)
{
	scoped_free char *path = NULL;
	scoped_error err = {0};

	cr_assert_eq(state_directory(false, &path, &err), 0, "%s", err.message);
	cr_expect_str_eq(path, want);
}

Test(trust, state_directory)
{
	setenv("XDG_STATE_HOME", "/x//state/", 1);
	setenv("HOME", "/home/me", 1);
	expect_directory("/x/state/trace-learn");
	setenv("XDG_STATE_HOME", "relative", 1);
	expect_directory("/home/me/.local/state/trace-learn");
	setenv("XDG_STATE_HOME", "", 1);
	expect_directory("/home/me/.local/state/trace-learn");
	unsetenv("XDG_STATE_HOME");
	expect_directory("/home/me/.local/state/trace-learn");
}

Test(trust, no_state_directory)
{
	scoped_error err = {0};
	char *path;

	unsetenv("XDG_STATE_HOME");
	unsetenv("HOME");
	cr_expect_eq(state_directory(false, &path, &err), -EINVAL);
	setenv("HOME", "me", 1);
	cr_expect_eq(state_directory(false, &path, &err), -EINVAL);
	cr_expect_str_eq(err.message,
			 "no state directory: neither XDG_STATE_HOME nor HOME is an absolute path: set one of them");
	setenv("HOME", "/home/..", 1);
	cr_expect_eq(state_directory(false, &path, &err), -EINVAL);
	cr_expect_str_eq(err.message, "no state directory: /home/../.local/state/trace-learn has a .. part: set "
				      "XDG_STATE_HOME without");
	setenv("HOME", "/proc/none", 1); /* where root cannot make one either */
	cr_expect_eq(state_directory(true, &path, &err), -ENOENT);
	cr_expect_str_eq(err.message, "cannot make the directory /proc/none: No such file or directory: set "
				      "XDG_STATE_HOME to a directory where you may write");
	setenv("HOME", "/home/..", 1);
	cr_expect_eq(trust_add(HASH_A, "/p.ini", &err), -EINVAL);
}

Test(trust, state_directory_is_made_for_the_user_alone)
{
	scoped_free char *state = format_text("%s/deep/er", directory);
	scoped_free char *path = NULL;
	scoped_error err = {0};
	struct stat status;

	setenv("XDG_STATE_HOME", state, 1);
	cr_assert_eq(state_directory(true, &path, &err), 0, "%s", err.message);
	cr_assert_eq(stat("deep/er/trace-learn", &status), 0);
	cr_expect_eq(status.st_mode & 07777, 0700u);
	rmdir("deep/er/trace-learn");
	rmdir("deep/er");
	rmdir("deep");
}

Test(trust, what_was_added_is_there)
{
	scoped_error err = {0};
	struct stat status;

	cr_expect_eq(trust_has(HASH_A, "/p.ini", &err), 0);
	cr_expect_null(err.message);
	cr_assert_eq(trust_add(HASH_A, "/p.ini", &err), 0, "%s", err.message);
	cr_expect_eq(trust_has(HASH_A, "/p.ini", &err), 1);
	cr_expect_eq(trust_has(HASH_B, "/p.ini", &err), 0);
	cr_assert_eq(trust_add(HASH_B, "/p.ini", &err), 0);
	cr_assert_eq(trust_add(HASH_A, "/p.ini", &err), 0);
	cr_expect_eq(trust_has(HASH_A, "/p.ini", &err), 1);
	cr_expect_eq(trust_has(HASH_B, "/p.ini", &err), 1);
	cr_assert_eq(stat("trace-learn/trusted", &status), 0);
	cr_expect_eq(status.st_mode & 07777, 0600u);
	cr_expect_eq(status.st_size, 144, "each once");
}

Test(trust, the_place_counts)
{
	scoped_error err = {0};

	cr_assert_eq(trust_add(HASH_A, "/wide.ini", &err), 0);
	cr_assert_eq(trust_add(HASH_B, "/a\n" HASH_A " /b.ini", &err), 0);
	cr_expect_eq(trust_has(HASH_A, "/wide.ini", &err), 1);
	cr_expect_eq(trust_has(HASH_A, "/narrow.ini", &err), 0, "a trusted file moved over another");
	cr_expect_eq(trust_has(HASH_A, "/b.ini", &err), 0, "a name that spells a line");
	cr_expect_eq(trust_has(HASH_B, "/a\n" HASH_A " /b.ini", &err), 1);
}

static void write_list(const char *text, mode_t mode)
{
	scoped_fd fd = -1;

	mkdir("trace-learn", 0700);
	fd = open("trace-learn/trusted", O_WRONLY | O_CREAT | O_TRUNC, 0600);
	cr_assert_eq(write(fd, text, strlen(text)), (ssize_t)strlen(text));
	cr_assert_eq(fchmod(fd, mode), 0);
}

Test(trust, only_whole_lines_count)
{
	scoped_error err = {0};

	write_list("x" HASH_A " /p.ini\n" HASH_A " /p.inix\n" HASH_B " /p.ini", 0600);
	cr_expect_eq(trust_has(HASH_A, "/p.ini", &err), 0);
	cr_expect_eq(trust_has(HASH_B, "/p.ini", &err), 0, "a line without its end may be half a line");
	cr_assert_eq(trust_add(HASH_A, "/p.ini", &err), 0);
	cr_expect_eq(trust_has(HASH_A, "/p.ini", &err), 1);
	cr_expect_eq(trust_has(HASH_B, "/p.ini", &err), 1, "the new line ends it");
}

Test(trust, refuses_what_is_no_hash)
{
	scoped_error err = {0};

	cr_expect_eq(trust_add("", "/p.ini", &err), -EINVAL);
	cr_expect_eq(trust_add("A" HASH_A, "/p.ini", &err), -EINVAL);
	cr_expect_eq(trust_has("AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA", "/p.ini", &err),
		     -EINVAL);
	cr_expect_eq(access("trace-learn", F_OK), -1);
}

Test(trust, refuses_a_list_that_others_can_write)
{
	scoped_error err = {0};

	write_list(HASH_A " /p.ini\n", 0620);
	cr_expect_eq(trust_has(HASH_A, "/p.ini", &err), -EPERM);
	cr_expect_eq(trust_add(HASH_B, "/p.ini", &err), -EPERM);
	write_list(HASH_A " /p.ini\n", 0602);
	cr_expect_eq(trust_has(HASH_A, "/p.ini", &err), -EPERM);
	write_list(HASH_A " /p.ini\n", 0644);
	cr_expect_eq(trust_has(HASH_A, "/p.ini", &err), 1);
}

Test(trust, refuses_another_users_list)
{
	scoped_error err = {0};

	write_list(HASH_A " /p.ini\n", 0600);
	if (geteuid() != 0)
		cr_skip_test("only root can give files away");
	cr_assert_eq(chown("trace-learn/trusted", 65534, 65534), 0);
	cr_expect_eq(trust_has(HASH_A, "/p.ini", &err), -EPERM);
}

Test(trust, refuses_links_and_pipes)
{
	scoped_error err = {0};

	mkdir("trace-learn", 0700);
	cr_assert_eq(symlink("/etc/hostname", "trace-learn/trusted"), 0);
	cr_expect_eq(trust_has(HASH_A, "/p.ini", &err), -ELOOP);
	cr_expect_eq(trust_add(HASH_A, "/p.ini", &err), -ELOOP);
	unlink("trace-learn/trusted");
	cr_assert_eq(mkfifo("trace-learn/trusted", 0600), 0);
	cr_expect_eq(trust_has(HASH_A, "/p.ini", &err), -EINVAL);
	cr_expect_eq(trust_add(HASH_A, "/p.ini", &err), -EINVAL);
}

/* All add the same hashes: none is lost, and none is there twice. */
Test(trust, many_at_once)
{
	enum { PROCESSES = 8, EACH = 30 };
	scoped_error err = {0};
	char sha256[HASH_TEXT_SIZE];
	struct stat status;
	int result;

	for (int i = 0; i < PROCESSES; i++) {
		if (fork() != 0)
			continue;
		for (int j = 0; j < EACH; j++) {
			snprintf(sha256, sizeof sha256, "%064x", j);
			if (trust_add(sha256, "/p.ini", &err) < 0)
				_exit(1);
		}
		_exit(0);
	}
	for (int i = 0; i < PROCESSES; i++) {
		wait(&result);
		cr_expect_eq(result, 0);
	}
	for (int j = 0; j < EACH; j++) {
		snprintf(sha256, sizeof sha256, "%064x", j);
		cr_expect_eq(trust_has(sha256, "/p.ini", &err), 1, "%d", j);
	}
	cr_assert_eq(stat("trace-learn/trusted", &status), 0);
	cr_expect_eq(status.st_size, (off_t)EACH * (HASH_TEXT_SIZE + 7));
}

static bool is_writable(enum section section, rights_t rights, const char *path)
{
	struct profile profile = {0};
	const struct grant *grant = NULL;
	bool result;

	profile_add_skipped(&profile, SECTION_NORMAL, RIGHT_WRITE_FILE, "${TTY}");
	profile_add_grant(&profile, section, rights, path);
	result = trust_is_writable(&profile, "/home/me/p.ini", &grant);
	cr_expect_eq(grant != NULL, result);
	if (grant)
		cr_expect_str_eq(grant->path, path);
	cr_expect_eq(trust_is_writable(&profile, "/home/me/p.ini", NULL), result);
	profile_finish(&profile);
	return result;
}

Test(trust, grants_that_reach_the_file)
{
	static const rights_t by_name[] = {
		RIGHT_MAKE_REG,	 RIGHT_MAKE_DIR,   RIGHT_MAKE_SYM,   RIGHT_MAKE_FIFO,	RIGHT_MAKE_SOCK,
		RIGHT_MAKE_CHAR, RIGHT_MAKE_BLOCK, RIGHT_REMOVE_DIR, RIGHT_REMOVE_FILE, RIGHT_REFER,
	};

	cr_expect(is_writable(SECTION_NORMAL, RIGHT_WRITE_FILE, "/home/me/p.ini"));
	cr_expect(is_writable(SECTION_PROTECTED, RIGHT_TRUNCATE, "/home/me/p.ini"));
	cr_expect(is_writable(SECTION_GUARDED, RIGHT_WRITE_FILE, "/home"));
	cr_expect(is_writable(SECTION_GUARDED, RIGHT_TRUNCATE, "/"));
	for (size_t i = 0; i < sizeof by_name / sizeof *by_name; i++) {
		cr_expect(is_writable(SECTION_NORMAL, by_name[i], "/home/me"));
		cr_expect(is_writable(SECTION_NORMAL, by_name[i], "/"));
		cr_expect_not(is_writable(SECTION_NORMAL, by_name[i], "/home/me/p.ini"));
	}
}

Test(trust, grants_that_do_not)
{
	cr_expect_not(is_writable(SECTION_NORMAL, RIGHT_READ_FILE | RIGHT_EXECUTE | RIGHT_READ_DIR, "/"));
	cr_expect_not(is_writable(SECTION_NORMAL, RIGHT_IOCTL_DEV | RIGHT_RESOLVE_UNIX, "/home/me/p.ini"));
	cr_expect_not(is_writable(SECTION_NORMAL, RIGHT_WRITE_FILE, "/home/me/p.in"));
	cr_expect_not(is_writable(SECTION_NORMAL, RIGHT_WRITE_FILE, "/home/me/p.ini/x"));
	cr_expect_not(is_writable(SECTION_NORMAL, RIGHTS_FILE_SYSTEM, "/home/m"));
	cr_expect_not(is_writable(SECTION_HELD, RIGHT_WRITE_FILE, "/"));
	cr_expect_not(is_writable(SECTION_ABSENT, RIGHT_MAKE_REG, "/"));
}
