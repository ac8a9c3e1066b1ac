#include "tracer/processors.h"

#include <linux/capability.h>
#include <sched.h>
#include <string.h>
#include <unistd.h>

#include "tracer/proc_status.h"

bool processors_give(pid_t tid)
{
	cpu_set_t all;

	memset(&all, 0xff, sizeof all);
	return sched_setaffinity(tid, sizeof all, &all) == 0;
}

bool processors_keep_to(pid_t tid, int processor)
{
	cpu_set_t one;

	CPU_ZERO(&one);
	CPU_SET(processor, &one);
	return sched_setaffinity(tid, sizeof one, &one) == 0;
}

/* The kernel's list of processors has to be there: without it, sysconf(3) tells of ours alone. */
bool processors_are_all_ours(void)
{
	cpu_set_t ours;

	return access("/sys/devices/system/cpu/online", R_OK) == 0 && sched_getaffinity(0, sizeof ours, &ours) == 0 &&
	       CPU_COUNT(&ours) > 1 && CPU_COUNT(&ours) >= sysconf(_SC_NPROCESSORS_ONLN);
}

static bool has(const char *set, int capability)
{
	int64_t held = proc_status(0, set, 16);

	return held >= 0 && (held >> capability & 1);
}

/* A task that changes its user can be given back by those alone who may do so to anybody's. */
bool processors_can_be_given(void)
{
	return has("CapEff", CAP_SYS_NICE) || !has("CapPrm", CAP_SETUID);
}
