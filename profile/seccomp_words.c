#include "profile/seccomp_words.h"

#include <string.h>

const struct seccomp_word seccomp_word_table[] = {
	{"bpf", "load and use BPF programs and maps"},
	{"chroot", "change the root directory"},
	{"io_uring", "use io_uring, whose requests no filter sees"},
	{"keyring", "use the kernel's key store"},
	{"metadata", "change mode, owner, times and extended attributes by path"},
	{"namespaces", "make or enter namespaces"},
	{"other_socket", "make sockets other than inet and unix ones: netlink, packet, raw, vsock"},
	{"perf", "use performance counters"},
	{"udp", "make inet sockets other than TCP"},
	{"unix_socket", "make unix sockets that reach others"},
	{"userfaultfd", "handle page faults in user space"},
	{0},
};

bool seccomp_word_is_known(const char *name)
{
	for (const struct seccomp_word *word = seccomp_word_table; word->name; word++)
		if (!strcmp(word->name, name))
			return true;
	return false;
}
