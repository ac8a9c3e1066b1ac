/* Signals that a terminal sends to all of its foreground group, around the birth of a process of that group. */
#pragma once

#include <sys/types.h>

/*
 * In the parent of a new process, while both block all signals: what a terminal sent before there was a child has come
 * to the parent alone, so the child gets it too. What was sent since, the child has already, and the two become one.
 */
void terminal_signals_share(pid_t child);
