/* Cores that processes dump when they die: core(5). */
#pragma once

#include <stdbool.h>
#include <sys/types.h>

/*
 * Whether a process that ended with this wait status wrote its core to a file. The kernel opens that as the process,
 * and asks Landlock; a program that cores are piped to runs outside of any domain.
 */
bool core_dumped_to_file(int status);

/*
 * Of a task that is about to get this signal: the directory in which its core would lie, should that end it; "" where
 * that cannot be told, NULL where none would be written to a file. The caller frees.
 */
char *core_due(pid_t tid, int signal);

/* Whether a process whose core was due ended by a signal without one. */
bool core_is_missing(int status);
