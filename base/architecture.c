#include "base/architecture.h"

#include <linux/audit.h>
#include <seccomp.h>

#include "base/memory.h"

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
	{AUDIT_ARCH_X86_64, {SCMP_ARCH_X32, 0x40000000}},
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

bool architecture_has_socketcall(uint32_t architecture)
{
	return architecture == AUDIT_ARCH_I386;
}
