/* The part of the filter that libseccomp cannot make: see filter_numbers.c. */
#pragma once

#include <linux/filter.h>
#include <stdint.h>

#include "base/error.h"
#include "tracer/trace.h"

/* Whether the calls of the row stop at all. */
struct syscall_row;
bool filter_stops(const struct syscall_row *row, const struct trace_options *options);

/* Pure. The caller frees .filter; .len is 0 where nothing is left to be done. native: AUDIT_ARCH_*. */
struct sock_fprog filter_numbers_build(const struct trace_options *options, uint32_t native);

int filter_numbers_load(const struct trace_options *options, struct error *err);
