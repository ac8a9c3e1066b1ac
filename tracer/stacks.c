#include "tracer/stacks.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/memory.h"
#include "tracer/stack_helper.h"

#define PATIENCE    10	 /* seconds for an answer; the helper's own limit is on its processor time */
#define LEAVING	    1000 /* ms for a helper to end */
#define LOSSES_MOST 8	 /* helpers */

struct stacks {
	unsigned depth;
	stacks_helper_fn *be_helper;
	int socket; /* to the helper, -1 without one */
	int helper; /* a descriptor of the process, for its end */
	unsigned losses;
};

/* Not by its id: the loop waits for whatever child there is, and then it may be another process's. */
static void end_helper(struct stacks *stacks, bool kill)
{
	struct pollfd ended = {.fd = stacks->helper, .events = POLLIN};

	if (stacks->socket >= 0)
		close(stacks->socket);
	if (stacks->helper >= 0) {
		if (kill)
			syscall(SYS_pidfd_send_signal, stacks->helper, SIGKILL, NULL, 0);
		if (poll(&ended, 1, LEAVING) == 1)
			waitid(P_PIDFD, (id_t)stacks->helper, &(siginfo_t){0}, WEXITED | WNOHANG);
		close(stacks->helper);
	}
	stacks->socket = stacks->helper = -1;
}

static bool start_helper(struct stacks *stacks)
{
	const struct timeval patience = {.tv_sec = PATIENCE};
	int ends[2];
	pid_t helper;

	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) < 0)
		return false;
	stacks->socket = ends[0];
	setsockopt(stacks->socket, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
	setsockopt(stacks->socket, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
	helper = fork();
	if (helper == 0)
		stacks->be_helper(ends[1]);
	close(ends[1]);
	if (helper > 0)
		stacks->helper = (int)syscall(SYS_pidfd_open, helper, 0);
	return stacks->helper >= 0;
}

/*
 * The first one is there before the session begins, so the loop knows that it has children which are not the program's.
 * Without it there is never one.
 */
struct stacks *stacks_create(unsigned depth, stacks_helper_fn *be_helper)
{
	struct stacks *stacks = allocate(sizeof *stacks);

	*stacks = (struct stacks){.depth = depth, .be_helper = be_helper, .socket = -1, .helper = -1};
	if (!start_helper(stacks))
		stacks->losses = LOSSES_MOST;
	return stacks;
}

void stacks_destroy(struct stacks *stacks)
{
	if (!stacks)
		return;
	end_helper(stacks, false);
	free(stacks);
}

static bool give(int socket, const void *data, size_t size)
{
	const char *at = data;

	while (size) {
		ssize_t sent = send(socket, at, size, MSG_NOSIGNAL);

		if (sent < 0 && errno == EINTR)
			continue;
		if (sent <= 0)
			return false;
		at += sent;
		size -= (size_t)sent;
	}
	return true;
}

static bool take(int socket, void *data, size_t size)
{
	char *at = data;

	while (size) {
		ssize_t got = recv(socket, at, size, 0);

		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			return false;
		at += got;
		size -= (size_t)got;
	}
	return true;
}

static bool ask(const struct stacks *stacks, const struct stack_moment *moment, struct stack *stack)
{
	struct stack_request request = {.start = moment->start,
					.depth = stacks->depth,
					.bytes = (uint32_t)moment->length,
					.maps = (uint32_t)strlen(moment->maps)};
	scoped_free char *bytes = NULL;
	struct stack_answer answer;

	memcpy(&request.registers, &moment->registers, sizeof request.registers);
	if (!give(stacks->socket, &request, sizeof request) || !give(stacks->socket, moment->bytes, moment->length) ||
	    !give(stacks->socket, moment->maps, request.maps) || !take(stacks->socket, &answer, sizeof answer) ||
	    answer.bytes > STACK_ANSWER_MOST)
		return false;
	bytes = allocate(answer.bytes + 1);
	return take(stacks->socket, bytes, answer.bytes) && stack_read(bytes, answer.bytes, stack);
}

static void say_missing(struct stack *stack, const char *why)
{
	stack_finish(stack);
	stack->missing = duplicate(why);
}

void stacks_tell(struct stacks *stacks, const struct stack_moment *moment, struct stack *stack)
{
	if (moment->missing) {
		say_missing(stack, moment->missing);
	} else if (stacks->losses == LOSSES_MOST) {
		say_missing(stack, "the helper that reads stacks cannot be started, or was lost too often");
	} else if ((stacks->socket < 0 && !start_helper(stacks)) || !ask(stacks, moment, stack)) {
		end_helper(stacks, true);
		stacks->losses++;
		say_missing(stack, "what the program maps, or its stack, stopped the helper that reads it");
	} else if (!stack->count && !stack->missing) {
		say_missing(stack, "no frame could be told");
	}
}
