/* A profile of its own for whoever wants to change one and keep the other. */
#pragma once

#include "profile/profile.h"

/* Fills *copy, which the caller finishes, with all that the profile has. */
void profile_copy(const struct profile *profile, struct profile *copy);

/* Gives a profile that has none of them the sections of network, scope, environment and seccomp, as they are. */
void profile_copy_limits(const struct profile *profile, struct profile *copy);
