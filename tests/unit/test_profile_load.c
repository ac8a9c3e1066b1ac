/* Loading a profile: what is decided is decided on the bytes that were read, and nothing blocks or acts. */
#include "profile_text.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#include "base/hash.h"
#include "tests/unit/own_directory.h"

static char directory[PATH_MAX];

static void enter_directory(void)
{
	own_directory(directory);
	cr_assert_eq(chdir(directory), 0);
}

static void leave_directory(void)
{
	cr_assert_eq(chdir("/"), 0);
	cr_expect_eq(rmdir(directory), 0);
}

TestSuite(profile_load, .init = enter_directory, .fini = leave_directory, .timeout = 20);

static void write_file(const char *name, const char *text)
{
	scoped_file file = fopen(name, "w");

	cr_assert(file && fputs(text, file) >= 0);
}

static void expect_refused(const char *name, int number, const char *message)
{
	struct profile profile;
	scoped_error err = {0};

	cr_assert_eq(profile_load(name, &test_variables, &profile, NULL, NULL, &err), -number, "%s", name);
	cr_expect(is_message(err.message, message), "%s\n%s", err.message, message);
	cr_expect_eq(profile.grant_count, 0u);
}

Test(profile_load, gives_profile_hash_and_status)
{
	const char *text = HEAD "[normal]\nallow = read_file /x\n";
	scoped_profile profile = {0};
	scoped_error err = {0};
	char want[HASH_TEXT_SIZE], sha256[HASH_TEXT_SIZE];
	struct stat status, other;

	write_file("p.ini", text);
	cr_assert_eq(profile_load("p.ini", &test_variables, &profile, sha256, &status, &err), 0, "%s", err.message);
	hash_text(text, strlen(text), want);
	cr_expect_str_eq(sha256, want);
	stat("p.ini", &other);
	cr_expect_eq(status.st_ino, other.st_ino);
	cr_expect_eq(profile.grant_count, 1u);
	unlink("p.ini");
}

Test(profile_load, errors_have_the_name_as_it_was_given)
{
	write_file("p.ini", HEAD "x = 1\n");
	expect_refused("./p.ini", EINVAL, "./p.ini:3: unknown key x in [profile]");
	unlink("p.ini");
}

Test(profile_load, missing_and_empty)
{
	expect_refused("p.ini", ENOENT, "p.ini: No such file or directory");
	write_file("p.ini", "");
	expect_refused("p.ini", EINVAL, "p.ini:1: empty: a profile begins with [profile] and format = 1");
	unlink("p.ini");
}

/* A name in the text that does not exist must not look like a missing profile. */
Test(profile_load, an_unknown_variable_is_no_missing_file)
{
	struct profile profile;
	scoped_error err = {0};

	write_file("p.ini", HEAD "argument = ${X}\n");
	cr_expect_eq(profile_load("p.ini", &test_variables, &profile, NULL, NULL, &err), -EINVAL);
	unlink("p.ini");
}

Test(profile_load, refuses_what_is_no_file)
{
	int fd = socket(AF_UNIX, SOCK_STREAM, 0);

	cr_assert_eq(mkfifo("fifo", 0600), 0);
	cr_assert_eq(bind(fd, (struct sockaddr *)&(struct sockaddr_un){AF_UNIX, "socket"}, sizeof(struct sockaddr_un)),
		     0);
	expect_refused("fifo", EINVAL, "fifo: a named pipe, not a file");
	expect_refused("socket", EINVAL, "socket: a socket, not a file");
	expect_refused("/dev/null", EINVAL, "/dev/null: a device, not a file");
	expect_refused(".", EISDIR, ".: a directory, not a file");
	close(fd);
	unlink("fifo");
	unlink("socket");
}

Test(profile_load, reads_a_pipe_that_was_handed_over)
{
	scoped_profile profile = {0};
	scoped_error err = {0};
	int ends[2];
	char name[32];

	cr_assert_eq(pipe(ends), 0);
	cr_assert_gt(write(ends[1], HEAD "sessions = 7\n", strlen(HEAD "sessions = 7\n")), 0);
	close(ends[1]);
	snprintf(name, sizeof name, "/dev/fd/%d", ends[0]);
	cr_assert_eq(profile_load(name, &test_variables, &profile, NULL, NULL, &err), 0, "%s", err.message);
	cr_expect_eq(profile.sessions, 7u);
	close(ends[0]);
}

/* The pipe's writer may need its time. */
Test(profile_load, waits_for_the_end_of_a_pipe)
{
	scoped_profile profile = {0};
	scoped_error err = {0};
	int ends[2];
	char name[32];

	cr_assert_eq(pipe(ends), 0);
	if (fork() == 0) {
		usleep(100000);
		_exit(write(ends[1], HEAD "sessions = 7\n", strlen(HEAD "sessions = 7\n")) < 0);
	}
	close(ends[1]);
	snprintf(name, sizeof name, "/dev/fd/%d", ends[0]);
	cr_assert_eq(profile_load(name, &test_variables, &profile, NULL, NULL, &err), 0, "%s", err.message);
	cr_expect_eq(profile.sessions, 7u);
	close(ends[0]);
}

Test(profile_load, refuses_endless_files)
{
	struct profile profile;
	scoped_error err = {0};

	write_file("p.ini", "");
	cr_assert_eq(truncate("p.ini", (64L << 20) + 1), 0);
	cr_expect_eq(profile_load("p.ini", &test_variables, &profile, NULL, NULL, &err), -EFBIG);
	cr_expect_str_eq(err.message, "p.ini: larger than 67108864 bytes");
	unlink("p.ini");
}

Test(profile_load, refuses_what_it_may_not_read)
{
	if (geteuid() == 0)
		cr_assert_eq(seteuid(65534), 0);
	cr_assert_eq(chdir("/"), 0);
	expect_refused("/etc/shadow", EACCES, "/etc/shadow: Permission denied");
	if (getuid() == 0)
		cr_assert_eq(seteuid(0), 0);
}

static double seconds_of_lines(unsigned count)
{
	scoped_buffer text = {0};
	scoped_profile profile = {0};
	struct timespec before, after;

	buffer_add_text(&text, HEAD "[normal]\n");
	for (unsigned i = 0; i < count; i++)
		buffer_format(&text, "allow = read_file /srv/%u/file-%u\n", i % 100, i);
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &before);
	read_text(buffer_text(&text), &test_variables, &profile);
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &after);
	cr_expect_eq(profile.grant_count, count);
	return (double)(after.tv_sec - before.tv_sec) + (double)(after.tv_nsec - before.tv_nsec) / 1e9;
}

/* Well below a second on a quiet machine; here only that ten times the lines do not take a hundred times as long. */
Test(profile_load_scale, a_hundred_thousand_lines_are_no_matter)
{
	double small = seconds_of_lines(10000), large = seconds_of_lines(100000);

	cr_log_info("10,000 lines: %.3f s, 100,000: %.3f s", small, large);
	cr_expect_lt(large, 30 * small + 0.1, "%.3f s for 10,000 lines, %.3f s for 100,000", small, large);
}
