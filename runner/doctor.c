#include "runner/doctor.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/seccomp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/atomic_file.h"
#include "base/cleanup.h"
#include "base/memory.h"
#include "base/message.h"
#include "profile/rights.h"
#include "profile/rule_path.h"
#include "profile/seccomp_groups.h"
#include "runner/doctor_parts.h"
#include "runner/landlock.h"

#define MOST_DOMAINS   64
#define MOST_BYTES     (1U << 20) /* of a status: there can be 65,536 groups */
#define CAP_SYS_PTRACE 19

void doctor_say(const struct doctor *doctor, const char *what, const char *format, ...)
{
	va_list arguments;
	char *text;

	va_start(arguments, format);
	text = format_text_list(format, arguments);
	va_end(arguments);
	print_line(doctor->out, "%-22s %s", what, text);
	free(text);
}

/* The first bytes of a file in /proc or /sys; NULL when it cannot be read. The caller frees. */
char *doctor_read(const char *path)
{
	scoped_fd fd = open(path, O_RDONLY | O_CLOEXEC);
	scoped_error err = {0};
	char *text = NULL;
	size_t length;

	return fd < 0 || read_file(fd, MOST_BYTES, &text, &length, &err) < 0 ? NULL : text;
}

/* The number behind "Name:" in a status text of /proc; `missing` where it does not stand. */
static unsigned long long status_number(const char *status, const char *name, int base, unsigned long long missing)
{
	const char *at = status ? strstr(status, name) : NULL;

	return at ? strtoull(at + strlen(name), NULL, base) : missing;
}

static void say_kernel(struct doctor *doctor)
{
	struct utsname name;

	if (uname(&name) == 0)
		doctor_say(doctor, "kernel", "%s %s %s", name.sysname, name.release, name.machine);
	if (doctor->abi >= 0) {
		doctor_say(doctor, "landlock", "yes, ABI %d%s", doctor->abi,
			   doctor->abi > LANDLOCK_ABI_NEWEST ? " (newer than this trace-run knows)" : "");
		return;
	}
	doctor->failed = true;
	doctor_say(doctor, "landlock", "no: %s", landlock_absence(doctor->abi));
}

static void say_modules(const struct doctor *doctor)
{
	scoped_free char *list = doctor_read("/sys/kernel/security/lsm");

	if (!list)
		doctor_say(doctor, "security modules",
			   "unknown: /sys/kernel/security/lsm cannot be read (mount securityfs "
			   "there to see them)");
	else
		doctor_say(doctor, "security modules", "%.*s", (int)strcspn(list, "\n"), list);
}

/* The first Linux with that ABI, where it is known for sure. */
static const char *first_linux(int abi)
{
	static const char *const versions[] = {NULL,   "5.13", "5.19", "6.2", "6.7",
					       "6.10", "6.12", "6.15", "7.0", "7.1"};

	return abi < (int)ARRAY_LENGTH(versions) ? versions[abi] : NULL;
}

static void say_rights_of(const struct doctor *doctor, int abi)
{
	rights_t rights = rights_of_abi(abi) & ~rights_of_abi(abi - 1);
	scoped_buffer names = {0};

	if (!rights)
		return;
	rights_write(&names, rights);
	if (doctor->abi >= abi)
		doctor_say(doctor, "enforced", "%s", names.data);
	else if (rights == RIGHT_REFER)
		doctor_say(doctor, "always refused", "%s, whatever a profile grants: needs Landlock ABI %d (Linux %s)",
			   names.data, abi, first_linux(abi));
	else if (first_linux(abi))
		doctor_say(doctor, "not enforced", "%s: needs Landlock ABI %d (Linux %s)", names.data, abi,
			   first_linux(abi));
	else
		doctor_say(doctor, "not enforced", "%s: needs Landlock ABI %d", names.data, abi);
}

/* In a child: takes one domain after the other until the kernel refuses, and gives their number as exit status. */
static _Noreturn void count_domains(int abi)
{
	struct landlock_attribute attribute = {.handled_access_fs = RIGHT_MAKE_BLOCK};
	int fd = landlock_create(&attribute, abi);
	int count = 0;

	prctl(PR_SET_NO_NEW_PRIVS, 1L, 0L, 0L, 0L);
	while (count < MOST_DOMAINS && landlock_restrict(fd, 0) == 0)
		count++;
	_exit(count);
}

static void say_domains(struct doctor *doctor)
{
	int status = 0;
	pid_t pid;

	if (doctor->abi < 0)
		return;
	pid = fork();
	if (pid == 0)
		count_domains(doctor->abi);
	if (pid < 0 || waitpid(pid, &status, 0) != pid || !WIFEXITED(status))
		return;
	if (WEXITSTATUS(status) > 0) {
		doctor_say(doctor, "more domains", "yes, %d fit around this process", WEXITSTATUS(status));
		return;
	}
	doctor->failed = true;
	doctor_say(doctor, "more domains",
		   "no: the kernel takes no Landlock domain more around this process; start it inside "
		   "fewer sandboxes");
}

