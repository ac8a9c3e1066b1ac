#include "runner/supervisor_filter.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <seccomp.h>
#include <signal.h>
#include <stdbool.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/architecture.h"
#include "base/cleanup.h"
#include "base/memory.h"

#define MOST_CODE 4096 /* bytes; what a pipe takes at once */

#ifndef SECCOMP_IOCTL_NOTIF_SET_FLAGS /* Linux 6.6 */
#define SECCOMP_IOCTL_NOTIF_SET_FLAGS	   SECCOMP_IOW(4, __u64)
#define SECCOMP_USER_NOTIF_FD_SYNC_WAKE_UP (1UL << 0)
#endif
#ifndef SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV
#define SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV (1UL << 5) /* Linux 5.19 */
#endif

static void cleanup_filter(scmp_filter_ctx *filter)
{
	if (*filter)
		seccomp_release(*filter);
}

#define scoped_filter __attribute__((cleanup(cleanup_filter))) scmp_filter_ctx

static const struct {
	const char *name;
	unsigned flags_argument;
	bool flags_in_memory;
} open_calls[OPEN_KINDS] = {
	[OPEN_PLAIN] = {"open", 1, false},
	[OPEN_AT] = {"openat", 2, false},
	[OPEN_AT2] = {"openat2", 0, true},
};

void open_numbers_init(struct open_numbers numbers[OPEN_ARCHITECTURES])
{
	numbers[0].architecture = seccomp_arch_native();
	numbers[1].architecture = architecture_second(seccomp_arch_native());
	for (size_t i = 0; i < OPEN_ARCHITECTURES; i++)
		for (size_t kind = 0; kind < OPEN_KINDS; kind++)
			numbers[i].number[kind] =
				seccomp_syscall_resolve_name_arch(numbers[i].architecture, open_calls[kind].name);
}

/*
 * Flags with which nobody needs to be asked: those that open_call_read() leaves to the kernel, and those that ask for
 * what no line grants. Most programs only read entries of their own, so what they write is never held up.
 */
static uint64_t flags_of_kernel(int access, rights_t served)
{
	uint64_t flags = O_PATH | O_EXCL | (O_TMPFILE & ~O_DIRECTORY);

	if (!(served & RIGHT_TRUNCATE))
		flags |= O_TRUNC;
	if (access != O_RDONLY || !(served & RIGHT_READ_DIR))
		flags |= O_DIRECTORY;
	return flags;
}

static int add_open(scmp_filter_ctx filter, enum open_kind kind, rights_t served)
{
	static const struct {
		int access;
		rights_t on_file, on_directory;
	} ways[] = {
		{O_RDONLY, RIGHT_READ_FILE, RIGHT_READ_DIR},
		{O_WRONLY, RIGHT_WRITE_FILE, 0},
		{O_RDWR, RIGHT_READ_FILE | RIGHT_WRITE_FILE, 0},
	};
	int number = seccomp_syscall_resolve_name(open_calls[kind].name);
	int result = 0;

	if (open_calls[kind].flags_in_memory)
		return seccomp_rule_add_array(filter, SCMP_ACT_NOTIFY, number, 0, NULL);
	for (size_t i = 0; !result && i < ARRAY_LENGTH(ways); i++) {
		struct scmp_arg_cmp flags = {open_calls[kind].flags_argument, SCMP_CMP_MASKED_EQ,
					     O_ACCMODE | flags_of_kernel(ways[i].access, served),
					     (scmp_datum_t)ways[i].access};

		if (!(ways[i].on_file & ~served) || ways[i].on_directory & served)
			result = seccomp_rule_add_array(filter, SCMP_ACT_NOTIFY, number, 1, &flags);
	}
	return result;
}

/* What is of no architecture that is known here goes on to the kernel. */
static int build_program(scmp_filter_ctx filter, rights_t served)
{
	uint32_t second = architecture_second(seccomp_arch_native());
	int result = seccomp_attr_set(filter, SCMP_FLTATR_ACT_BADARCH, SCMP_ACT_ALLOW);

	if (!result && second)
		result = seccomp_arch_add(filter, second);
	for (size_t kind = 0; !result && kind < OPEN_KINDS; kind++)
		result = add_open(filter, (enum open_kind)kind, served);
	return result;
}

/*
 * libseccomp 2.5 does not know all flags, so the kernel gets its code from us. By a pipe: the limit on the size of
 * files, which may be zero, is also one on memfd_create(2).
 */
static int export(scmp_filter_ctx filter, struct sock_fprog *program)
{
	scoped_fd from = -1, to = -1;
	int ends[2];
	ssize_t length;

	if (pipe2(ends, O_CLOEXEC | O_NONBLOCK) < 0)
		return -errno;
	from = ends[0];
	to = ends[1];
	program->filter = allocate(MOST_CODE);
	if (seccomp_export_bpf(filter, to) < 0)
		return -EIO;
	length = read(from, program->filter, MOST_CODE);
	program->len = (unsigned short)((size_t)length / sizeof *program->filter);
	return length > 0 && length < MOST_CODE ? 0 : -EIO;
}

