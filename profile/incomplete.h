/* What a person can do about a reason why a profile is incomplete. */
#pragma once

#include "profile/profile.h"

/* As the profile has it. --proc=all grants reading them, and nothing else. */
#define INCOMPLETE_PROC "entries of other processes in /proc were used"

/* What is told behind the reason in a warning, in parentheses after a blank, or "". */
const char *incomplete_note(const struct profile *profile, const char *reason);
/* The same where there is room: what to do with the line. */
const char *incomplete_advice(const struct profile *profile, const char *reason);
