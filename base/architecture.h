/* Whose calls a kernel answers. Architectures are AUDIT_ARCH_*, and SCMP_ARCH_* of libseccomp, which are the same. */
#pragma once

#include <stdint.h>

/* The 32-bit architecture whose programs run beside those of this one; 0 for none. */
uint32_t architecture_second(uint32_t native);
