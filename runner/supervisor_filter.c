#include "runner/supervisor_filter.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>

#include "base/architecture.h"
#include "base/call_filter.h"
#include "base/call_numbers.h"
#include "base/memory.h"

#ifndef SECCOMP_IOCTL_NOTIF_SET_FLAGS /* Linux 6.6 */
#define SECCOMP_IOCTL_NOTIF_SET_FLAGS	   SECCOMP_IOW(4, __u64)
#define SECCOMP_USER_NOTIF_FD_SYNC_WAKE_UP (1UL << 0)
#endif
#ifndef SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV
#define SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV (1UL << 5) /* Linux 5.19 */
#endif

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
	numbers[0].architecture = architecture_native();
	numbers[1].architecture = architecture_second(architecture_native());
	for (size_t i = 0; i < OPEN_ARCHITECTURES; i++)
		for (size_t kind = 0; kind < OPEN_KINDS; kind++)
			numbers[i].number[kind] = call_number_of(open_calls[kind].name, numbers[i].architecture);
}

/*
 * Flags with which nobody needs to be asked: those that open_call_read() leaves to the kernel, and those that ask for
 * what no line grants. Most programs only read entries of their own, so what they write is never held up.
 */
static uint32_t flags_of_kernel(int access, rights_t served)
{
	uint32_t flags = O_PATH | (O_TMPFILE & ~O_DIRECTORY);

	if (!(served & RIGHT_TRUNCATE))
		flags |= O_TRUNC;
	if (access != O_RDONLY || !(served & RIGHT_READ_DIR))
		flags |= O_DIRECTORY;
	return flags;
}

#define WAYS 4
struct open_rules {
	struct call_rule rules[OPEN_KINDS * WAYS];
	struct call_condition conditions[OPEN_KINDS * WAYS][CALL_CONDITIONS];
	size_t count;
};

static void add_open(struct open_rules *rules, enum open_kind kind, rights_t served)
{
	static const struct {
		int access;
		rights_t on_file, on_directory;
	} ways[WAYS] = {
		{O_RDONLY, RIGHT_READ_FILE, RIGHT_READ_DIR},
		{O_WRONLY, RIGHT_WRITE_FILE, 0},
		{O_RDWR, RIGHT_READ_FILE | RIGHT_WRITE_FILE, 0},
		{O_ACCMODE | O_TRUNC, RIGHT_TRUNCATE, 0}, /* without O_TRUNC it asks nothing */
	};
	const char *name = open_calls[kind].name;

	if (open_calls[kind].flags_in_memory) {
		rules->rules[rules->count++] = (struct call_rule){name, NULL, SECCOMP_RET_USER_NOTIF};
		return;
	}
	for (size_t i = 0; i < WAYS; i++) {
		struct call_condition *flags = rules->conditions[rules->count];

		uint32_t access = (uint32_t)ways[i].access;

		if (ways[i].on_file & ~served && !(ways[i].on_directory & served))
			continue;
		*flags = (struct call_condition){MATCH_ONE_OF,
						 open_calls[kind].flags_argument,
						 access | O_ACCMODE | O_CREAT | O_EXCL |
							 flags_of_kernel(ways[i].access, served),
						 {access, access | O_CREAT, access | O_EXCL}, /* not both */
						 3};
		rules->rules[rules->count++] = (struct call_rule){name, flags, SECCOMP_RET_USER_NOTIF};
	}
}

/* What is of no architecture that is known here goes on to the kernel. `rules` is zeroed at first. */
static struct call_filter filter_of(struct open_rules *rules, rights_t served)
{
	for (size_t kind = 0; kind < OPEN_KINDS; kind++)
		add_open(rules, (enum open_kind)kind, served);
	return (struct call_filter){
		.rules = rules->rules,
		.count = rules->count,
		.otherwise = SECCOMP_RET_ALLOW,
		.elsewhere = SECCOMP_RET_ALLOW,
	};
}

struct sock_fprog filter_make_program(rights_t served, uint32_t native)
{
	struct open_rules rules = {0};
	struct call_filter filter = filter_of(&rules, served);

