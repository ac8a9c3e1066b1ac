#include "tracer/proc_status.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tracer/proc_lines.h"

int64_t proc_status(pid_t pid, const char *key, int base)
{
	size_t length = strlen(key);
	scoped_lines lines;
	const char *line;

	if (proc_lines_open(&lines, pid ? pid : getpid(), "status") < 0)
		return -1;
	while ((line = proc_lines_next(&lines)))
		if (strncmp(line, key, length) == 0 && line[length] == ':')
			return (int64_t)strtoull(line + length + 1, NULL, base);
	return -1;
}
