/* Finding and executing a program as env(1) does. Shared by trace-run and trace-learn. */
#pragma once

#include "base/error.h"

/*
 * The name that execve(2) is to get for program, as execvp(3) would make it: with a slash, as it is (so that a script
 * sees the $0 that was typed), else "DIRECTORY/program" through PATH of `environment`. It may be relative. The caller
 * frees. -ENOENT (127): not found; -EACCES (126): found, but not executable (or a directory).
 */
int launch_find(const char *program, char *const environment[], char **name, struct error *err);

/*
 * That name made absolute, links unresolved, without `.` or `..` (what stands before a `..` is resolved, since a link
 * there would lead elsewhere): a profile's `program`. The caller frees.
 */
int launch_absolute(const char *name, char **absolute, struct error *err);

/*
 * execve(2) of that name; ENOEXEC goes through /bin/sh with the name as its first operand. Only returns on failure:
 * -errno, err set. launch_status() gives the exit status that goes with err->number (126 or 127).
 */
int launch_exec(const char *name, char *const argv[], char *const environment[], struct error *err);
int launch_status(int number);

#define STATUS_TIMEOUT	      124
#define STATUS_FAILURE	      125
#define STATUS_NOT_EXECUTABLE 126
#define STATUS_NOT_FOUND      127
