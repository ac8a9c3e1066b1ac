/* Where the name of an open leads, as far as that can be told without going there part by part. */
#pragma once

#include <stdbool.h>
#include <sys/stat.h>

#include "runner/supervisor_call.h"

#define NAME_START_SIZE 64

/* Where the name starts, as a name below /proc, "" for the root; returns its end. It takes less than NAME_START_SIZE.
 */
char *name_write_start(const struct open_call *call, char *text);

/*
 * The first look, at each open of the program: does it lead into a procfs? Here alone do we stand in for the caller,
 * and our /proc/self for its own; what is not there for us (a thread of the caller's) is looked for where it would be.
 * `proc` is of `proc_fd`, the root of that procfs.
 */
bool name_leads_into(int proc_fd, const struct stat *proc, const struct open_call *call);

/* RESOLVE_IN_ROOT makes no difference to it, as long as its links lead no higher than where they lie. */
bool name_stays_beneath(const struct open_call *call);
