/*
 * Lines that begin with the same variable, or with none: only among those does one cover another wherever the profile
 * is used. /home/me/a lies in ${HOME} for one user, and not for the next.
 */
#pragma once

#include "profile/profile.h"

struct alike; /* a copy: it does not follow the profile that it was made of */

struct alike *alike_create(const struct profile *profile);
void alike_destroy(struct alike *alike); /* NULL is fine */

/* Rights that enforced lines like this one give on directories above it, whatever the variable holds. */
rights_t alike_rights_above(const struct alike *alike, const struct grant *grant);

bool grants_are_alike(const struct grant *a, const struct grant *b);
