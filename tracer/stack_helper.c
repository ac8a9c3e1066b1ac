#include "tracer/stack_helper.h"

#include <errno.h>
#include <fcntl.h>
#include <seccomp.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/buffer.h"
#include "base/memory.h"
#include "tracer/stack_unwind.h"

#define SOCKET		3 /* its descriptor from the start on */
#define PROCESSOR_TIME	2 /* seconds for one stack */
#define FILE_FLAGS_MASK (O_ACCMODE | O_CREAT | O_TRUNC)

/* What the library, the allocator and the sanitizers need. Everything else fails. */
static const char *const needed[] = {
	"read",		"pread64",	  "recvfrom",	 "sendto",    "fstat",	    "newfstatat", "close",
	"mmap",		"munmap",	  "mremap",	 "mprotect",  "brk",	    "madvise",	  "futex",
	"prlimit64",	"getrlimit",	  "setrlimit",	 "getrusage", "exit",	    "exit_group", "rt_sigreturn",
	"rt_sigaction", "rt_sigprocmask", "sigaltstack", "getrandom", "lseek",	    "gettid",	  "getpid",
	"sched_yield",	"clock_gettime",  "tgkill",	 "readlink",  "readlinkat",
};

/* 0 or -errno. */
static int confine(void)
{
	scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ERRNO(EPERM));
	int result = filter ? 0 : -ENOMEM;

	for (size_t i = 0; i < ARRAY_LENGTH(needed) && result == 0; i++)
		result = seccomp_rule_add(filter, SCMP_ACT_ALLOW, seccomp_syscall_resolve_name(needed[i]), 0);
	if (result == 0)
		result = seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(openat), 1,
					  SCMP_A2(SCMP_CMP_MASKED_EQ, FILE_FLAGS_MASK, O_RDONLY));
	if (result == 0)
		result = seccomp_load(filter); /* sets no_new_privs */
	seccomp_release(filter);
	return result;
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
