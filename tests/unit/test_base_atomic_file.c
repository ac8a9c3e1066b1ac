/* Files that appear whole or not at all; also where the file system lacks what makes that easy. */
#include <criterion/criterion.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <seccomp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/atomic_file.h"
#include "base/cleanup.h"
#include "tests/unit/own_directory.h"

static char directory[PATH_MAX];

static void enter_directory(void)
{
	own_directory(directory);
	cr_assert_eq(chdir(directory), 0);
	umask(022);
}

static void leave_directory(void)
{
	static const char *const names[] = {"new", "old", "link", "fifo", "full/x"};

	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		unlink(names[i]);
	rmdir("sub");
	cr_assert_eq(chdir("/"), 0);
	cr_expect_eq(rmdir(directory), 0, "something was left behind");
}

TestSuite(atomic_file, .init = enter_directory, .fini = leave_directory, .timeout = 20);

static void write_text(const char *name, const char *text)
{
	scoped_file file = fopen(name, "w");

	cr_assert(file && fputs(text, file) >= 0);
}

static void expect_text(const char *name, const char *want)
{
	scoped_free char *text = NULL;
	scoped_error err = {0};
	scoped_fd fd = open(name, O_RDONLY);
	size_t length;

	cr_assert_eq(read_file(fd, 1 << 20, &text, &length, &err), 0, "%s: %s", name, err.message);
	cr_expect_str_eq(text, want);
}

static int count_files(void)
{
	scoped_directory here = opendir(".");
	int count = 0;

	for (struct dirent *entry = readdir(here); entry; entry = readdir(here))
		count += strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
	return count;
}

static int write_whole(const char *name, const char *text, bool replace, struct error *err)
{
	struct atomic_file file;
	int result = atomic_file_open(&file, name, 0666, replace, err);

	if (result == 0)
		result = atomic_file_commit(&file, text, strlen(text), err);
	atomic_file_finish(&file);
	return result;
}

static void expect_written(const char *name, const char *text, bool replace)
{
	scoped_error err = {0};

	cr_assert_eq(write_whole(name, text, replace, &err), 0, "%s", err.message);
	expect_text(name, text);
}

static void expect_refused(const char *name, bool replace, int number, const char *message)
{
	struct atomic_file file;
	scoped_error err = {0};

	cr_assert_eq(atomic_file_open(&file, name, 0666, replace, &err), -number, "%s", name);
	cr_expect_str_eq(err.message, message);
}

Test(atomic_file, nothing_is_seen_before_the_commit)
{
	struct atomic_file file;
	scoped_error err = {0};
	struct stat status;

	cr_assert_eq(atomic_file_open(&file, "new", 0666, false, &err), 0, "%s", err.message);
	cr_expect_eq(count_files(), 0);
	cr_assert_eq(atomic_file_commit(&file, "text", 4, &err), 0);
	atomic_file_finish(&file);
	cr_expect_eq(count_files(), 1);
	expect_text("new", "text");
	cr_assert_eq(stat("new", &status), 0);
	cr_expect_eq(status.st_mode & 07777, 0644u);
}

Test(atomic_file, nothing_is_left_without_a_commit)
{
	struct atomic_file file;
	scoped_error err = {0};

	write_text("old", "old");
	cr_assert_eq(atomic_file_open(&file, "old", 0666, true, &err), 0);
	atomic_file_finish(&file);
	atomic_file_finish(&file);
	cr_expect_eq(count_files(), 1);
	expect_text("old", "old");
}

Test(atomic_file, refuses_to_replace_unless_told)
{
	write_text("old", "old");
	expect_refused("old", false, EEXIST, "old exists already");
	expect_written("old", "new", true);
	cr_expect_eq(count_files(), 1);
}

/* The name may be taken between open and commit. */
Test(atomic_file, does_not_replace_what_came_meanwhile)
{
	struct atomic_file file;
	scoped_error err = {0};

	cr_assert_eq(atomic_file_open(&file, "new", 0666, false, &err), 0);
	write_text("new", "another's");
	cr_expect_eq(atomic_file_commit(&file, "text", 4, &err), -EEXIST);
	atomic_file_finish(&file);
	expect_text("new", "another's");
	cr_expect_eq(count_files(), 1);
}