static void say_paths(struct doctor *doctor)
{
	scoped_error err = {0};
	mode_t mode;
	scoped_fd fd = rule_path_open("/", NULL, &mode, &err);

	if (fd >= 0) {
		doctor_say(doctor, "safe path lookup", "yes");
		return;
	}
	doctor->failed = true;
	doctor_say(doctor, "safe path lookup", "no: %s", err.message);
}

static void say_filters(const struct doctor *doctor, const char *status)
{
	unsigned long long filters = status_number(status, "\nSeccomp_filters:", 10, 0);
	scoped_free char *count = filters ? format_text("%llu", filters) : duplicate("some");

	if (prctl(PR_GET_SECCOMP, 0, 0, 0, 0) == 0) /* asks no /proc */
		doctor_say(doctor, "seccomp filters", "none around this process");
	else
		doctor_say(doctor, "seccomp filters",
			   "%s around this process (of a container, or of a trace-run, mostly); they may refuse more "
			   "than what is told here",
			   count);
	if (prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) == 1)
		doctor_say(doctor, "no_new_privs", "set already: no program below gains rights by its set-user-ID bit");
}

/* What Yama leaves of ptrace (Documentation/admin-guide/LSM/Yama.rst); NULL when our own children can be traced. */
static const char *yama_objection(bool privileged)
{
	scoped_free char *text = doctor_read("/proc/sys/kernel/yama/ptrace_scope");

	switch (text ? *text : '0') {
	case '3':
		return "Yama's ptrace_scope is 3, which forbids tracing until the next boot: take "
		       "kernel.yama.ptrace_scope = 3 out of sysctl.conf and boot";
	case '2':
		return privileged
			       ? NULL
			       : "Yama's ptrace_scope is 2, so that only root may trace: run trace-learn as root, or "
				 "sysctl kernel.yama.ptrace_scope=1";
	default:
		return NULL;
	}
}

static void say_tracing(struct doctor *doctor, const char *status)
{
	bool privileged = status_number(status, "\nCapEff:", 16, 0) & 1ULL << CAP_SYS_PTRACE;
	unsigned long long tracer = status_number(status, "\nTracerPid:", 10, 0);
	const char *objection = yama_objection(privileged);

	if (!objection && !tracer) {
		doctor_say(doctor, "tracing (trace-learn)",
			   "yes, as far as files tell; trace-learn -- true tries it, and trace-run -e needs it too");
		return;
	}
	doctor->failed = true;
	if (tracer)
		doctor_say(doctor, "tracing (trace-learn)",
			   "no: process %llu traces this one already, and what it starts; end "
			   "that tracer (a debugger or strace)",
			   tracer);
	else
		doctor_say(doctor, "tracing (trace-learn)", "no: %s", objection);
}

static void say_user(const struct doctor *doctor)
{
	if (geteuid() == 0)
		doctor_say(doctor, "user",
			   "root: file modes do not limit it, only the profile does; another user is safer");
	else
		doctor_say(doctor, "user", "%ld", (long)geteuid());
}

/* Landlock does not reach these; who relies on a profile should know. */
static void say_beyond(const struct doctor *doctor)
{
	scoped_free char *tiocsti = doctor_read("/proc/sys/dev/tty/legacy_tiocsti");

	if (tiocsti && *tiocsti == '0')
		doctor_say(doctor, "terminal input", "cannot be pushed by programs (TIOCSTI is off)");
	else
		doctor_say(doctor, "terminal input", "programs can push it (TIOCSTI), but none that trace-run starts");
}

/* Whether the kernel has filters, and this process may load one that refuses calls. */
static void say_calls(struct doctor *doctor)
{
	scoped_buffer words = {0};
	uint32_t action = SECCOMP_RET_ERRNO;

	seccomp_set_write(&words, SECCOMP_EVERY_WORD);
	if (syscall(SYS_seccomp, SECCOMP_GET_ACTION_AVAIL, 0, &action) == 0) {
		doctor_say(doctor, "system calls", "filtered; groups that a profile opens: %s", words.data);
		return;
	}
	doctor->failed = true;
	doctor_say(doctor, "system calls",
		   "no: seccomp(2) is not there, or a filter around this process refuses it (%s)", strerror(errno));
}

int doctor_report(FILE *out)
{
	struct doctor doctor = {.out = out, .abi = landlock_abi()};
	scoped_free char *status = doctor_read("/proc/self/status");

	say_kernel(&doctor);
	say_modules(&doctor);
	for (int abi = 1; abi <= LANDLOCK_ABI_NEWEST; abi++)
		say_rights_of(&doctor, abi);
	say_domains(&doctor);
	say_paths(&doctor);
	if (!status)
		doctor_say(&doctor, "/proc",
			   "no: /proc/self/status cannot be read; mount /proc, or let the profile around "
			   "this process grant it");
	say_filters(&doctor, status);
	say_tracing(&doctor, status);
	say_user(&doctor);
	say_beyond(&doctor);
	say_calls(&doctor);
	doctor_supervisor(&doctor);
	doctor_processes(&doctor);
	return doctor.failed;
}
