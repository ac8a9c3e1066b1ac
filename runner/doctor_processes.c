/* How this user sees other processes, and whether there are namespaces for programs that make them. */
#include <errno.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/memory.h"
#include "runner/doctor_parts.h"

#define MOUNTS "/proc/self/mountinfo"

/* The options of the procfs that is mounted last on /proc, as the kernel writes them; NULL for none, or *error. */
static char *proc_options(int *error)
{
	scoped_file file = fopen(MOUNTS, "re");
	scoped_free char *line = NULL;
	char *options = NULL;
	size_t size = 0;

	*error = file ? 0 : errno;
	while (file && get_line(&line, &size, file) > 0) {
		char point[16], *end = strstr(line, " - proc ");

		if (!end || sscanf(line, "%*u %*u %*s %*s %15s", point) != 1 || strcmp(point, "/proc") != 0)
			continue;
		free(options);
		options = duplicate_bytes(end + 8, strcspn(end + 8, "\n"));
	}
	return options;
}

static void say_proc(struct doctor *doctor)
{
	int error;
	scoped_free char *options = proc_options(&error);
	const char *hidden = options ? strstr(options, "hidepid=") : NULL;

	if (error == EACCES)
		doctor_say(doctor, "other processes", "unknown: " MOUNTS " cannot be read (%s)", strerror(error));
	else if (!options)
		doctor_say(doctor, "other processes", "unknown: no procfs is mounted on /proc");
	else if (hidden)
		doctor_say(doctor, "other processes",
			   "hidden in /proc from who may not trace them (%.*s): programs that list processes see fewer "
			   "than "
			   "another user; mount it with hidepid=0 to learn what they do there",
			   (int)strcspn(hidden, ", "), hidden);
	else
		doctor_say(doctor, "other processes", "seen in /proc");
	if (options && strstr(options, "subset=pid"))
		doctor_say(doctor, "system files in /proc",
			   "none (subset=pid): lines like /proc/meminfo grant nothing; mount it without that option");
}

/* 0 or errno. In a child, which ends in it. */
static int try_user_namespace(void)
{
	int status;
	pid_t pid = fork();

	if (pid == 0)
		_exit(unshare(CLONE_NEWUSER) < 0 ? errno : 0);
	if (pid < 0 || waitpid(pid, &status, 0) != pid || !WIFEXITED(status))
		return EAGAIN;
	return WEXITSTATUS(status);
}

static bool is_off(const char *path, char value)
{
	scoped_free char *text = doctor_read(path);

	return text && *text == value;
}

static const char *namespace_remedy(int number)
{
	if (number == ENOSPC || is_off("/proc/sys/user/max_user_namespaces", '0'))
		return "none is left: raise user.max_user_namespaces";
	if (is_off("/proc/sys/kernel/unprivileged_userns_clone", '0'))
		return "sysctl kernel.unprivileged_userns_clone=1 lets plain users make them";
	if (is_off("/proc/sys/kernel/apparmor_restrict_unprivileged_userns", '1'))
		return "AppArmor keeps plain users from it: sysctl kernel.apparmor_restrict_unprivileged_userns=0, or "
		       "a profile "
		       "of its own for the program";
	if (number == EINVAL)
		return "this kernel is built without them (CONFIG_USER_NS)";
	if (number == EPERM && prctl(PR_GET_SECCOMP, 0, 0, 0, 0) == 0)
		return "no filter is around this process, so this is a chroot(2), most likely, in which the kernel "
		       "makes none: start outside of it";
	return "a container's filter, or that of a trace-run around this one, most likely: let it pass unshare(2)";
}

/* Nothing of ours needs one. */
static void say_namespaces(struct doctor *doctor)
{
	int number = try_user_namespace();

	if (!number)
		doctor_say(doctor, "user namespaces", "can be made, by programs whose profile has the word namespaces");
	else
		doctor_say(doctor, "user namespaces",
			   "cannot be made (%s), nor by programs whose profile has the word: %s", strerror(number),
			   namespace_remedy(number));
}

void doctor_processes(struct doctor *doctor)
{
	say_proc(doctor);
	say_namespaces(doctor);
}
