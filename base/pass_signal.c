#include "base/pass_signal.h"

#include <sys/syscall.h>
#include <unistd.h>

bool signal_is_queued(const siginfo_t *info)
{
	return info->si_code < 0 && info->si_code != SI_TKILL;
}

int pass_signal(pid_t pid, const siginfo_t *info)
{
	siginfo_t copy = *info;

	if (signal_is_queued(info))
		return (int)syscall(SYS_rt_sigqueueinfo, pid, info->si_signo, &copy);
	return kill(pid, info->si_signo);
}
