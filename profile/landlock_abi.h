/* Which Landlock the running kernel has: with rights_of_abi() it tells what can be enforced here. */
#pragma once

/* ABI of the running kernel; -ENOSYS (not built in, or filtered) or -EOPNOTSUPP (not enabled at boot) without one. */
int landlock_abi(void);

/* One line for a failed landlock_abi(): the cause and the remedy. Static text. */
const char *landlock_absence(int error);
