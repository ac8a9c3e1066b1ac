#include "base/architecture.h"

#include <linux/audit.h>

#include "base/memory.h"

#define X32 (EM_X86_64 | __AUDIT_ARCH_LE) /* SCMP_ARCH_X32: for the kernel it is AUDIT_ARCH_X86_64 */

/* A filter for an architecture whose numbers are not known would refuse nothing: rather there is no program for it. */
#if defined __x86_64__ && defined __LP64__
#define NATIVE AUDIT_ARCH_X86_64
#elif defined __i386__
#define NATIVE AUDIT_ARCH_I386
#elif defined __aarch64__ && defined __AARCH64EL__
#define NATIVE AUDIT_ARCH_AARCH64
#elif defined __arm__
#define NATIVE AUDIT_ARCH_ARM
#elif defined __riscv && __riscv_xlen == 64
#define NATIVE AUDIT_ARCH_RISCV64
#else
#error "no numbers of calls are known of this architecture: add it here, and run make check there"
#endif

static const uint32_t known[ARCHITECTURES] = {
	AUDIT_ARCH_X86_64, AUDIT_ARCH_I386, X32, AUDIT_ARCH_AARCH64, AUDIT_ARCH_ARM, AUDIT_ARCH_RISCV64,
};

uint32_t architecture_at(size_t index)
{
	return known[index];
}

size_t architecture_index(uint32_t architecture)
{
	size_t index = 0;

	while (index < ARCHITECTURES && known[index] != architecture)
		index++;
	return index;
}

uint32_t architecture_native(void)
{
	return NATIVE;
}

static const struct {
	uint32_t native, second;
} pairs[] = {
	{AUDIT_ARCH_X86_64, AUDIT_ARCH_I386},
	{AUDIT_ARCH_AARCH64, AUDIT_ARCH_ARM},
};

uint32_t architecture_second(uint32_t native)
{
	for (size_t i = 0; i < ARRAY_LENGTH(pairs); i++)
		if (pairs[i].native == native)
			return pairs[i].second;
	return 0;
}

static const struct {
	uint32_t architecture;
	struct architecture_variant variant;
} variants[] = {
	{AUDIT_ARCH_X86_64, {X32, 0x40000000}},
};

const struct architecture_variant *architecture_variant(uint32_t architecture)
{
	for (size_t i = 0; i < ARRAY_LENGTH(variants); i++)
		if (variants[i].architecture == architecture)
			return &variants[i].variant;
	return NULL;
}

uint32_t architecture_bit(uint32_t architecture)
{
	for (size_t i = 0; i < ARRAY_LENGTH(variants); i++)
		if (variants[i].variant.architecture == architecture)
			return variants[i].variant.bit;
	return 0;
}
