/* Whether profiles with lines below /proc/self can be put in force: each part that this takes is tried. */
#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/error.h"
#include "runner/doctor_parts.h"
#include "runner/supervisor_filter.h"

enum { WOKEN, SLOW, REFUSED }; /* how the child ends; REFUSED with the errno added */

/* In a child, since the filter stays: from then on nobody answers its opens. */
static _Noreturn void load_filter(void)
{
	struct error err = {0};
	int listener;

	prctl(PR_SET_NO_NEW_PRIVS, 1L, 0L, 0L, 0L);
	listener = filter_load_program(RIGHT_READ_FILE, &err);
	if (listener < 0)
		_exit(REFUSED + err.number);
	_exit(filter_wake_synchronously(listener) ? WOKEN : SLOW);
}

static int try_filter(void)
{
	int status;
	pid_t pid = fork();

	if (pid == 0)
		load_filter();
	if (pid < 0 || waitpid(pid, &status, 0) != pid)
		return REFUSED + errno;
	return WIFEXITED(status) ? WEXITSTATUS(status) : REFUSED;
}

/* As the supervisor reads what path a caller has given. Returns 0 or errno. */
static int try_memory(void)
{
	static char byte = 'x';
	char copy;
	struct iovec here = {&copy, 1}, there = {&byte, 1};
	int result;
	pid_t pid = fork();

	if (pid == 0)
		for (;;)
			pause();
	if (pid < 0)
		return errno;
	result = process_vm_readv(pid, &here, 1, &there, 1, 0) == 1 ? 0 : errno;
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	return result;
}

static void say_refused(struct doctor *doctor, int number)
{
	doctor->failed = true;
	if (number == EBUSY)
		doctor_say(doctor, "lines in /proc/self",
			   "no: they need a supervisor of opened files, there is one around this process already (a "
			   "container "
			   "manager, or another trace-run), and the kernel allows one: start outside of it");
	else
		doctor_say(doctor, "lines in /proc/self",
			   "no: seccomp(2) gives no listener (%s): Linux 5.5 has them, unless a container's filter "
			   "refuses it",
			   strerror(number));
}

void doctor_supervisor(struct doctor *doctor)
{
	int filter = try_filter();
	int memory = filter < REFUSED ? try_memory() : 0;

	if (access("/proc/self/status", R_OK) < 0) {
		doctor->failed = true;
		doctor_say(doctor, "lines in /proc/self", "no: no procfs is mounted on /proc");
	} else if (filter >= REFUSED) {
		say_refused(doctor, filter - REFUSED);
	} else if (memory) {
		doctor->failed = true;
		doctor_say(
			doctor, "lines in /proc/self",
			"no: their supervisor may not read its children's memory (%s): let the container's filter pass "
			"process_vm_readv(2), or, where Yama's ptrace_scope is 2 or 3, set it to 1",
			strerror(memory));
	} else {
		doctor_say(doctor, "lines in /proc/self", "%s",
			   filter == WOKEN
				   ? "yes, by a supervisor"
				   : "yes, by a supervisor that this kernel wakes slowly: each open of the program "
				     "takes longer by a wake-up; Linux 6.6 does better");
	}
}
