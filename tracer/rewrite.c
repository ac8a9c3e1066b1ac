#include "tracer/rewrite.h"

#include <errno.h>
#include <linux/audit.h>
#include <sched.h>
#include <stddef.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/user.h>

#include "base/call_numbers.h"

#define SET_SYSCALL_INFO ((enum __ptrace_request)0x4212) /* not in the headers of Debian 12 */

#ifdef __x86_64__
static int poke_call(const struct event *event, uint64_t number, uint64_t first)
{
	bool is_32_bit = event->architecture == AUDIT_ARCH_I386;
	size_t place = is_32_bit ? offsetof(struct user_regs_struct, rbx) : offsetof(struct user_regs_struct, rdi);

	if (ptrace(PTRACE_POKEUSER, event->tid, offsetof(struct user_regs_struct, orig_rax), number) < 0 ||
	    ptrace(PTRACE_POKEUSER, event->tid, place, first) < 0)
		return -errno;
	return 0;
}

static int poke_result(const struct event *event, int error)
{
	size_t place = offsetof(struct user_regs_struct, rax);

	return ptrace(PTRACE_POKEUSER, event->tid, place, -(long)error) < 0 ? -errno : 0;
}
#else
static int poke_call(const struct event *event, uint64_t number, uint64_t first)
{
	(void)event, (void)number, (void)first;
	return -EOPNOTSUPP;
}

static int poke_result(const struct event *event, int error)
{
	(void)event, (void)error;
	return -EOPNOTSUPP;
}
#endif

static int set_call(const struct event *event, uint64_t number, uint64_t first)
{
	struct __ptrace_syscall_info info;

	memset(&info, 0, sizeof info); /* its padding must be zero too */
	info.op = event->kind == EVENT_CALL ? PTRACE_SYSCALL_INFO_ENTRY : PTRACE_SYSCALL_INFO_SECCOMP;
	info.arch = event->architecture;
	info.seccomp.nr = number; /* where an entry has it too */
	memcpy(info.seccomp.args, event->arguments, sizeof info.seccomp.args);
	info.seccomp.args[0] = first;
	if (ptrace(SET_SYSCALL_INFO, event->tid, sizeof info, &info) == 0)
		return 0;
	return errno == EIO ? poke_call(event, number, first) : -errno;
}

int rewrite_skip(const struct event *event)
{
	return set_call(event, (uint64_t)-1, event->arguments[0]);
}

int rewrite_result(const struct event *event, int error)
{
	struct __ptrace_syscall_info info;

	memset(&info, 0, sizeof info);
	info.op = PTRACE_SYSCALL_INFO_EXIT;
	info.arch = event->architecture;
	info.exit.rval = -error;
	info.exit.is_error = 1;
	if (ptrace(SET_SYSCALL_INFO, event->tid, sizeof info, &info) == 0)
		return 0;
	return errno == EIO ? poke_result(event, error) : -errno;
}

/* clone3 has its flags in memory, at the beginning of its argument. */
static int rewrite_clone3(const struct event *event)
{
	unsigned long flags;

	errno = 0;
	flags = (unsigned long)ptrace(PTRACE_PEEKDATA, event->tid, event->arguments[0], NULL);
	if (errno)
		return errno == EIO ? 0 : -errno; /* not readable: the call will fail by itself */
	if (!(flags & CLONE_UNTRACED))
		return 0;
	flags &= ~(unsigned long)CLONE_UNTRACED;
	return ptrace(PTRACE_POKEDATA, event->tid, event->arguments[0], flags) < 0 ? -errno : 0;
}

static bool is_clone3(const struct event *event)
{
	return (int)event->number == call_number_of("clone3", event->architecture);
}

int rewrite_clone(const struct event *event)
{
	if (is_clone3(event))
		return rewrite_clone3(event);
	if (!(event->arguments[0] & CLONE_UNTRACED))
		return 0;
	return set_call(event, event->number, event->arguments[0] & ~(uint64_t)CLONE_UNTRACED);
}
