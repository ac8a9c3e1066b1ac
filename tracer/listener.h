/* A listener above us (seccomp_unotify(2)): a container's supervisor that is asked about calls before any tracer. */
#pragma once

#include <stdbool.h>

/* Whether a filter around us has one. Costs a child where there is a filter, else nothing. */
bool listener_is_above(void);
