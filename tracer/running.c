#include "tracer/running.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"

#define ASKED 64 /* where there are more tasks, some run */

/* What stands behind its name in /proc/TID/stat. */
static const char *read_stat(pid_t tid, char *text, size_t size)
{
	char name[64];
	const char *end;
	scoped_fd fd = -1;
	ssize_t length;

	snprintf(name, sizeof name, "/proc/%d/stat", (int)tid);
	fd = open(name, O_RDONLY | O_CLOEXEC);
	length = fd < 0 ? -1 : read(fd, text, size - 1);
	if (length <= 0)
		return NULL;
	text[length] = '\0';
	end = strrchr(text, ')');
	return end && end[1] == ' ' ? end + 2 : NULL;
}

static char state_of(pid_t tid)
{
	char text[512];
	const char *stat = read_stat(tid, text, sizeof text);

	if (!stat)
		return 'X';
	return *stat;
}

int running_processor(const struct task *task)
{
	char text[512];
	const char *stat = read_stat(task->tid, text, sizeof text);

	for (int field = 3; stat && field < 39; field++) {
		stat = strchr(stat, ' ');
		stat = stat ? stat + 1 : NULL;
	}
	return stat ? atoi(stat) : -1;
}

/* Running, or stopped with a status that we have not taken yet. */
static bool runs(const struct task *task)
{
	char state;

	if (task->listening)
		return false;
	state = state_of(task->tid);
	return task->has_status || state == 'R' || state == 't';
}

bool running_sleeps(const struct task *task)
{
	char state = state_of(task->tid);

	return state == 'S' || state == 'D';
}

/* A kernel that tells nobody where a task sleeps says "0". */
bool running_waits_for_child(const struct task *task)
{
	char name[64], text[16] = {0};
	scoped_fd fd = -1;

	snprintf(name, sizeof name, "/proc/%d/wchan", (int)task->tid);
	fd = open(name, O_RDONLY | O_CLOEXEC);
	return fd >= 0 && read(fd, text, sizeof text - 1) > 0 && strcmp(text, "do_wait") == 0;
}

bool running_beside(const struct session *session, const struct task *task)
{
	const struct task *other;

	if (task_count(&session->tasks) > ASKED)
		return true;
	for (other = session->tasks.tasks; other; other = other->hh.next)
		if (other != task && runs(other))
			return true;
	return false;
}
