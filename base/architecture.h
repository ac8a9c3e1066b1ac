/*
 * Whose calls a kernel answers. Architectures are AUDIT_ARCH_*, and SCMP_ARCH_* of libseccomp, which are the same.
 * These are the ones that the numbers of calls are known of (base/call_numbers.h).
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define ARCHITECTURES 6 /* variants among them */

/* The one with this index, and the index of one; ARCHITECTURES where it is not known. */
uint32_t architecture_at(size_t index);
size_t architecture_index(uint32_t architecture);

/* The one that this program is built for, which is the kernel's. */
uint32_t architecture_native(void);

/* The 32-bit architecture whose programs run beside those of this one; 0 for none. */
uint32_t architecture_second(uint32_t native);

/* What shares the AUDIT_ARCH_* of another one: its calls have a bit in their numbers (x32 beside x86-64). */
struct architecture_variant {
	uint32_t architecture; /* SCMP_ARCH_* */
	uint32_t bit;
};

/* Of this architecture; NULL for none. */
const struct architecture_variant *architecture_variant(uint32_t architecture);

/* The bit in all numbers of a variant's calls; 0 for what is none. */
uint32_t architecture_bit(uint32_t architecture);