	return call_filter_build(&filter, native);
}

int filter_load_program(rights_t served, struct error *err)
{
	struct open_rules rules = {0};
	struct call_filter filter = filter_of(&rules, served);
	unsigned flags = SECCOMP_FILTER_FLAG_NEW_LISTENER;
	int result;

	/* Once the supervisor has taken a call, only a deadly signal ends the wait: none else can lose a descriptor on
	 * the way. */
	result = call_filter_load(&filter, flags | SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV);
	if (result == -EINVAL)
		result = call_filter_load(&filter, flags);
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

#define ALLOW(call, ...)                                                                                               \
	{                                                                                                              \
		(call), __VA_ARGS__, SECCOMP_RET_ALLOW                                                                 \
	}
#define ONLY(...) ((const struct call_condition[CALL_CONDITIONS]){{MATCH_ONE_OF, __VA_ARGS__}})
#define WHOLE	  0xffffffff

/* What fork(3) and handing a descriptor over take is for opening in another user namespace. */
static const struct call_rule allowed[] = {
	ALLOW("brk", NULL),
	ALLOW("capget", NULL),
	ALLOW("capset", NULL),
	ALLOW("close", NULL),
	ALLOW("dup2", NULL),
	ALLOW("dup3", NULL),
	ALLOW("exit_group", NULL),
	ALLOW("fstat", NULL),
	ALLOW("fstatfs", NULL),
	ALLOW("futex", NULL),
	ALLOW("getpid", NULL),
	ALLOW("kill", NULL),
	ALLOW("madvise", NULL),
	ALLOW("mmap", NULL),
	ALLOW("mprotect", NULL),
	ALLOW("mremap", NULL),
	ALLOW("munmap", NULL),
	ALLOW("newfstatat", NULL),
	ALLOW("openat2", NULL),
	ALLOW("poll", NULL),
	ALLOW("ppoll", NULL),
	ALLOW("process_vm_readv", NULL),
	ALLOW("read", NULL),
	ALLOW("readlinkat", NULL),
	ALLOW("recvfrom", NULL),
	ALLOW("recvmsg", NULL),
	ALLOW("restart_syscall", NULL),
	ALLOW("rt_sigprocmask", NULL),
	ALLOW("rt_sigqueueinfo", NULL),
	ALLOW("rt_sigreturn", NULL),
	ALLOW("sendmsg", NULL),
	ALLOW("sendto", NULL),
	ALLOW("set_robust_list", NULL),
	ALLOW("setresgid", NULL),
	ALLOW("setresuid", NULL),
	ALLOW("stat", NULL),
	ALLOW("statx", NULL),
	ALLOW("wait4", NULL),
	ALLOW("write", NULL),
	ALLOW("clone", ONLY(0, ~(uint32_t)(CLONE_CHILD_SETTID | CLONE_CHILD_CLEARTID), {SIGCHLD}, 1)),
	ALLOW("setns", ONLY(1, WHOLE, {CLONE_NEWUSER}, 1)),
	ALLOW("ioctl", ONLY(1, WHOLE,
			    {SECCOMP_IOCTL_NOTIF_RECV, SECCOMP_IOCTL_NOTIF_SEND, SECCOMP_IOCTL_NOTIF_ID_VALID,
			     SECCOMP_IOCTL_NOTIF_ADDFD},
			    4)),
};

const struct call_filter filter_of_supervisor = {
	.rules = allowed,
	.count = ARRAY_LENGTH(allowed),
	.otherwise = SECCOMP_RET_KILL_PROCESS,
	.elsewhere = SECCOMP_RET_KILL_PROCESS,
	.native_alone = true,
};

int filter_load_supervisor(struct error *err)
{
	int result = prctl(PR_SET_NO_NEW_PRIVS, 1L, 0L, 0L, 0L) < 0 ? -errno : 0;

	if (!result)
		result = call_filter_load(&filter_of_supervisor, 0);
	return result < 0 ? error_set_errno(err, -result, "the supervisor's own filter cannot be loaded") : 0;
}
