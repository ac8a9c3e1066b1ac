#include "base/terminal_signals.h"

#include <signal.h>
#include <stddef.h>

#include "base/memory.h"

void terminal_signals_share(pid_t child)
{
	static const int signals[] = {SIGINT, SIGQUIT, SIGHUP, SIGTSTP};
	sigset_t pending;

	sigpending(&pending);
	for (size_t i = 0; i < ARRAY_LENGTH(signals); i++)
		if (sigismember(&pending, signals[i]) == 1)
			kill(child, signals[i]);
}
