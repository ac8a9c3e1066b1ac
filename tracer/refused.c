#include "tracer/refused.h"

#include <seccomp.h>

#include "base/architecture.h"
#include "profile/seccomp_groups.h"

static int number_of(const struct seccomp_call *call, uint32_t architecture)
{
	int number = seccomp_syscall_resolve_name_arch(architecture, call->name);

	if (number < 0 && call->beside && architecture_has_socketcall(architecture))
		return call->beside;
	return number == __NR_SCMP_ERROR && call->number ? call->number : number;
}

void refused_index_init(struct refused_index *refused, const struct syscall_index *index)
{
	refused->is_filled = true;
	for (const struct seccomp_call *call = seccomp_call_table; call->name; call++)
		for (int which = 0; which < SYSCALL_ARCHITECTURES; which++) {
			int number = index->architectures[which] ? number_of(call, index->architectures[which]) : -1;

			if (call->group == SECCOMP_ALWAYS && number >= 0 && number < SYSCALL_NUMBERS)
				refused->names[which][number] = call->name;
		}
}

const char *refused_name(const struct refused_index *refused, const struct syscall_index *index,
			 const struct event *event)
{
	int which = event->architecture == index->architectures[0] ? 0 : 1;
	const char *name;

	if (!refused->is_filled || !syscall_is_of_known_abi(index, event->architecture, event->number))
		return NULL;
	name = refused->names[which][event->number];
	if (!name || !(seccomp_groups_of_call(name, event->arguments) & SECCOMP_SET(SECCOMP_ALWAYS)))
		return NULL;
	return name;
}
