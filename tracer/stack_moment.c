#include "tracer/stack_moment.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ptrace.h>
#include <sys/uio.h>

#include "base/cleanup.h"
#include "base/memory.h"
#include "tracer/memory.h"
#include "tracer/stack_maps.h"

#define BELOW 128 /* bytes that a function may use below its stack pointer */

/* The kernel says by their size of which kind a task's registers are. */
static const char *take_registers(pid_t tid, struct stack_moment *moment)
{
	struct iovec whole = {&moment->registers, sizeof moment->registers};

	if (ptrace(PTRACE_GETREGSET, tid, NT_PRSTATUS, &whole) < 0)
		return "the task was gone";
	return whole.iov_len == sizeof moment->registers ? NULL
							 : "it is a program of 32 bits, whose stacks are not read";
}

/* Where the stack ends now, whatever the architecture calls it. */
static uint64_t stack_pointer(pid_t tid)
{
	struct __ptrace_syscall_info info = {0};

	return ptrace(PTRACE_GET_SYSCALL_INFO, tid, sizeof info, &info) < 0 ? 0 : info.stack_pointer;
}

static char *read_maps(pid_t tid)
{
	char *text = allocate(STACK_MAPS_MOST + 1);
	size_t length = 0;
	scoped_fd fd = -1;
	char name[64];
	ssize_t got;

	snprintf(name, sizeof name, "/proc/%d/maps", (int)tid);
	fd = open(name, O_RDONLY | O_CLOEXEC);
	while (fd >= 0 && (got = read(fd, text + length, STACK_MAPS_MOST - length)) > 0)
		length += (size_t)got;
	return reallocate(text, length + 1);
}

static const char *take_bytes(pid_t tid, struct stack_moment *moment)
{
	const struct memory memory = {0};
	uint64_t top = stack_pointer(tid) & ~(uint64_t)(sizeof(uint64_t) - 1);
	struct stack_map map;
	uint64_t room;

	if (!*moment->maps)
		return "what the program maps cannot be read";
	if (!stack_map_find(moment->maps, top, &map))
		return "its stack pointer does not point into its first mappings";
	moment->start = top - map.start >= BELOW ? top - BELOW : map.start;
	room = map.end - moment->start;
	moment->length = room < STACK_BYTES_MOST ? (size_t)room : STACK_BYTES_MOST;
	moment->bytes = allocate(moment->length);
	return memory_read(&memory, tid, moment->start, moment->bytes, moment->length) == 0
		       ? NULL
		       : "its stack cannot be read";
}

struct stack_moment *stack_moment_take(pid_t tid)
{
	struct stack_moment *moment = allocate(sizeof *moment);

	moment->holders = 1;
	moment->missing = take_registers(tid, moment);
	if (moment->missing)
		return moment;
	moment->maps = read_maps(tid);
	moment->missing = take_bytes(tid, moment);
	return moment;
}

struct stack_moment *stack_moment_hold(struct stack_moment *moment)
{
	if (moment)
		moment->holders++;
	return moment;
}

void stack_moment_drop(struct stack_moment *moment)
{
	if (!moment || --moment->holders)
		return;
	free(moment->bytes);
	free(moment->maps);
	free(moment);
}
