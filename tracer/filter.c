/* The seccomp filter, built from the syscall table. */
#include "tracer/filter.h"

#include <linux/seccomp.h>
#include <stdlib.h>

#include "base/call_filter.h"
#include "base/memory.h"
#include "tracer/decode.h"
#include "tracer/syscalls.h"

struct rules {
	struct call_rule *rules;
	size_t count, capacity;
};

static uint16_t mark_of(const struct syscall_row *row)
{
	switch (row->class) {
	case CALL_CLONE:
		return FILTER_MARK_CLONE;
	case CALL_ASK_PROCESSORS:
		return FILTER_MARK_ASK;
	case CALL_SET_PROCESSORS:
		return FILTER_MARK_SET;
	default:
		return FILTER_MARK;
	}
}

static bool is_stopped(const struct syscall_row *row, const struct trace_options *options)
{
	if (options->calls == TRACE_CALLS_ENFORCED && !row->enforced)
		return row->class == CALL_CHECK && options->absent;
	return options->looks || row->class != CALL_LOOK;
}

/* The condition of a check is for those who keep no looks. */
static bool is_always_stopped(const struct syscall_row *row, const struct trace_options *options)
{
	return !row->stop || (row->class == CALL_CHECK && options->looks && options->calls == TRACE_CALLS_ALL);
}

static void add_rule(struct rules *rules, const struct syscall_row *row, const struct call_condition *conditions)
{
	*ARRAY_APPEND(rules->rules, rules->count, rules->capacity) =
		(struct call_rule){row->name, conditions, SECCOMP_RET_TRACE | mark_of(row)};
}

static struct rules find_rules(const struct trace_options *options)
{
	struct rules rules = {0};

	for (const struct syscall_row *row = syscall_table; row->name; row++) {
		if (!is_stopped(row, options))
			continue;
		add_rule(&rules, row, is_always_stopped(row, options) ? NULL : row->stop);
		if (row->also)
			add_rule(&rules, row, row->also);
	}
	return rules;
}

/*
 * What no table knows (x32, on a kernel that has it) stops too, so the decoder can say that it was there; letting it
 * pass unseen would be wrong.
 */
static struct call_filter filter_of(const struct rules *rules)
{
	return (struct call_filter){
		.rules = rules->rules,
		.count = rules->count,
		.otherwise = SECCOMP_RET_ALLOW,
		.elsewhere = SECCOMP_RET_TRACE | FILTER_MARK,
	};
}

struct sock_fprog filter_build(const struct trace_options *options, uint32_t native)
{
	struct rules rules = find_rules(options);
	struct call_filter filter = filter_of(&rules);
	struct sock_fprog program = call_filter_build(&filter, native);

	free(rules.rules);
	return program;
}

int filter_load(const struct trace_options *options, struct error *err)
{
	struct rules rules = find_rules(options);
	struct call_filter filter = filter_of(&rules);
	int result = call_filter_load(&filter, 0);

	free(rules.rules);
	if (result < 0)
		return error_set_errno(err, -result,
				       "tracing is not possible: the kernel does not take our seccomp filter; it needs "
				       "CONFIG_SECCOMP_FILTER, and a container's filter has to let seccomp(2) pass");
	return 0;
}
