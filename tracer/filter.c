/* The seccomp filter, built from the syscall table. */
#include <errno.h>
#include <seccomp.h>
#include <string.h>

#include "base/architecture.h"
#include "base/error.h"
#include "tracer/decode.h"
#include "tracer/filter_numbers.h"
#include "tracer/syscalls.h"

static void cleanup_filter(scmp_filter_ctx *filter)
{
	if (*filter)
		seccomp_release(*filter);
}

#define scoped_filter __attribute__((cleanup(cleanup_filter))) scmp_filter_ctx

/*
 * What no table knows (x32, on a kernel that has it) stops too, so the decoder can say that it was there; killing it,
 * as libseccomp would, or letting it pass unseen, would both be wrong.
 */
static int set_attributes(scmp_filter_ctx filter)
{
	int result = seccomp_attr_set(filter, SCMP_FLTATR_ACT_BADARCH, SCMP_ACT_TRACE(FILTER_MARK));

	if (!result)
		result = seccomp_attr_set(filter, SCMP_FLTATR_CTL_NNP, 0);
	/* A binary tree. Where libseccomp is too old for it, the filter is only slower. */
	seccomp_attr_set(filter, SCMP_FLTATR_CTL_OPTIMIZE, 2);
	return result;
}

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

static int add_masked(scmp_filter_ctx filter, uint32_t action, int number, unsigned argument, uint64_t mask,
		      uint64_t value)
{
	struct scmp_arg_cmp compare = {argument, SCMP_CMP_MASKED_EQ, mask, value};

	return seccomp_rule_add_array(filter, action, number, 1, &compare);
}

static int add_any(scmp_filter_ctx filter, uint32_t action, int number, const struct syscall_stop *stop)
{
	int result = 0;

	for (uint64_t bit = 1; !result && bit && bit <= stop->mask; bit <<= 1)
		if (stop->mask & bit)
			result = add_masked(filter, action, number, stop->argument - A0, bit, bit);
	return result;
}

static bool is_always_stopped(const struct syscall_row *row, const struct trace_options *options)
{
	return row->stop.argument == ARGUMENT_NONE ||
	       (row->class == CALL_CHECK && options->looks && options->calls == TRACE_CALLS_ALL);
}

static int add_stop(scmp_filter_ctx filter, uint32_t action, int number, const struct syscall_stop *stop)
{
	struct scmp_arg_cmp unequal = {stop->argument - A0, SCMP_CMP_NE, stop->value, 0};

	if (stop->any)
		return add_any(filter, action, number, stop);
	if (stop->unequal)
		return seccomp_rule_add_array(filter, action, number, 1, &unequal);
	return add_masked(filter, action, number, stop->argument - A0, stop->mask, stop->value);
}

static int add_row(scmp_filter_ctx filter, const struct syscall_row *row, int number,
		   const struct trace_options *options)
{
	uint32_t action = SCMP_ACT_TRACE(mark_of(row));
	const struct syscall_stop *stop = &row->stop;
	int result;

	if (is_always_stopped(row, options))
		return seccomp_rule_add_array(filter, action, number, 0, NULL);
	result = add_stop(filter, action, number, stop);
	if (!result && stop->also_mask)
		result = add_masked(filter, action, number, stop->argument - A0, stop->also_mask, stop->also);
	return result;
}

/*
 * libseccomp translates numbers by name, so it cannot add a call that it does not know to another architecture's
 * filter: that is for filter_numbers.c.
 */
static int add_rows(scmp_filter_ctx filter, uint32_t architecture, const struct trace_options *options)
{
	uint32_t native = seccomp_arch_native();
	const struct syscall_row *row;

	for (row = syscall_table; row->name; row++) {
		int own = seccomp_syscall_resolve_name(row->name), result;

		if (!filter_stops(row, options) || syscall_number(row, architecture) < 0)
			continue;
		if (own == __NR_SCMP_ERROR && architecture != native)
			continue;
		result = add_row(filter, row, own == __NR_SCMP_ERROR ? syscall_number(row, native) : own, options);
		if (result)
			return result;
	}
	return 0;
}

/* One architecture's filter. */
static int make_filter(scmp_filter_ctx *filter, uint32_t architecture, const struct trace_options *options)
{
	int result;

	*filter = seccomp_init(SCMP_ACT_ALLOW);
	if (!*filter)
		return -ENOMEM;
	if (architecture != seccomp_arch_native()) {
		result = seccomp_arch_add(*filter, architecture);
		if (!result)
			result = seccomp_arch_remove(*filter, SCMP_ARCH_NATIVE);
		if (result)
			return result;
	}
	result = set_attributes(*filter);
	return result ? result : add_rows(*filter, architecture, options);
}

static int make_whole_filter(scmp_filter_ctx *filter, const struct trace_options *options)
{
	uint32_t native = seccomp_arch_native(), other = architecture_second(native);
	scoped_filter second = NULL;
	int result = make_filter(filter, native, options);

	if (result || !other)
		return result;
	result = make_filter(&second, other, options);
	if (!result)
		result = seccomp_merge(*filter, second);
	if (!result)
		second = NULL; /* the first owns it now */
	return result;
}

int filter_load(const struct trace_options *options, struct error *err)
{
	scoped_filter filter = NULL;
	int result = make_whole_filter(&filter, options);

	if (result)
		return error_set_errno(err, -result, "cannot build the seccomp filter");
	result = seccomp_load(filter);
	if (result)
		return error_set_errno(err, -result,
				       "tracing is not possible: the kernel does not take our seccomp filter; it needs "
				       "CONFIG_SECCOMP_FILTER, and a container's filter has to let seccomp(2) pass");
	return filter_numbers_load(options, err);
}
