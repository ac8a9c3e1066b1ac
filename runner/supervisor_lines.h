/* The lines of a profile that a supervisor is for; see also supervisor_is_needed(). */
#pragma once

#include "base/error.h"
#include "profile/reach.h"

/* All that lines on own entries, and on directories above them, grant on any of these. */
rights_t supervisor_rights(const struct reach *reach);

/*
 * Opens what other lines below /proc than those on own entries are on, for as long as this process lives, and raises
 * its limit of descriptors. Those that are left are enough to answer calls: -EMFILE where none would be. What cannot be
 * held for want of them is a warning.
 */
int supervisor_hold(const struct reach *reach, struct error *err);
