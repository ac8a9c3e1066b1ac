#include "tracer/core_dump.h"

#include <stdio.h>
#include <sys/wait.h>

#include "base/cleanup.h"

bool core_dumped_to_file(int status)
{
	scoped_file pattern = NULL;
	int first;

	if (!WIFSIGNALED(status) || !WCOREDUMP(status))
		return false;
	pattern = fopen("/proc/sys/kernel/core_pattern", "re");
	first = pattern ? fgetc(pattern) : EOF;
	return first != '|' && first != '@'; /* '@': a socket, Linux 6.16 */
}
