#include "tracer/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/uio.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/memory.h"

/* Pages may be larger, never smaller. */
#define PAGE 4096

#define SHORT_PATH 256 /* holds most paths */

static size_t to_page_end(uint64_t address)
{
	return PAGE - (address & (PAGE - 1));
}

/* Each page is a part of its own, so what lies before an unmapped one is read all the same. */
/* NOLINTNEXTLINE(readability-non-const-parameter): the kernel writes to it */
static ssize_t read_vm(pid_t tid, uint64_t address, char *data, size_t size)
{
	struct iovec local = {data, size}, remote[PATH_MAX / PAGE + 2];
	size_t count = 0;

	while (size && count < ARRAY_LENGTH(remote)) {
		size_t part = to_page_end(address) < size ? to_page_end(address) : size;

		remote[count++] = (struct iovec){(void *)(uintptr_t)address, part};
		address += part;
		size -= part;
	}
	local.iov_len -= size;
	return process_vm_readv(tid, &local, 1, remote, count, 0);
}

static ssize_t read_file_way(pid_t tid, uint64_t address, char *data, size_t size)
{
	char name[64];
	scoped_fd fd = -1;
	size_t part = to_page_end(address) < size ? to_page_end(address) : size;
	ssize_t result;

	snprintf(name, sizeof name, "/proc/%d/mem", (int)tid);
	fd = open(name, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return -1;
	result = pread(fd, data, part, (off_t)address);
	if (result < 0 && errno == EIO)
		errno = EFAULT;
	return result;
}

static ssize_t read_peek(pid_t tid, uint64_t address, char *data, size_t size)
{
	uint64_t start = address & ~(uint64_t)(sizeof(long) - 1);
	size_t offset = address - start, part = sizeof(long) - offset;
	long word;

	errno = 0;
	word = ptrace(PTRACE_PEEKDATA, tid, (void *)(uintptr_t)start, NULL);
	if (errno) {
		if (errno == EIO)
			errno = EFAULT;
		return -1;
	}
	part = part < size ? part : size;
	memcpy(data, (const char *)&word + offset, part);
	return (ssize_t)part;
}

typedef ssize_t read_way_fn(pid_t tid, uint64_t address, char *data, size_t size);

static read_way_fn *const ways[MEMORY_WAYS] = {
	[MEMORY_VM] = read_vm,
	[MEMORY_FILE] = read_file_way,
	[MEMORY_PEEK] = read_peek,
};

/* Whether the page is there, or in swap (proc_pid_pagemap(5)). */
static bool is_present(pid_t tid, uint64_t address)
{
	uint64_t page = address / (uint64_t)sysconf(_SC_PAGESIZE), entry = 0;
	char name[64];
	scoped_fd fd = -1;

	snprintf(name, sizeof name, "/proc/%d/pagemap", (int)tid);
	fd = open(name, O_RDONLY | O_CLOEXEC);
	return fd >= 0 && pread(fd, &entry, sizeof entry, (off_t)(page * sizeof entry)) == sizeof entry && entry >> 62;
}

/* What can be read at once: at least one byte, or -errno. */
static ssize_t read_some(const struct memory *memory, pid_t tid, uint64_t address, char *data, size_t size)
{
	ssize_t result = -EPERM;
	int way;

	if (memory->lazy && !is_present(tid, address))
		return -ENODATA;
	if (memory->lazy && size > to_page_end(address))
		size = to_page_end(address);
	for (way = (int)memory->first; way < MEMORY_WAYS; way++) {
		result = ways[way](tid, address, data, size);
		if (result > 0)
			return result;
		result = result < 0 ? -errno : -EFAULT;
		if (result == -EFAULT)
			return result;
	}
	return result;
}

int memory_read(const struct memory *memory, pid_t tid, uint64_t address, void *data, size_t size)
{
	char *at = data;

	while (size) {
		ssize_t result = read_some(memory, tid, address, at, size);

		if (result < 0)
			return (int)result;
		at += result;
		address += (uint64_t)result;
		size -= (size_t)result;
	}
	return 0;
}

/* Goes on behind the first `length` bytes, which have no NUL. */
static int read_rest(const struct memory *memory, pid_t tid, uint64_t address, char data[PATH_MAX], size_t length)
{
	while (length < PATH_MAX) {
		ssize_t result = read_some(memory, tid, address + length, data + length, PATH_MAX - length);

		if (result < 0)
			return (int)result;
		if (memchr(data + length, '\0', (size_t)result))
			return 0;
		length += (size_t)result;
	}
	return -ENAMETOOLONG;
}

int memory_read_name(const struct memory *memory, pid_t tid, uint64_t address, char name[PATH_MAX])
{
	ssize_t result = read_some(memory, tid, address, name, SHORT_PATH);

	if (result < 0)
		return (int)result;
	if (memchr(name, '\0', (size_t)result))
		return 0;
	return read_rest(memory, tid, address, name, (size_t)result);
}

static int read_long_path(const struct memory *memory, pid_t tid, uint64_t address, const char *first, size_t length,
			  char **text)
{
	char data[PATH_MAX];
	int result;

	memcpy(data, first, length);
	result = read_rest(memory, tid, address, data, length);
	if (result == 0)
		*text = duplicate(data);
	return result;
}

/* Each array that is declared is cleared (the compiler sees to that), so the long one is declared only if need be. */
int memory_read_path(const struct memory *memory, pid_t tid, uint64_t address, char **text)
{
	char data[SHORT_PATH];
	ssize_t result = read_some(memory, tid, address, data, sizeof data);
	const char *end = result < 0 ? NULL : memchr(data, '\0', (size_t)result);

	if (result < 0)
		return (int)result;
	if (!end)
		return read_long_path(memory, tid, address, data, (size_t)result, text);
	*text = duplicate_bytes(data, (size_t)(end - data));
	return 0;
}
