#include "runner/supervisor_call.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <stdbool.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/uio.h>

#include "base/memory.h"

/* Of open(2) and openat(2) the kernel drops the others. */
#define LARGE_FILE 0100000 /* the kernel's on most architectures; glibc has 0 where it is always on */
#define KNOWN_FLAGS                                                                                                    \
	(O_ACCMODE | O_CREAT | O_EXCL | O_NOCTTY | O_TRUNC | O_APPEND | O_NONBLOCK | O_SYNC | O_ASYNC | O_DIRECT |     \
	 LARGE_FILE | O_LARGEFILE | O_DIRECTORY | O_NOFOLLOW | O_NOATIME | O_CLOEXEC | O_PATH | O_TMPFILE)
#define KNOWN_WAYS                                                                                                     \
	(RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS | RESOLVE_BENEATH | RESOLVE_IN_ROOT | RESOLVE_NO_XDEV |           \
	 RESOLVE_CACHED)

#define PAGE	   4096 /* pages may be larger, never smaller */
#define SHORT_PATH 256

/*
 * As many bytes as can be read up to size, or -errno: each page is a part of its own, so that one that is not there
 * takes none before it along.
 */
static ssize_t read_memory(pid_t tid, uint64_t address, void *data, size_t size)
{
	struct iovec local = {data, size}, remote[PATH_MAX / PAGE + 2];
	size_t count = 0;
	ssize_t result;

	while (size && count < ARRAY_LENGTH(remote)) {
		size_t part = PAGE - (address & (PAGE - 1));

		part = part < size ? part : size;
		remote[count++] = (struct iovec){(void *)(uintptr_t)address, part};
		address += part;
		size -= part;
	}
	result = process_vm_readv(tid, &local, 1, remote, count, 0);
	return result < 0 ? -errno : result;
}

/* A pointer that leads nowhere, or a task that is gone, is no matter of rights. */
static int leave_or_closed(ssize_t result)
{
	return result == -EPERM || result == -EACCES || result == -ENOSYS ? (int)result : 1;
}

/* Most paths are short; a longer one is read again, whole. */
static int read_path(uint64_t address, struct open_call *call)
{
	ssize_t length = read_memory(call->tid, address, call->path, SHORT_PATH);

	if (length == SHORT_PATH && !memchr(call->path, '\0', SHORT_PATH))
		length = read_memory(call->tid, address, call->path, sizeof call->path);
	if (length < 0)
		return leave_or_closed(length);
	return memchr(call->path, '\0', (size_t)length) && *call->path ? 0 : 1;
}

/* Only the first version of the structure: what a later one adds could change what is asked. */
static int read_how(uint64_t address, uint64_t size, struct open_call *call)
{
	struct open_how how = {0}; /* cppcheck sees no process_vm_readv(2) */
	ssize_t length;

	if (size != sizeof how)
		return 1;
	length = read_memory(call->tid, address, &how, sizeof how);
	if (length < 0)
		return leave_or_closed(length);
	if (length != sizeof how || (how.mode && !(how.flags & O_CREAT)))
		return 1;
	call->flags = how.flags;
	call->resolve = how.resolve;
	return 0;
}

static int find_kind(const struct open_numbers numbers[OPEN_ARCHITECTURES], const struct seccomp_data *data)
{
	for (size_t i = 0; i < OPEN_ARCHITECTURES; i++)
		for (int kind = 0; numbers[i].architecture == data->arch && kind < OPEN_KINDS; kind++)
			if (numbers[i].number[kind] == data->nr)
				return kind;
	return -1;
}

/* Mode 3 asks nothing, but to be emptied; no file can be made in /proc; and what is not known may mean anything. */
static bool is_of_kernel(const struct open_call *call)
{
	bool makes = (call->flags & (O_CREAT | O_EXCL)) == (O_CREAT | O_EXCL); /* O_EXCL alone says nothing */
	bool asks = (call->flags & O_ACCMODE) != O_ACCMODE || call->flags & O_TRUNC;

	return makes || !asks || call->flags & (O_PATH | (O_TMPFILE & ~O_DIRECTORY)) ||
	       call->flags & ~(uint64_t)KNOWN_FLAGS || call->resolve & ~(uint64_t)KNOWN_WAYS;
}

/* In a root of its own an absolute name starts where a relative one does. */
static void cut_root(struct open_call *call)
{
	const char *rest = call->path + strspn(call->path, "/");

	if (!(call->resolve & RESOLVE_IN_ROOT) || rest == call->path)
		return;
	if (*rest)
		memmove(call->path, rest, strlen(rest) + 1);
	else
		strcpy(call->path, ".");
}

int open_call_read(const struct open_numbers numbers[OPEN_ARCHITECTURES], const struct seccomp_notif *request,
		   struct open_call *call)
{
	const __u64 *arguments = request->data.args;
	int kind = find_kind(numbers, &request->data);
	int result = kind < 0 ? 1 : 0;

	call->tid = (pid_t)request->pid;
	call->directory = kind == OPEN_PLAIN ? AT_FDCWD : (int)arguments[0];
	call->flags = (unsigned)arguments[kind == OPEN_PLAIN ? 1 : 2] & KNOWN_FLAGS;
	call->resolve = 0;
	if (kind == OPEN_AT2)
		result = read_how(arguments[2], arguments[3], call);
	if (!call->tid || result || is_of_kernel(call))
		return result ? result : 1;
	result = read_path(arguments[kind == OPEN_PLAIN ? 0 : 1], call);
	if (result == 0)
		cut_root(call);
	return result;
}

rights_t open_call_rights(const struct open_call *call, mode_t mode)
{
	uint64_t access = call->flags & O_ACCMODE;
	rights_t rights = call->flags & O_TRUNC ? RIGHT_TRUNCATE : 0;

	if (S_ISDIR(mode))
		return access == O_RDONLY && !(call->flags & (O_TRUNC | O_CREAT)) ? RIGHT_READ_DIR : 0;
	if (!S_ISREG(mode))
		return 0;
	if (access == O_RDONLY || access == O_RDWR)
		rights |= RIGHT_READ_FILE;
	if (access == O_WRONLY || access == O_RDWR)
		rights |= RIGHT_WRITE_FILE;
	return rights;
}
