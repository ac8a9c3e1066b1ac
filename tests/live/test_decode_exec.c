/* What an exec pulls in: scripts, interpreters, loaders. The chain is told from the files and from what really runs. */
#include <endian.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "tests/live/recording.h"

static char shell[4096], program[4096]; /* the real names of /bin/sh, and of one that ends at once */

static void make_script(const char *name, const char *content)
{
	int fd = open(name, O_CREAT | O_WRONLY | O_TRUNC | O_CLOEXEC, 0755);

	cr_assert_geq(fd, 0);
	cr_assert_eq(write(fd, content, strlen(content)), (ssize_t)strlen(content));
	close(fd);
}

static void set_up(void)
{
	cr_assert_eq(chdir(fresh_directory()), 0);
	cr_assert_not_null(realpath("/bin/sh", shell));
	cr_assert_not_null(realpath("/bin/false", program));
	cr_assert_eq(mkdir("d", 0755), 0);
	make_script("d/script", "#!/bin/sh -e\nexit 0\n");
	make_script("second", "#!d/script\n");
	make_script("plain", "exit 0\n");
	make_script("orphan", "#!/no/such/interpreter\n");
	cr_assert_eq(symlink("d/script", "link"), 0);
}

TestSuite(decode_exec, .init = set_up, .fini = remove_fresh_directory, .timeout = 60);

static void add_named(struct buffer *lines, const char *line, const char *path, const char *name)
{
	const char *known = strstr(line, path);

	if (known) {
		buffer_add(lines, line, (size_t)(known - line));
		buffer_format(lines, "%s%s\n", name, known + strlen(path));
	}
}

static bool is_loader(const char *line)
{
	return strstr(line, "/ld-") || strstr(line, "/ld.");
}

/* Of the lines, those of execs, but for the loader's. */
static void expect_exec(scenario_fn *scenario, const char *want)
{
	struct recording recording;
	scoped_buffer lines = {0};
	char *rest, *line;

	record(&recording, scenario, TRACE_CALLS_ENFORCED);
	rest = recording.accesses.data;
	while (rest && (line = strsep(&rest, "\n")) && *line) {
		size_t before = lines.length;

		if (!strstr(line, " call=exec") || is_loader(line))
			continue;
		add_named(&lines, line, shell, "SHELL");
		add_named(&lines, line, program, "PROGRAM");
		if (lines.length == before)
			buffer_format(&lines, "%s\n", line);
	}
	cr_expect_str_eq(buffer_text(&lines), want, "\n%sinstead of\n%s", buffer_text(&lines), want);
	recording_finish(&recording);
}

static int run(const char *path)
{
	pid_t child = fork();
	int status;

	if (child == 0) {
		execl(path, path, (char *)NULL);
		_exit(errno);
	}
	cr_assert_eq(waitpid(child, &status, 0), child);
	return WEXITSTATUS(status);
}

#define RIGHTS	   " rights=execute,read_file asked=yes"
#define USE(path)  "use type=file path=" path RIGHTS
#define BY_NAME	   " call=execve\n"
#define ALONG_WITH " call=exec\n"