Test(atomic_file, a_replaced_file_is_another_one)
{
	struct stat before, after;

	write_text("old", "old");
	cr_assert_eq(stat("old", &before), 0);
	expect_written("old", "new", true);
	cr_assert_eq(stat("old", &after), 0);
	cr_expect_neq(before.st_ino, after.st_ino);
}

/* Also one that the umask would have taken bits from, and one that could not be opened for writing. */
static void expect_kept_mode(mode_t mode)
{
	struct stat status;

	write_text("old", "old");
	cr_assert_eq(chmod("old", mode), 0);
	expect_written("old", "new", true);
	cr_assert_eq(stat("old", &status), 0);
	cr_expect_eq(status.st_mode & 07777, mode, "%o became %o", mode, status.st_mode & 07777);
	unlink("old");
}

Test(atomic_file, a_replaced_file_keeps_its_mode)
{
	expect_kept_mode(0600);
	expect_kept_mode(0666);
	expect_kept_mode(0444);
}

static void forbid(int call, unsigned argument, scmp_datum_t flag, int error);

Test(atomic_file, a_replaced_file_keeps_its_mode_without_nameless_files)
{
	forbid(SCMP_SYS(openat), 2, O_TMPFILE, EOPNOTSUPP);
	expect_kept_mode(0600);
	expect_kept_mode(0666);
}

Test(atomic_file, follows_links_at_the_end)
{
	struct stat status;

	cr_assert_eq(mkdir("sub", 0755), 0);
	write_text("old", "old");
	cr_assert_eq(symlink("sub/../old", "link"), 0);
	expect_written("link", "new", true);
	cr_assert_eq(lstat("link", &status), 0);
	cr_expect(S_ISLNK(status.st_mode));
	expect_text("old", "new");
}

Test(atomic_file, refuses_bad_names)
{
	cr_assert_eq(mkdir("sub", 0755), 0);
	cr_assert_eq(symlink("nowhere", "link"), 0);
	expect_refused("sub", true, EISDIR, "sub: Is a directory: name a file in it");
	expect_refused("sub/", true, EISDIR, "sub/: Is a directory: name a file in it");
	expect_refused("new/", false, EISDIR, "new/: not the name of a file");
	expect_refused(".", true, EISDIR, ".: Is a directory: name a file in it");
	expect_refused("", true, EINVAL, "the name of the file is empty");
	expect_refused("none/x", false, ENOENT,
		       "none/x: cannot open its directory: No such file or directory: make the directory first, or "
		       "name a file "
		       "elsewhere");
	expect_refused("link", true, ENOENT, "link: a symbolic link that leads nowhere");
}

Test(atomic_file, refuses_a_directory_that_cannot_be_written)
{
	scoped_error err = {0};
	struct atomic_file file;

	if (geteuid() == 0)
		cr_assert_eq(seteuid(65534), 0);
	cr_expect_eq(atomic_file_open(&file, "/etc/new", 0666, false, &err), -EACCES);
	cr_expect_str_eq(err.message,
			 "/etc/new: cannot write in its directory: Permission denied: name a file where you may write");
	if (getuid() == 0)
		cr_assert_eq(seteuid(0), 0);
}

Test(atomic_file, a_failed_write_leaves_the_old_file)
{
	struct rlimit limit = {10, 10};
	scoped_error err = {0};

	write_text("old", "old");
	signal(SIGXFSZ, SIG_IGN);
	setrlimit(RLIMIT_FSIZE, &limit);
	cr_expect_eq(write_whole("old", "more than ten bytes", true, &err), -EFBIG);
	cr_expect_str_eq(
		err.message,
		"old: cannot write: File too large: raise the limit on the size of files (ulimit -f), and do it again");
	expect_text("old", "old");
	cr_expect_eq(count_files(), 1);
}