/* Once the supervisor has taken a call, only a deadly signal ends the wait: none else can lose a descriptor on the way.
 */
static int load_with_listener(const struct sock_fprog *program)
{
	unsigned flags = SECCOMP_FILTER_FLAG_NEW_LISTENER;
	long fd =
		syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, flags | SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV, program);

	if (fd < 0 && errno == EINVAL)
		fd = syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, flags, program);
	return fd < 0 ? -errno : (int)fd;
}

int filter_make_program(rights_t served, struct sock_fprog *program)
{
	scoped_filter filter = seccomp_init(SCMP_ACT_ALLOW);
	int result = filter ? build_program(filter, served) : -ENOMEM;

	return result ? result : export(filter, program);
}

int filter_load_program(rights_t served, struct error *err)
{
	struct sock_fprog program = {0};
	int result = filter_make_program(served, &program);

	if (!result)
		result = load_with_listener(&program);
	free(program.filter);
	if (result == -EBUSY)
		return error_set(
			err, EBUSY,
			"the profile has lines below /proc/self, which need a supervisor of opened files, and "
			"there is one around this process already (a container manager, or another trace-run); "
			"the kernel allows only one: start outside of it");
	return result < 0 ? error_set_errno(err, -result, "the filter of opened files cannot be loaded") : result;
}

bool filter_wake_synchronously(int listener)
{
	__u64 flags = SECCOMP_USER_NOTIF_FD_SYNC_WAKE_UP;

	return ioctl(listener, SECCOMP_IOCTL_NOTIF_SET_FLAGS, flags) == 0;
}

/* What fork(3) and handing a descriptor over take is for opening in another user namespace. */
static const char *const allowed[] = {
	"brk",
	"capget",
	"capset",
	"close",
	"dup2",
	"dup3",
	"exit_group",
	"fstat",
	"fstatfs",
	"futex",
	"getpid",
	"kill",
	"madvise",
	"mmap",
	"mprotect",
	"mremap",
	"munmap",
	"newfstatat",
	"openat2",
	"poll",
	"ppoll",
	"process_vm_readv",
	"read",
	"readlinkat",
	"recvfrom",
	"recvmsg",
	"restart_syscall",
	"rt_sigprocmask",
	"rt_sigqueueinfo",
	"rt_sigreturn",
	"sendmsg",
	"sendto",
	"set_robust_list",
	"setresgid",
	"setresuid",
	"stat",
	"statx",
	"wait4",
	"write",
};

static const unsigned long allowed_requests[] = {
	SECCOMP_IOCTL_NOTIF_RECV,
	SECCOMP_IOCTL_NOTIF_SEND,
	SECCOMP_IOCTL_NOTIF_ID_VALID,
	SECCOMP_IOCTL_NOTIF_ADDFD,
};

static int add_namespace_calls(scmp_filter_ctx filter)
{
	struct scmp_arg_cmp is_fork = {0, SCMP_CMP_MASKED_EQ,
				       ~(scmp_datum_t)(CLONE_CHILD_SETTID | CLONE_CHILD_CLEARTID), SIGCHLD};
	struct scmp_arg_cmp is_of_users = {1, SCMP_CMP_EQ, CLONE_NEWUSER, 0};
	int result = seccomp_rule_add_array(filter, SCMP_ACT_ALLOW, SCMP_SYS(clone), 1, &is_fork);

	return result ? result : seccomp_rule_add_array(filter, SCMP_ACT_ALLOW, SCMP_SYS(setns), 1, &is_of_users);
}

static int build_supervisor(scmp_filter_ctx filter)
{
	int result = add_namespace_calls(filter);

	/* The kernel runs the filter for these each time, since their arguments count; they come first in it. */
	if (!result)
		result = seccomp_syscall_priority(filter, SCMP_SYS(ioctl), UINT8_MAX);
	for (size_t i = 0; !result && i < ARRAY_LENGTH(allowed); i++) {
		int number = seccomp_syscall_resolve_name(allowed[i]);

		if (number >= 0) /* not each architecture has all of them */
			result = seccomp_rule_add_array(filter, SCMP_ACT_ALLOW, number, 0, NULL);
	}
	for (size_t i = 0; !result && i < ARRAY_LENGTH(allowed_requests); i++) {
		struct scmp_arg_cmp is_request = {1, SCMP_CMP_MASKED_EQ, 0xffffffff, allowed_requests[i]};

		result = seccomp_rule_add_array(filter, SCMP_ACT_ALLOW, SCMP_SYS(ioctl), 1, &is_request);
	}
	return result;
}

int filter_load_supervisor(struct error *err)
{
	scoped_filter filter = seccomp_init(SCMP_ACT_KILL_PROCESS);
	int result = filter ? build_supervisor(filter) : -ENOMEM;

	if (!result)
		result = seccomp_load(filter);
	return result < 0 ? error_set_errno(err, -result, "the supervisor's own filter cannot be loaded") : 0;
}
