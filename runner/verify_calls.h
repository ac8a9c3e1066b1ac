/*
 * Proving the filter of system calls: one call of each group, with arguments with which it does nothing. Each is made
 * before the filter is there as well, since only a difference proves anything.
 */
#pragma once

#include "profile/seccomp_groups.h"
#include "runner/verify_sheet.h"

struct verify_calls {
	int outside[SECCOMP_GROUPS];
};

void verify_calls_try_outside(struct verify_calls *calls);
void verify_calls_try_inside(const struct verify_calls *calls, seccomp_set_t refused, struct verify_sheet *sheet);
