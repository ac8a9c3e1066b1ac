/* Finding and executing a program as env(1) does. Shared by trace-run and trace-learn. */
#pragma once

#include "base/error.h"

/*
 * The absolute name of program, links unresolved: a name with a slash as it is (made absolute by the present
 * directory), else through PATH of `environment`. The caller frees. -ENOENT (127): not found; -EACCES (126): found, but
 * not executable (or a directory).
 */
int launch_find(const char *program, char *const environment[], char **path, struct error *err);

/*
 * execve(2); ENOEXEC goes through /bin/sh with path as its first operand. Only returns on failure: -errno, err set.
 * launch_status() gives the exit status that goes with it (126 or 127).
 */
int launch_exec(const char *path, char *const argv[], char *const environment[], struct error *err);
int launch_status(int error);

#define STATUS_TIMEOUT	      124
#define STATUS_FAILURE	      125
#define STATUS_NOT_EXECUTABLE 126
#define STATUS_NOT_FOUND      127
