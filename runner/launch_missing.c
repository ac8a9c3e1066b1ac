#include "runner/launch_missing.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/memory.h"
#include "profile/exec_chain.h"

static bool is_missing(const char *name)
{
	return access(name, F_OK) < 0 && (errno == ENOENT || errno == ENOTDIR);
}

/* The next one of the chain, and what it is to the file; NULL at the end. */
static char *next_of(const char *name, const char **what)
{
	/* Without waiting: nobody knows what lies there. */
	scoped_fd fd = open(name, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	char head[EXEC_CHAIN_PROGRAM];
	ssize_t length = fd < 0 ? -1 : read(fd, head, sizeof head);
	char *interpreter;

	if (length <= 0)
		return NULL;
	*what = "interpreter";
	interpreter = exec_chain_interpreter(head, length < EXEC_CHAIN_HEAD ? (size_t)length : EXEC_CHAIN_HEAD);
	if (interpreter)
		return interpreter;
	*what = "loader";
	return exec_chain_loader(head, (size_t)length);
}

char *launch_missing(const char *name)
{
	scoped_free char *at = duplicate(name);
	const char *what;

	for (int i = 0; i <= EXEC_CHAIN_LIMIT; i++) {
		scoped_free char *next = next_of(at, &what);

		if (!next)
			return NULL;
		if (is_missing(next))
			return i ? format_text("the %s %s of its interpreter %s is not there", what, next, at)
				 : format_text("its %s %s is not there", what, next);
		free(at);
		at = steal_pointer(&next);
	}
	return NULL;
}
