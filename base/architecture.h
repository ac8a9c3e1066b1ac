/* Whose calls a kernel answers: the one table of it. Architectures are AUDIT_ARCH_*, which is libseccomp's SCMP_ARCH_*
 * too. */
#pragma once

#include <stdint.h>

/* The 32-bit architecture whose programs run beside those of this one; 0 for none. */
uint32_t architecture_second(uint32_t native);