#define RUNS(name, path, lines)                                                                                        \
	static int name##_calls(void)                                                                                  \
	{                                                                                                              \
		return run(path);                                                                                      \
	}                                                                                                              \
	Test(decode_exec, name)                                                                                        \
	{                                                                                                              \
		expect_exec(name##_calls, lines);                                                                      \
	}

RUNS(binary, "/bin/false", USE("PROGRAM") BY_NAME)
RUNS(script, "d/script", USE("$D/d/script") BY_NAME USE("SHELL") ALONG_WITH)
RUNS(linked_script, "link", USE("$D/d/script") BY_NAME USE("SHELL") ALONG_WITH)
RUNS(script_of_a_script, "./second", USE("$D/second") BY_NAME USE("$D/d/script") ALONG_WITH USE("SHELL") ALONG_WITH)
RUNS(no_program, "plain", "use type=file path=$D/plain" RIGHTS " error=ENOEXEC call=execve\n")
RUNS(no_interpreter, "./orphan", "use type=file path=$D/orphan" RIGHTS " error=ENOENT call=execve\n")
RUNS(missing, "./nothing", "")
RUNS(directory, "d", "")

static int too_long_calls(void)
{
	size_t size = 1 << 20; /* one argument may have 128 KiB */
	char *argument = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	char *const arguments[] = {argument, NULL};

	memset(argument, 'x', size - 1);
	return execv("d/script", arguments);
}

/* Not looked into, so its interpreter was not opened. */
Test(decode_exec, too_long)
{
	expect_exec(too_long_calls, "use type=file path=$D/d/script" RIGHTS " error=E2BIG call=execve\n");
}

/* A thread that is not the leader takes the leader's id with it. */
static void *execute_in_thread(void *path)
{
	execl(path, path, (char *)NULL);
	return NULL;
}

static int by_thread_calls(void)
{
	pid_t child = fork();
	pthread_t thread;
	int status;

	if (child == 0) {
		pthread_create(&thread, NULL, execute_in_thread, (void *)"d/script");
		pthread_join(thread, NULL);
		_exit(99);
	}
	cr_assert_eq(waitpid(child, &status, 0), child);
	return WEXITSTATUS(status);
}

Test(decode_exec, by_thread)
{
	expect_exec(by_thread_calls, USE("$D/d/script") BY_NAME USE("SHELL") ALONG_WITH);
}

static int execute_at(int directory, const char *path, int flags)
{
	pid_t child = fork();
	int status;

	if (child == 0) {
		char *const arguments[] = {(char *)"false", NULL};

		syscall(SYS_execveat, directory, path, arguments, environ, flags);
		_exit(errno);
	}
	cr_assert_eq(waitpid(child, &status, 0), child);
	close(directory);
	return WEXITSTATUS(status);
}

static int by_descriptor_calls(void)
{
	return execute_at(open("/bin/false", O_PATH | O_CLOEXEC), "", AT_EMPTY_PATH);
}

Test(decode_exec, by_descriptor)
{
	expect_exec(by_descriptor_calls, USE("PROGRAM") " call=execveat\n");
}

static int by_directory_calls(void)
{
	return execute_at(open("/bin", O_PATH | O_CLOEXEC), "false", 0);
}

Test(decode_exec, by_directory)
{
	expect_exec(by_directory_calls, USE("PROGRAM") " call=execveat\n");
}

/* No program tells by what runs where it lies. */
static int not_by_directory_calls(void)
{
	char *const arguments[] = {(char *)"x", NULL};
	int above = open(".", O_PATH | O_CLOEXEC);

	if (chdir("d") != 0)
		return errno;
	return syscall(SYS_execveat, above, "plain", arguments, environ, 0) == -1 ? chdir("..") : 0;
}

Test(decode_exec, not_by_directory)
{
	expect_exec(not_by_directory_calls, "use type=file path=$D/plain" RIGHTS " error=ENOEXEC call=execveat\n");
}

static int copy_to_memory(void)
{
	int from = open("/bin/false", O_RDONLY | O_CLOEXEC), to = memfd_create("copy", MFD_CLOEXEC);
	char data[4096];
	ssize_t length;

	while ((length = read(from, data, sizeof data)) > 0)
		if (write(to, data, (size_t)length) != length)
			return -1;
	close(from);
	return to;
}

static int from_memory_calls(void)
{
	return execute_at(copy_to_memory(), "", AT_EMPTY_PATH);
}

/* A nameless program needs no grant; its loader does. */
Test(decode_exec, from_memory)
{
	expect_exec(from_memory_calls, "");
}

/* This program's own loader, which is /bin/false's too. */
static int take_loader(struct dl_phdr_info *info, size_t size, void *data)
{
	(void)size;
	if (strstr(info->dlpi_name, "/ld"))
		cr_assert_not_null(realpath(info->dlpi_name, data));
	return 0;
}

static int binary_again(void)
{
	return run("/bin/false");
}

static void expect_loader(int (*calls)(void))
{
	struct recording recording;
	char loader[4096] = "";
	scoped_buffer want = {0};

	dl_iterate_phdr(take_loader, loader);
	record(&recording, calls, TRACE_CALLS_ENFORCED);
	buffer_format(&want, USE("%s") ALONG_WITH, loader);
	cr_expect(strstr(buffer_text(&recording.accesses), buffer_text(&want)), "%s in\n%s", buffer_text(&want),
		  buffer_text(&recording.accesses));
	recording_finish(&recording);
}

Test(decode_exec, loader)
{
	expect_loader(binary_again);
}

Test(decode_exec, loader_of_a_nameless_program)
{
	expect_loader(from_memory_calls);
}

static void copy_program(const char *name)
{
	int from = copy_to_memory(), to = open(name, O_CREAT | O_WRONLY | O_CLOEXEC, 0700);

	cr_assert_gt(sendfile(to, from, &(off_t){0}, 1 << 24), 0);
	close(from);
	close(to);
}

static int deleted_calls(void)
{
	int fd = open("deleted", O_RDONLY | O_CLOEXEC);

	unlink("deleted");
	return execute_at(fd, "", AT_EMPTY_PATH);
}

Test(decode_exec, loader_of_a_deleted_program)
{
	copy_program("deleted");
	expect_loader(deleted_calls);
}

static int unreadable_calls(void)
{
	return run("./unreadable");
}

#define UNREADABLE USE("$D/unreadable") BY_NAME

/* May be executed, and not read: what can be told is told, and that something is missing is said. */
Test(decode_exec, execute_only)
{
	struct recording recording;

	copy_program("unreadable");
	cr_assert_eq(chmod("unreadable", 0111), 0);
	record(&recording, unreadable_calls, TRACE_CALLS_ENFORCED);
	cr_expect_eq(strncmp(buffer_text(&recording.accesses), UNREADABLE, strlen(UNREADABLE)), 0);
	if (getuid() == 0) { /* to whom nothing is closed */
		cr_expect_str_eq(buffer_text(&recording.incomplete), "");
	} else {
		cr_expect_str_eq(buffer_text(&recording.accesses), UNREADABLE);
		cr_expect_neq(buffer_text(&recording.incomplete)[0], '\0');
	}
	recording_finish(&recording);
}

static int set_user_id_calls(void)
{
	return run("./privileged");
}

Test(decode_exec, set_user_id)
{
	struct recording recording;

	copy_program("privileged");
	cr_assert_eq(chmod("privileged", 06755), 0);
	record(&recording, set_user_id_calls, TRACE_CALLS_ENFORCED);
	cr_expect(strstr(buffer_text(&recording.notices), "privileged runs without the privileges"), "%s",
		  buffer_text(&recording.notices));
	recording_finish(&recording);
}

/* As who is not root: to whom the file belongs, too. */
static int run_as_nobody(void)
{
	if (getuid() == 0 && setresuid(65534, 65534, 65534) != 0)
		return errno;
	return run("./privileged");
}

/* VFS_CAP_REVISION_2 with CAP_NET_RAW, permitted and effective. */
static int give_capabilities(const char *name)
{
	const uint32_t capabilities[] = {htole32(0x02000001), htole32(1U << 13), 0, 0, 0};

	return setxattr(name, "security.capability", capabilities, sizeof capabilities, 0) == 0 ? 0 : errno;
}

static void expect_notice(scenario_fn *scenario, bool expected)
{
	struct recording recording;

	record(&recording, scenario, TRACE_CALLS_ENFORCED);
	cr_expect_eq(recording.result, 1, "it runs");
	cr_expect_eq(strstr(buffer_text(&recording.notices), "privileged runs without the privileges") != NULL,
		     expected, "%s", buffer_text(&recording.notices));
	recording_finish(&recording);
}

Test(decode_exec, file_capabilities)
{
	int error;

	copy_program("privileged");
	cr_assert_eq(chmod("privileged", 0755) | chmod(".", 0755), 0);
	if (getuid() == 0)
		cr_assert_eq(chown("privileged", 65534, (gid_t)-1), 0);
	expect_notice(run_as_nobody, false);
	error = give_capabilities("privileged");
	if (error)
		cr_skip_test("%s: this user or file system gives none", strerrorname_np(error));
	expect_notice(run_as_nobody, true);
	if (getuid() == 0)
		expect_notice(set_user_id_calls, false);
}