Test(atomic_file, devices_and_pipes_are_written_in_place)
{
	scoped_error err = {0};
	scoped_fd reader = -1;
	char text[8] = "";

	cr_assert_eq(mkfifo("fifo", 0600), 0);
	reader = open("fifo", O_RDONLY | O_NONBLOCK);
	cr_assert_eq(write_whole("fifo", "text", false, &err), 0, "%s", err.message);
	cr_expect_eq(read(reader, text, sizeof text), 4);
	cr_expect_str_eq(text, "text");
	cr_assert_eq(write_whole("/dev/null", "text", false, &err), 0, "%s", err.message);
}

Test(atomic_file, a_pipe_without_a_reader_does_not_block)
{
	cr_assert_eq(mkfifo("fifo", 0600), 0);
	expect_refused(
		"fifo", true, ENXIO,
		"fifo: No such device or address: nothing reads from there: start its reader first, or name a file");
}

/* As /dev/stdout in `trace-learn -o /dev/stdout … | cat`, or >(cat): a pipe that has no name. */
Test(atomic_file, a_pipe_behind_a_descriptor)
{
	scoped_error err = {0};
	char text[8] = "", name[32];
	int ends[2];

	cr_assert_eq(pipe(ends), 0);
	snprintf(name, sizeof name, "/dev/fd/%d", ends[1]);
	cr_assert_eq(write_whole(name, "text", false, &err), 0, "%s", err.message);
	cr_expect_eq(read(ends[0], text, sizeof text), 4);
	cr_expect_str_eq(text, "text");
}

/* From now on the kernel acts as a file system without nameless files, or without a rename that replaces nothing. */
static void forbid(int call, unsigned argument, scmp_datum_t flag, int error)
{
	scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ALLOW);

	cr_assert_eq(seccomp_rule_add(filter, SCMP_ACT_ERRNO((uint16_t)error), call, 1,
				      SCMP_CMP(argument, SCMP_CMP_MASKED_EQ, flag, flag)),
		     0);
	cr_assert_eq(seccomp_load(filter), 0);
	seccomp_release(filter);
}

Test(atomic_file, without_nameless_files)
{
	forbid(SCMP_SYS(openat), 2, O_TMPFILE, EOPNOTSUPP);
	expect_written("new", "one", false);
	expect_written("new", "two", true);
	cr_expect_eq(count_files(), 1);
	expect_refused("new", false, EEXIST, "new exists already");
}

Test(atomic_file, without_nameless_files_a_bad_directory_is_an_error_at_once)
{
	scoped_error err = {0};
	struct atomic_file file;

	forbid(SCMP_SYS(openat), 2, O_TMPFILE, EOPNOTSUPP);
	if (geteuid() == 0)
		cr_assert_eq(seteuid(65534), 0);
	cr_expect_eq(atomic_file_open(&file, "/etc/new", 0666, false, &err), -EACCES);
	if (getuid() == 0)
		cr_assert_eq(seteuid(0), 0);
}

Test(atomic_file, without_a_rename_that_replaces_nothing)
{
	struct atomic_file file;
	scoped_error err = {0};

	forbid(SCMP_SYS(renameat2), 4, RENAME_NOREPLACE, EINVAL);
	expect_written("new", "one", false);
	unlink("new");
	cr_assert_eq(atomic_file_open(&file, "new", 0666, false, &err), 0);
	write_text("new", "another's");
	cr_expect_eq(atomic_file_commit(&file, "text", 4, &err), -EEXIST);
	atomic_file_finish(&file);
	expect_text("new", "another's");
	cr_expect_eq(count_files(), 1);
}

Test(atomic_file, read_file_reads_all_and_no_more)
{
	scoped_free char *text = NULL, *none = NULL, *large = NULL;
	scoped_error err = {0};
	scoped_fd fd = -1;
	size_t length;

	write_text("old", "12345");
	fd = open("old", O_RDONLY);
	cr_assert_eq(read_file(fd, 5, &text, &length, &err), 0);
	cr_expect_eq(length, 5u);
	cr_expect_str_eq(text, "12345");
	cr_assert_eq(read_file(fd, 5, &none, &length, &err), 0);
	cr_expect_str_eq(none, "");
	lseek(fd, 0, SEEK_SET);
	cr_expect_eq(read_file(fd, 4, &large, &length, &err), -EFBIG);
	cr_expect_eq(read_file(-1, 4, &large, &length, &err), -EBADF);
}
