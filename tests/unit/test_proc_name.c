/* Names of entries in /proc, and the one directory of descriptors that is kept open. */
#include <criterion/criterion.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/memory.h"
#include "tracer/fd_directory.h"
#include "tracer/proc_name.h"

Test(proc_name, as_printf_would_write_them)
{
	static const int numbers[] = {0, 1, 9, 10, 99, 100, 4096, 65535, 4194304, INT_MAX};

	for (size_t i = 0; i < ARRAY_LENGTH(numbers); i++) {
		char name[PROC_NAME_SIZE], want[PROC_NAME_SIZE];

		snprintf(want, sizeof want, "/proc/%d/ns/mnt", numbers[i]);
		cr_expect_str_eq(proc_name(name, numbers[i], "ns/mnt"), want);
		snprintf(want, sizeof want, "/proc/17/fd/%d", numbers[i]);
		cr_expect_str_eq(proc_name_fd(name, 17, numbers[i]), want);
		snprintf(want, sizeof want, "/proc/self/fd/%d", numbers[i]);
		cr_expect_str_eq(proc_name_own_fd(name, numbers[i]), want);
	}
}

Test(proc_name, no_descriptor_has_no_entry)
{
	char name[PROC_NAME_SIZE];
	struct stat status;

	cr_expect_eq(stat(proc_name_fd(name, getpid(), -1), &status), -1);
	cr_expect_eq(stat(proc_name_fd(name, getpid(), AT_FDCWD), &status), -1);
	cr_expect_eq(stat(proc_name_fd(name, getpid(), 1), &status), 0, "control");
}

static int asked(struct fd_directory *directory, pid_t tid, int times)
{
	int fd = -1;

	while (times--)
		fd = fd_directory_of(directory, tid);
	return fd;
}

static bool is_open(int fd)
{
	return fcntl(fd, F_GETFD) >= 0;
}

Test(fd_directory, is_opened_for_who_asks_often_in_a_row)
{
	struct fd_directory directory = {0};
	int fd;

	for (int i = 0; i < 10; i++) {
		cr_expect_eq(fd_directory_of(&directory, getpid()), -1);
		cr_expect_eq(fd_directory_of(&directory, getppid()), -1);
	}
	fd = asked(&directory, getpid(), 8);
	cr_assert_geq(fd, 0);
	cr_expect_eq(faccessat(fd, "1", F_OK, 0), 0);
	cr_expect_eq(fcntl(fd, F_GETFD), FD_CLOEXEC);
	cr_expect_eq(fd_directory_of(&directory, getppid()), -1);
	cr_expect_eq(fd_directory_of(&directory, getpid()), fd, "it stays until another one asks as often");
	asked(&directory, getppid(), 8);
	cr_expect_eq(fd_directory_of(&directory, getpid()), -1);
	fd_directory_finish(&directory);
	fd_directory_finish(&directory);
}

/* What has ended is not taken for what has its id next. */
Test(fd_directory, leads_nowhere_once_the_task_has_ended)
{
	struct fd_directory directory = {0};
	pid_t child = fork();
	int fd;

	if (child == 0) {
		pause();
		_exit(0);
	}
	fd = asked(&directory, child, 8);
	cr_assert_geq(fd, 0);
	cr_expect_eq(faccessat(fd, "1", F_OK, 0), 0);
	kill(child, SIGKILL);
	cr_assert_eq(waitpid(child, NULL, 0), child);
	cr_expect_eq(faccessat(fd, "1", F_OK, 0), -1);
	fd_directory_forget(&directory, getpid());
	cr_expect(is_open(fd));
	fd_directory_forget(&directory, child);
	cr_expect_not(is_open(fd));
	cr_expect_eq(fd_directory_of(&directory, child), -1);
	fd_directory_finish(&directory);
}
