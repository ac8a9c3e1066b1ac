/* Work for benchmarks: opens, stats and starts of programs, as many as wanted, and nothing else. */
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static void must(int holds, const char *what)
{
	if (holds)
		return;
	perror(what);
	exit(1);
}

static void make_files(long count)
{
	char name[32];

	for (long i = 0; i < count; i++) {
		int fd;

		snprintf(name, sizeof name, "%ld", i);
		fd = open(name, O_WRONLY | O_CREAT | O_CLOEXEC, 0644);
		must(fd >= 0 && close(fd) == 0, name);
	}
}

static void open_files(long count, long files)
{
	char name[32];

	for (long i = 0; i < count; i++) {
		int fd;

		snprintf(name, sizeof name, "%ld", i % files);
		fd = open(name, O_RDONLY | O_CLOEXEC);
		must(fd >= 0 && close(fd) == 0, name);
	}
}

static void stat_files(long count, long files)
{
	char name[32];
	struct stat status;

	for (long i = 0; i < count; i++) {
		snprintf(name, sizeof name, "%ld", i % files);
		must(stat(name, &status) == 0, name);
	}
}

static void start_programs(long count, char *program)
{
	char *arguments[] = {program, NULL};

	for (long i = 0; i < count; i++) {
		pid_t pid;
		int status;

		must(posix_spawn(&pid, program, NULL, NULL, arguments, environ) == 0, program);
		must(waitpid(pid, &status, 0) == pid && status == 0, program);
	}
}

static long number(const char *text)
{
	return text ? strtol(text, NULL, 10) : 0;
}

/* make COUNT | open COUNT FILES | stat COUNT FILES: in the current directory, files 0 to FILES - 1. spawn COUNT PROGRAM
 */
int main(int argc, char **argv)
{
	long count = argc > 2 ? number(argv[2]) : 0;

	if (count > 0 && argc == 3 && strcmp(argv[1], "make") == 0)
		make_files(count);
	else if (count > 0 && argc == 4 && strcmp(argv[1], "open") == 0 && number(argv[3]) > 0)
		open_files(count, number(argv[3]));
	else if (count > 0 && argc == 4 && strcmp(argv[1], "stat") == 0 && number(argv[3]) > 0)
		stat_files(count, number(argv[3]));
	else if (count > 0 && argc == 4 && strcmp(argv[1], "spawn") == 0)
		start_programs(count, argv[3]);
	else
		return 2;
	return 0;
}
