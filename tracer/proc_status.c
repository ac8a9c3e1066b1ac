#include "tracer/proc_status.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"

int64_t proc_status(pid_t pid, const char *key, int base)
{
	size_t length = strlen(key);
	scoped_file file = NULL;
	char text[256];

	snprintf(text, sizeof text, "/proc/%d/status", (int)(pid ? pid : getpid()));
	file = fopen(text, "re");
	while (file && fgets(text, sizeof text, file))
		if (strncmp(text, key, length) == 0 && text[length] == ':')
			return (int64_t)strtoull(text + length + 1, NULL, base);
	return -1;
}
