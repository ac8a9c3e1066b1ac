/* Giving up all capabilities before the exec (--drop-caps). Source: capabilities(7). */
#pragma once

#include "base/error.h"

/*
 * Empties the calling process's ambient, inheritable, permitted and effective sets, and its bounding set as far as it
 * may (CAP_SETPCAP; without that no_new_privs, which must be set, keeps it without effect). Reads them back: -EPERM
 * when any capability is left.
 */
int capabilities_drop(struct error *err);
