/* Ordinary permissions (owner, mode, ACLs), which the kernel asks before Landlock, as it asked them for a task. */
#pragma once

#include <stdbool.h>
#include <sys/types.h>

#include "profile/access.h"

/*
 * Whether they refuse this access to the stopped task, whatever a profile grants. We ask the kernel with the task's
 * user and groups, being in no domain that the task is in. false where that cannot be told.
 */
bool permission_refuses(pid_t tid, const struct access *access);
