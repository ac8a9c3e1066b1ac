/* Wait statuses to events, as ptrace(2) defines them. */
#include <criterion/criterion.h>
#include <linux/audit.h>
#include <signal.h>
#include <sys/ptrace.h>

#include "tracer/event.h"

#define STOPPED(signal)		  ((signal) << 8 | 0x7f)
#define EVENT_STOP(event, signal) ((event) << 16 | STOPPED(signal))
#define TID			  77

static struct event decode(int status, bool started)
{
	struct __ptrace_syscall_info none = {.op = PTRACE_SYSCALL_INFO_NONE};
	struct event event;

	event_decode(TID, status, &none, 99, started, &event);
	cr_expect_eq(event.tid, TID);
	cr_expect_eq(event.status, status);
	return event;
}

Test(event, ends)
{
	static const int statuses[] = {0, 3 << 8, SIGKILL, SIGSEGV | 0x80};

	for (size_t i = 0; i < sizeof statuses / sizeof *statuses; i++)
		cr_expect_eq(decode(statuses[i], true).kind, EVENT_ENDED, "status %#x", (unsigned)statuses[i]);
}

Test(event, signals_are_delivered_by_us)
{
	static const int signals[] = {SIGHUP, SIGTRAP, SIGSTOP, SIGTSTP, SIGCONT, 64};

	for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) {
		struct event event = decode(STOPPED(signals[i]), true);

		cr_expect_eq(event.kind, EVENT_SIGNAL, "signal %d", signals[i]);
		cr_expect_eq(event.signal, signals[i]);
	}
}

Test(event, group_stops)
{
	static const int signals[] = {SIGSTOP, SIGTSTP, SIGTTIN, SIGTTOU};

	for (size_t i = 0; i < 4; i++) {
		struct event event = decode(EVENT_STOP(PTRACE_EVENT_STOP, signals[i]), i % 2);

		cr_expect_eq(event.kind, EVENT_GROUP_STOP, "signal %d", signals[i]);
		cr_expect_eq(event.signal, signals[i]);
	}
}

Test(event, first_stop_and_later_ones)
{
	cr_expect_eq(decode(EVENT_STOP(PTRACE_EVENT_STOP, SIGTRAP), false).kind, EVENT_STARTED);
	cr_expect_eq(decode(EVENT_STOP(PTRACE_EVENT_STOP, SIGTRAP), true).kind, EVENT_CONTINUED);
}

Test(event, what_names_another_task)
{
	static const int events[] = {PTRACE_EVENT_FORK, PTRACE_EVENT_VFORK, PTRACE_EVENT_CLONE, PTRACE_EVENT_EXEC};

	for (size_t i = 0; i < 4; i++) {
		struct event event = decode(EVENT_STOP(events[i], SIGTRAP), true);

		cr_expect_eq(event.kind, events[i] == PTRACE_EVENT_EXEC ? EVENT_EXEC : EVENT_CLONE);
		cr_expect_eq(event.other, 99);
	}
}

Test(event, what_was_not_asked_for)
{
	cr_expect_eq(decode(EVENT_STOP(PTRACE_EVENT_EXIT, SIGTRAP), true).kind, EVENT_EXITING);
	cr_expect_eq(decode(EVENT_STOP(PTRACE_EVENT_VFORK_DONE, SIGTRAP), true).kind, EVENT_UNKNOWN);
	cr_expect_eq(decode(EVENT_STOP(100, SIGTRAP), true).kind, EVENT_UNKNOWN);
}

Test(event, entry)
{
	struct __ptrace_syscall_info info = {
		.op = PTRACE_SYSCALL_INFO_SECCOMP,
		.arch = AUDIT_ARCH_X86_64,
		.seccomp = {.nr = 257, .args = {1, 2, 3, 4, 5, 6}, .ret_data = 0x7472},
	};
	struct event event;

	event_decode(TID, EVENT_STOP(PTRACE_EVENT_SECCOMP, SIGTRAP), &info, 0, true, &event);
	cr_expect_eq(event.kind, EVENT_SYSCALL_ENTRY);
	cr_expect_eq(event.architecture, AUDIT_ARCH_X86_64);
	cr_expect_eq(event.number, 257);
	cr_expect_eq(event.mark, 0x7472);
	for (unsigned i = 0; i < 6; i++)
		cr_expect_eq(event.arguments[i], i + 1);
}

Test(event, exit)
{
	struct __ptrace_syscall_info info = {
		.op = PTRACE_SYSCALL_INFO_EXIT,
		.arch = AUDIT_ARCH_I386,
		.exit = {.rval = -13, .is_error = 1},
	};
	struct event event;

	event_decode(TID, STOPPED(SIGTRAP | 0x80), &info, 0, true, &event);
	cr_expect_eq(event.kind, EVENT_SYSCALL_EXIT);
	cr_expect_eq(event.architecture, AUDIT_ARCH_I386);
	cr_expect_eq(event.result, -13);
	cr_expect(event.failed);
	info.exit.rval = 5;
	info.exit.is_error = 0;
	event_decode(TID, STOPPED(SIGTRAP | 0x80), &info, 0, true, &event);
	cr_expect_eq(event.result, 5);
	cr_expect_not(event.failed);
}

/* The status is of a stop that the task was killed out of; what the kernel says now is of another one. */
Test(event, gone)
{
	cr_expect_eq(decode(EVENT_STOP(PTRACE_EVENT_SECCOMP, SIGTRAP), true).kind, EVENT_GONE);
	cr_expect_eq(decode(STOPPED(SIGTRAP | 0x80), true).kind, EVENT_GONE);
}

Test(event, an_entry_without_a_filter)
{
	struct __ptrace_syscall_info info = {
		.op = PTRACE_SYSCALL_INFO_ENTRY, .arch = 7, .entry = {.nr = 257, .args = {1, 2, 3, 4, 5, 6}}};
	struct event event;

	event_decode(TID, STOPPED(SIGTRAP | 0x80), &info, 0, true, &event);
	cr_expect_eq(event.kind, EVENT_CALL);
	cr_expect_eq(event.architecture, 7);
	cr_expect_eq(event.number, 257);
	cr_expect_eq(event.arguments[0], 1);
	cr_expect_eq(event.arguments[5], 6);
}
