#include "tracer/refused.h"

#include <string.h>

#include "base/call_numbers.h"

static void add_number(struct refused_index *refused, int which, const struct seccomp_call *call, int number)
{
	if (number < 0 || number >= SYSCALL_NUMBERS || refused->has[which][number])
		return;
	refused->has[which][number] = true;
	refused->rows[which][number] = call;
}

/* A variant's numbers without its bit, as the runner's filter takes them: mostly they are the same. */
static void add_call(struct refused_index *refused, int which, const struct seccomp_call *call,
		     const struct call_numbers *numbers, uint32_t architecture)
{
	const struct architecture_variant *variant = architecture_variant(architecture);
	int other = variant ? call_number(numbers, variant->architecture) : -1;

	add_number(refused, which, call, call_number(numbers, architecture));
	if (other >= 0)
		add_number(refused, which, call, (int)((uint32_t)other & ~variant->bit));
}

void refused_index_init(struct refused_index *refused, const struct syscall_index *index)
{
	for (int which = 0; which < SYSCALL_ARCHITECTURES; which++) {
		const struct architecture_variant *variant = architecture_variant(index->architectures[which]);

		refused->bits[which] = variant ? variant->bit : 0;
	}
	for (const struct seccomp_call *call = seccomp_call_table; *call->name; call++) {
		const struct call_numbers *numbers =
			call->group == SECCOMP_ALWAYS ? call_numbers_find(call->name) : NULL;

		for (int which = 0; numbers && which < SYSCALL_ARCHITECTURES; which++)
			if (index->architectures[which])
				add_call(refused, which, call, numbers, index->architectures[which]);
	}
}

/* The table is sorted by group. */
static const struct seccomp_call *find_row(const struct seccomp_call *first, const uint64_t arguments[6])
{
	for (const struct seccomp_call *call = first; call && call->group == SECCOMP_ALWAYS; call++)
		if (strcmp(call->name, first->name) == 0 && seccomp_call_holds(call, arguments))
			return call;
	return NULL;
}

const struct seccomp_call *refused_find(const struct refused_index *refused, const struct syscall_index *index,
					const struct event *event)
{
	int which = event->architecture == index->architectures[0] ? 0 : 1;
	uint64_t number = event->number & ~refused->bits[which];

	if (!syscall_is_of_known_abi(index, event->architecture, number) || !refused->has[which][number])
		return NULL;
	return find_row(refused->rows[which][number], event->arguments);
}
