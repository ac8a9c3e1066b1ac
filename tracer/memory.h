/* Reading a stopped task's memory. */
#pragma once

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* Each way can be closed: by a container's filter, by Yama or another security module. The next one is tried then. */
enum memory_way {
	MEMORY_VM,   /* process_vm_readv(2), the fastest */
	MEMORY_FILE, /* /proc/TID/mem */
	MEMORY_PEEK, /* PTRACE_PEEKDATA, which the tracer alone may */
	MEMORY_WAYS
};

struct memory {
	enum memory_way first; /* to begin with; tests force a way by it */
	/*
	 * Some task fills pages in when they are asked for (userfaultfd(2)): reading one that is not there would wait
	 * for that task, which may be waiting for us. Then only what is there is read.
	 */
	bool lazy;
};

/*
 * Reads all of `size` bytes. 0; -EFAULT when the task itself could not read them either; another error (-EPERM mostly)
 * when no way was open to us; -ENODATA where memory.lazy keeps us from it.
 */
int memory_read(const struct memory *memory, pid_t tid, uint64_t address, void *data, size_t size);

/*
 * Reads a path: a string that ends within PATH_MAX bytes. *text is the caller's. As above, and -ENAMETOOLONG, which the
 * kernel answers too.
 */
int memory_read_path(const struct memory *memory, pid_t tid, uint64_t address, char **text);

/* The same into memory of the caller's, which takes less time; only where it returns 0 there is a name in it. */
int memory_read_name(const struct memory *memory, pid_t tid, uint64_t address, char name[PATH_MAX]);
