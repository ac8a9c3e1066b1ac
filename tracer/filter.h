/* The filter of decode.h's filter_load(), for a kernel of an architecture that need not be this one's. */
#pragma once

#include <linux/filter.h>
#include <stdint.h>

#include "tracer/trace.h"

/* Pure. native: AUDIT_ARCH_*. The caller frees `.filter`. */
struct sock_fprog filter_build(const struct trace_options *options, uint32_t native);
