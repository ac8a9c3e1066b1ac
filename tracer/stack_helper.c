#include "tracer/stack_helper.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/buffer.h"
#include "base/call_filter.h"
#include "base/memory.h"
#include "tracer/stack_unwind.h"

#define SOCKET		3 /* its descriptor from the start on */
#define PROCESSOR_TIME	2 /* seconds for one stack */
#define FILE_FLAGS_MASK (O_ACCMODE | O_CREAT | O_TRUNC)

#define ALLOW(call)                                                                                                    \
	{                                                                                                              \
		(call), NULL, SECCOMP_RET_ALLOW                                                                        \
	}
#define FOR_READING ((const struct call_condition[CALL_CONDITIONS]){{MATCH_ONE_OF, 2, FILE_FLAGS_MASK, {O_RDONLY}, 1}})

/* What the library, the allocator and the sanitizers need. Everything else fails. */
static const struct call_rule needed[] = {
	ALLOW("read"),		 ALLOW("pread64"),
	ALLOW("recvfrom"),	 ALLOW("sendto"),
	ALLOW("fstat"),		 ALLOW("newfstatat"),
	ALLOW("close"),		 ALLOW("mmap"),
	ALLOW("munmap"),	 ALLOW("mremap"),
	ALLOW("mprotect"),	 ALLOW("brk"),
	ALLOW("madvise"),	 ALLOW("futex"),
	ALLOW("prlimit64"),	 ALLOW("getrlimit"),
	ALLOW("setrlimit"),	 ALLOW("getrusage"),
	ALLOW("exit"),		 ALLOW("exit_group"),
	ALLOW("rt_sigreturn"),	 ALLOW("rt_sigaction"),
	ALLOW("rt_sigprocmask"), ALLOW("sigaltstack"),
	ALLOW("getrandom"),	 ALLOW("lseek"),
	ALLOW("gettid"),	 ALLOW("getpid"),
	ALLOW("sched_yield"),	 ALLOW("clock_gettime"),
	ALLOW("tgkill"),	 ALLOW("readlink"),
	ALLOW("readlinkat"),	 {"openat", FOR_READING, SECCOMP_RET_ALLOW},
};

/* 0 or -errno. */
static int confine(void)
{
	static const struct call_filter filter = {
		.rules = needed,
		.count = ARRAY_LENGTH(needed),
		.otherwise = SECCOMP_RET_ERRNO | EPERM,
		.elsewhere = SECCOMP_RET_KILL_PROCESS,
		.native_alone = true,
	};

	return prctl(PR_SET_NO_NEW_PRIVS, 1L, 0L, 0L, 0L) < 0 ? -errno : call_filter_load(&filter, 0);
}

static void reset_signals(void)
{
	sigset_t none;

	for (int signal = 1; signal < NSIG; signal++)
		(void)sigaction(signal, &(struct sigaction){.sa_handler = SIG_DFL}, NULL);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
}

/* The terminal's signals are not for us, and no descriptor is kept open for others. */
static bool leave_everything(int socket)
{
	int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);

	if (nothing < 0 || dup2(nothing, 0) < 0 || dup2(nothing, 1) < 0 || dup2(nothing, 2) < 0 ||
	    (socket != SOCKET && dup2(socket, SOCKET) < 0))
		return false;
	setsid();
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	prctl(PR_SET_NAME, "trace-learn-st");
	return close_range(SOCKET + 1, ~0U, 0) == 0 && setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0}) == 0 &&
	       confine() == 0;
}

static bool receive(void *data, size_t size)
{
	return !size || recv(SOCKET, data, size, MSG_WAITALL) == (ssize_t)size;
}

static bool answer(const struct buffer *bytes)
{
	struct stack_answer head = {(uint32_t)bytes->length};

	return bytes->length <= STACK_ANSWER_MOST &&
	       send(SOCKET, &head, sizeof head, MSG_NOSIGNAL) == (ssize_t)sizeof head &&
	       send(SOCKET, bytes->data, bytes->length, MSG_NOSIGNAL) == (ssize_t)bytes->length;
}

/* The kernel ends us by SIGXCPU when the time from now on is over. */
static void limit_time(void)
{
	struct rusage used = {0};

	getrusage(RUSAGE_SELF, &used);
	setrlimit(RLIMIT_CPU, &(struct rlimit){(rlim_t)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) + PROCESSOR_TIME,
					       RLIM_INFINITY});
}

static bool serve(struct stack_unwinder *unwinder)
{
	struct stack_moment moment = {0};
	struct stack_request request;
	scoped_buffer bytes = {0};
	scoped_stack stack = {0};
	bool done;

	if (!receive(&request, sizeof request) || request.bytes > STACK_BYTES_MOST || request.maps > STACK_MAPS_MOST)
		return false;
	memcpy(&moment.registers, &request.registers, sizeof moment.registers);
	moment.start = request.start;
	moment.bytes = allocate(request.bytes + 1);
	moment.length = request.bytes;
	moment.maps = allocate(request.maps + 1);
	done = receive(moment.bytes, request.bytes) && receive(moment.maps, request.maps);
	limit_time();
	if (done)
		stack_unwind(unwinder, &moment, request.depth, &stack);
	stack_write(&stack, &bytes);
	free(moment.bytes);
	free(moment.maps);
	return done && answer(&bytes);
}

void stack_helper_be(int socket)
{
	struct stack_unwinder *unwinder;

	reset_signals();
	unwinder = leave_everything(socket) ? stack_unwinder_create() : NULL;
	while (unwinder && serve(unwinder))
		;
	_exit(0);
}
