#include "tests/live/job.h"

#include <dirent.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

#define LIMIT 20000 /* ms; only what has failed takes them */
#define STEP  10

static const char *build_directory(void)
{
	const char *directory = getenv("TL_BUILD");

	return directory ? directory : ".";
}

const char *fixture(const char *name)
{
	static char path[4096];

	snprintf(path, sizeof path, "%s/fixtures/%s", build_directory(), name);
	return path;
}

/* Becomes the leader of a session with a new terminal; returns our side of it. */
static int open_terminal(void)
{
	int master = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
	struct termios settings;
	int slave;

	cr_assert_geq(master, 0);
	cr_assert_eq(grantpt(master) | unlockpt(master), 0);
	cr_assert(getsid(0) == getpid() || setsid() >= 0);
	slave = open(ptsname(master), O_RDWR | O_CLOEXEC);
	cr_assert_geq(slave, 0);
	cr_assert_eq(ioctl(slave, TIOCSCTTY, 0) | tcgetattr(slave, &settings), 0);
	settings.c_lflag &= ~(tcflag_t)ECHO;
	tcsetattr(slave, TCSANOW, &settings);
	signal(SIGTTOU, SIG_IGN); /* as a shell, to hand the terminal around */
	return master;
}

static _Noreturn void execute(int slave, const char *const command[])
{
	char learn[4096];
	const char *line[40] = {learn, "-q", "-f", "-o", "job.ini", "--"};
	int count = 6;

	snprintf(learn, sizeof learn, "%s/trace-learn", build_directory());
	for (; *command; command++)
		line[count++] = *command;
	line[count] = NULL;
	signal(SIGTTOU, SIG_DFL);
	for (int fd = 0; fd < 3; fd++)
		dup2(slave, fd);
	execvp(line[0], (char *const *)line);
	_exit(99);
}

void job_start(struct job *job, enum job_place place, const char *const command[])
{
	static int terminal = -1;
	int slave;

	if (terminal < 0)
		terminal = open_terminal();
	*job = (struct job){.terminal = terminal};
	slave = open(ptsname(terminal), O_RDWR | O_NOCTTY | O_CLOEXEC);
	cr_assert_geq(slave, 0);
	job->pid = fork();
	cr_assert_geq(job->pid, 0);
	if (job->pid == 0) {
		if (place != JOB_CHILD)
			setpgid(0, 0);
		if (place == JOB_FOREGROUND)
			tcsetpgrp(slave, getpid());
		execute(slave, command);
	}
	/* Both sides do it, as in a shell: whoever types next types to this job. */
	if (place != JOB_CHILD)
		setpgid(job->pid, job->pid);
	if (place == JOB_FOREGROUND)
		tcsetpgrp(slave, job->pid);
	close(slave);
}

void job_type(const struct job *job, const char *text)
{
	cr_assert_eq(write(job->terminal, text, strlen(text)), (ssize_t)strlen(text));
}

static void read_terminal(struct job *job)
{
	struct pollfd ready = {.fd = job->terminal, .events = POLLIN};
	size_t room = sizeof job->shown - 1 - job->length;
	ssize_t got;

	if (poll(&ready, 1, STEP) != 1)
		return;
	got = read(job->terminal, job->shown + job->length, room);
	if (got > 0) {
		job->length += (size_t)got;
		job->shown[job->length] = '\0';
	} else {
		usleep(STEP * 1000); /* nobody has the other side now */
	}
}

void job_forget(struct job *job)
{
	job->length = job->read_up_to = 0;
	job->shown[0] = '\0';
}

void job_expect(struct job *job, const char *text)
{
	for (int waited = 0; waited < LIMIT; waited += STEP) {
		const char *found = strstr(job->shown + job->read_up_to, text);

		if (found) {
			job->read_up_to = (size_t)(found - job->shown) + strlen(text);
			return;
		}
		read_terminal(job);
	}
	cr_assert_fail("\"%s\" was not shown, but: %s", text, job->shown + job->read_up_to);
}

static bool has_changed(const struct job *job, int *status)
{
	return waitpid(job->pid, status, WUNTRACED | WCONTINUED | WNOHANG) == job->pid;
}

int job_change(const struct job *job)
{
	int status;

	for (unsigned waited = 0; waited <= LIMIT; waited += STEP) {
		if (has_changed(job, &status))
			return status;
		usleep(STEP * 1000);
	}
	cr_assert_fail("the job goes on without a change, state %c", state_of(job->pid));
	return -1;
}

unsigned milliseconds_now(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (unsigned)now.tv_sec * 1000 + (unsigned)(now.tv_nsec / 1000000);
}

bool job_is_quiet(const struct job *job, unsigned milliseconds)
{
	int status;

	for (unsigned begin = milliseconds_now(); milliseconds_now() - begin < milliseconds; usleep(STEP * 1000))
		if (has_changed(job, &status))
			return false;
	return true;
}

void job_foreground(const struct job *job)
{
	int terminal = open("/dev/tty", O_RDWR | O_CLOEXEC);

	cr_assert_eq(tcsetpgrp(terminal, job->pid), 0);
	close(terminal);
	kill(-job->pid, SIGCONT);
}

pid_t job_program(const struct job *job)
{
	char path[64];
	int pid = 0;
	FILE *file;

	snprintf(path, sizeof path, "/proc/%d/task/%d/children", (int)job->pid, (int)job->pid);
	file = fopen(path, "re");
	cr_assert_not_null(file);
	cr_assert_eq(fscanf(file, "%d", &pid), 1, "trace-learn has no child");
	fclose(file);
	return pid;
}

/* State and process group, as /proc tells them; 'X' when it is gone. */
static char look_at(const char *pid, int *group)
{
	char path[64], line[256], state;
	const char *name_end;
	FILE *file;

	snprintf(path, sizeof path, "/proc/%.20s/stat", pid);
	file = fopen(path, "re");
	if (!file)
		return 'X';
	line[fread(line, 1, sizeof line - 1, file)] = '\0';
	fclose(file);
	name_end = strrchr(line, ')');
	if (!name_end || sscanf(name_end, ") %c %*d %d", &state, group) != 2)
		return 'X';
	return state;
}

char state_of(pid_t pid)
{
	char name[20];
	int group;

	snprintf(name, sizeof name, "%d", (int)pid);
	return look_at(name, &group);
}

bool job_is_alive(const struct job *job)
{
	DIR *proc = opendir("/proc");
	const struct dirent *entry;
	bool alive = false;
	int group;

	cr_assert_not_null(proc);
	while (!alive && (entry = readdir(proc)))
		if (entry->d_name[0] >= '0' && entry->d_name[0] <= '9')
			alive = !strchr("XZ", look_at(entry->d_name, &group)) && group == job->pid;
	closedir(proc);
	return alive;
}

void expect_state(pid_t pid, const char *states)
{
	for (int waited = 0; waited < LIMIT; waited += STEP) {
		if (strchr(states, state_of(pid)))
			return;
		usleep(STEP * 1000);
	}
	cr_assert_fail("process %d is in state %c, not one of %s", (int)pid, state_of(pid), states);
}
