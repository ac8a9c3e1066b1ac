#include "base/architecture.h"

#include <linux/audit.h>

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
